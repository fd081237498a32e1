#include "framework/algorithms/walk_rows.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// [task; suspends; collective over the locale] An array that the locale's cores share.
template <class T>
std::shared_ptr<machine::huge_array<T>> shared_array(std::size_t size) {
  return collectives::share_on_locale<machine::huge_array<T>>(
      [size] { return std::make_shared<machine::huge_array<T>>(size); });
}

// [task; suspends; collective over the job] The types of a locale's vertices and mirrors.
std::shared_ptr<machine::huge_array<std::uint32_t>> share_types(const graph::locale_graph& graph,
                                                                std::span<const std::uint32_t> types_of_own) {
  const auto types = shared_array<std::uint32_t>(std::size_t{graph.own} + graph.mirrors);
  const std::span<const std::uint32_t> mine = graph.my_part().of(types_of_own);
  std::ranges::copy(mine, types->data() + graph.my_part().first);
  exchange::mirror_exchange<std::uint32_t> mirrors(graph, types->part(0, types->size()));
  mirrors.start();
  mirrors.finish();
  return types;
}

}  // namespace

walk_rows::walk_rows(const graph::locale_graph& graph, const walk_edges& edges)
    : graph_(&graph),
      are_local_(graph.mirrors == 0 && graph.numbers.is_identity()),
      offsets_(graph.out_rows->offsets.data()),
      targets_(graph.out_rows->neighbours.data()) {
  const graph::adjacency& rows = *graph.out_rows;
  if (edges.types) types_ = share_types(graph, edges.types->here());
  if (!graph.numbers.is_identity() || types_ || edges.timed)
    kept_targets_ = shared_array<std::uint32_t>(rows.edges());
  if (edges.weighted && rows.weights.size() > 0) kept_sums_ = shared_array<double>(rows.edges());
  if (edges.timed) times_ = shared_array<float>(rows.edges());
  if (!kept_targets_ && !kept_sums_) return;
  std::vector<std::uint32_t> order;
  const auto type_of = [&](std::uint32_t u) { return types_ ? (*types_)[u] : 0; };
  for (std::uint32_t v = graph.my_part().first; v < graph.my_part().last; ++v) {
    const std::uint64_t first = offsets_[v];
    const auto target = [&](std::uint32_t k) { return rows.neighbours[first + k]; };
    const auto time = [&](std::uint32_t k) {
      return times_ && rows.weights.size() > 0 ? rows.weights[first + k] : 0;
    };
    order.resize(rows.degree(v));
    std::iota(order.begin(), order.end(), 0u);
    // Parallel edges stay in the order of their weights.
    if (kept_targets_) {
      std::ranges::stable_sort(order, {}, [&](std::uint32_t k) {
        return std::tuple(type_of(target(k)), time(k), graph.position_of(target(k)));
      });
    }
    double sum = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint32_t from = order[k];
      if (kept_targets_) (*kept_targets_)[first + k] = target(from);
      if (times_) (*times_)[first + k] = time(from);
      if (!kept_sums_) continue;
      if (k > 0 && type_of(target(order[k - 1])) != type_of(target(from))) sum = 0;
      (*kept_sums_)[first + k] = sum += static_cast<double>(rows.weights[first + from]);
    }
  }
  if (kept_targets_) targets_ = kept_targets_->data();
  if (kept_sums_) sums_ = kept_sums_->data();
}

index_range walk_rows::of_type(index_range edges, std::uint32_t type) const {
  const auto type_of = [this](std::uint32_t u) { return (*types_)[u]; };
  const std::span<const std::uint32_t> targets = row(edges).targets;
  const auto first = std::ranges::lower_bound(targets, type, {}, type_of),
             last = std::ranges::upper_bound(targets, type, {}, type_of);
  return {edges.first + static_cast<std::size_t>(first - targets.begin()),
          edges.first + static_cast<std::size_t>(last - targets.begin())};
}

index_range walk_rows::since(index_range edges, float time) const {
  const float* const times = times_->data();
  const float* const first = std::lower_bound(times + edges.first, times + edges.last, time);
  return {static_cast<std::size_t>(first - times), edges.last};
}

}  // namespace orujo::internal::algorithms::detail
