#include "applications/harness/top_edges.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/harness/label_format.hpp"
#include "applications/harness/top.hpp"
#include "framework/results/ordered_values.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::harness {
namespace {

using scored_edge = graph::valued_edge<double>;

void keep_top(std::vector<scored_edge>& edges, std::size_t count) {
  const auto before = [](const scored_edge& a, const scored_edge& b) {
    if (a.value != b.value) return a.value > b.value;
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  };
  const auto end = edges.begin() + static_cast<std::ptrdiff_t>(std::min(edges.size(), count));
  std::partial_sort(edges.begin(), end, edges.end(), before);
  edges.erase(end, edges.end());
}

}  // namespace

void print_top_edges(graph::distributed_graph graph, graph::edge_array<double> edges,
                     const std::string& what) {
  const auto count = static_cast<std::size_t>(top());
  if (count == 0 || edges.size() == 0) return;
  const auto best = loops::on_all_cores([=] {
    std::vector<scored_edge> mine(edges.local().begin(), edges.local().end()), all;
    keep_top(mine, count);
    for (const auto& of_core : collectives::all_gather(mine))
      all.insert(all.end(), of_core.begin(), of_core.end());
    keep_top(all, count);
    return all;
  });
  std::vector<std::uint64_t> ends;
  for (const scored_edge& e : best) ends.insert(ends.end(), {e.source, e.target});
  const auto labels = results::ordered_values<char>::create(
      graph, [](const graph::locale_graph&, std::uint32_t) { return char{}; });
  const results::vertex_labels found = labels.labels_of(ends);
  labels.destroy();
  harness::print("\n  place  {:>20}  {:>20}  {}\n", "source", "target", what);
  for (std::size_t k = 0; k < best.size(); ++k)
    harness::print("  {:>5}  {:>20}  {:>20}  {:.4e}\n", k + 1, found.label(2 * k), found.label(2 * k + 1),
                   best[k].value);
}

}  // namespace orujo::internal::harness
