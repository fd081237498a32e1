#include "framework/algorithms/mutual_information.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "system/base/hash.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

struct label_pair {
  std::uint64_t a, b;
  bool operator==(const label_pair&) const = default;
};
struct counted_pair {
  label_pair labels;
  std::uint64_t count;
};
using pair_counts = containers::flat_table<label_pair, std::uint64_t>;

std::vector<counted_pair> listed(pair_counts& counts) {
  std::vector<counted_pair> all;
  for (std::size_t slot = 0; slot < counts.slots(); ++slot) {
    counts.visit_slot(slot, [&](const label_pair& labels, std::uint64_t count) {
      all.push_back({labels, count});
    });
  }
  return all;
}

// [task; suspends; collective over the job] The entropy of the pairs labels_of(own vertex).
template <class LabelsOf>
double entropy(const graph::locale_graph& g, LabelsOf labels_of) {
  pair_counts mine, all;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
    ++*mine.find_or_insert(labels_of(v)).first;
  const auto owner = [](const counted_pair& p) {
    return base::mixed_hash<base::hash<label_pair>>(p.labels) % static_cast<std::uint64_t>(cores());
  };
  for (const counted_pair& p : collectives::exchange_by(listed(mine), owner))
    *all.find_or_insert(p.labels).first += p.count;
  double sum = 0;
  for (const counted_pair& p : listed(all))
    sum -= static_cast<double>(p.count) * std::log(static_cast<double>(p.count));
  const auto vertices = static_cast<double>(g.vertices);
  return std::log(vertices) + collectives::all_reduce(sum) / vertices;
}

}  // namespace

double normalized_mutual_information(graph::distributed_graph graph, graph::property<std::uint64_t> a,
                                     graph::property<std::uint64_t> b, const call_site& at) {
  a.require_graph(graph.here(), at);
  b.require_graph(graph.here(), at);
  if (graph.here().vertices == 0) return 1;
  return loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    const auto label_a = a.here(), label_b = b.here();
    const double of_a = entropy(g, [&](std::uint32_t v) { return label_pair{label_a[v], 0}; });
    const double of_b = entropy(g, [&](std::uint32_t v) { return label_pair{0, label_b[v]}; });
    const double of_both = entropy(g, [&](std::uint32_t v) { return label_pair{label_a[v], label_b[v]}; });
    // Entropies of single parts differ from 0 by rounding.
    return of_a + of_b < 1e-12 ? 1.0 : 2 * (of_a + of_b - of_both) / (of_a + of_b);
  });
}

}  // namespace orujo::internal::algorithms
