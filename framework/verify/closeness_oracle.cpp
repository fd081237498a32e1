#include "framework/verify/closeness_oracle.hpp"

#include <cmath>
#include <cstdint>

#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::internal::verify {

namespace {

struct distances_to {
  std::uint64_t reached_by = 0, sum = 0;  // over sources other than the vertex
  std::uint64_t is_source = 0;
  long double inverses = 0;
};

}  // namespace

expected_closeness find_closeness(const simple_graph& graph, std::span<const std::size_t> sources) {
  const std::size_t n = graph.vertex_count();
  std::vector<distances_to> to(n);
  for (const std::size_t source : sources) {
    const std::vector<std::int64_t> levels = search_levels(graph, source);
    to[source].is_source = 1;
    for (std::size_t v = 0; v < n; ++v) {
      if (levels[v] <= 0) continue;
      ++to[v].reached_by;
      to[v].sum += static_cast<std::uint64_t>(levels[v]);
      to[v].inverses += 1.0L / static_cast<long double>(levels[v]);
    }
  }
  expected_closeness found;
  for (const distances_to& of_one : to) {
    const auto reach = static_cast<long double>(of_one.reached_by);
    const auto others = static_cast<long double>(sources.size() - of_one.is_source);
    const auto sum = static_cast<long double>(of_one.sum);
    found.closeness.push_back(static_cast<double>(reach > 0 ? reach / sum : 0));
    found.improved.push_back(static_cast<double>(reach > 0 ? reach * reach / (sum * others) : 0));
    found.harmonic.push_back(
        static_cast<double>(reach > 0 ? of_one.inverses * static_cast<long double>(n - 1) / others : 0));
  }
  // A term, each addition, both factors of the scale and the product add 2^-53.
  found.relative_error = std::ldexp(static_cast<double>(sources.size() + 4), -53);
  return found;
}

}  // namespace orujo::internal::verify
