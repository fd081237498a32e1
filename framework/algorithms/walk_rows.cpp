#include "framework/algorithms/walk_rows.hpp"

#include <numeric>
#include <type_traits>
#include <vector>

#include "system/collectives/collectives.hpp"

namespace orujo::algorithms::detail {

walk_rows::walk_rows(const graph::locale_graph& graph, bool weighted)
    : graph_(&graph), offsets_(graph.out_rows->offsets.data()), targets_(graph.out_rows->neighbours.data()) {
  const graph::adjacency& rows = *graph.out_rows;
  const bool as_they_are = graph.numbers.is_identity(), sums = weighted && rows.weights.size() > 0;
  if (as_they_are && !sums) return;
  const auto share = [&]<class T>(std::type_identity<T>) {
    return collectives::share_on_locale<machine::huge_array<T>>(
        [&] { return std::make_shared<machine::huge_array<T>>(rows.edges()); });
  };
  if (!as_they_are) kept_targets_ = share(std::type_identity<std::uint32_t>());
  if (sums) kept_sums_ = share(std::type_identity<double>());
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = graph.my_part().first; v < graph.my_part().last; ++v) {
    const std::uint64_t first = offsets_[v];
    order.resize(rows.degree(v));
    std::iota(order.begin(), order.end(), 0u);
    if (kept_targets_) {
      // Parallel edges stay in the order of their weights.
      std::ranges::stable_sort(
          order, {}, [&](std::uint32_t k) { return graph.position_of(rows.neighbours[first + k]); });
      for (std::size_t k = 0; k < order.size(); ++k)
        (*kept_targets_)[first + k] = rows.neighbours[first + order[k]];
    }
    double sum = 0;
    for (std::size_t k = 0; kept_sums_ && k < order.size(); ++k)
      (*kept_sums_)[first + k] = sum += static_cast<double>(rows.weights[first + order[k]]);
  }
  if (kept_targets_) targets_ = kept_targets_->data();
  if (kept_sums_) sums_ = kept_sums_->data();
}

}  // namespace orujo::algorithms::detail
