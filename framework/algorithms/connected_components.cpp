#include "framework/algorithms/connected_components.hpp"

#include <glog/logging.h>

#include <atomic>
#include <chrono>
#include <concepts>
#include <limits>

#include "system/loops/collectives.hpp"

namespace orujo::algorithms {

template <class Label>
auto connected_components<Label>::make_arena(const graph::locale_graph& g) -> std::shared_ptr<arena> {
  if (std::same_as<Label, std::uint32_t> && locales() == 1) return nullptr;
  return loops::share_on_locale<arena>(
      [&] { return std::make_shared<arena>(std::size_t{g.own} + g.mirrors); });
}

template <class Label>
std::span<std::uint32_t> connected_components<Label>::parents() const {
  if constexpr (std::same_as<Label, std::uint32_t>) {
    if (!arena_) return labels_;
  }
  return {arena_->parents.data(), arena_->parents.size()};
}

template <class Label>
connected_components<Label>::connected_components(const graph::locale_graph& g, std::span<Label> labels)
    : graph_(g), part_(g.my_part()), labels_(labels), arena_(make_arena(g)), local_(g, parents()) {
  CHECK_EQ(labels.size(), g.own);
  CHECK(g.vertices <= std::uint64_t{std::numeric_limits<Label>::max()}) << g.vertices;
  if (locales() == 1) return;
  mirrors_.emplace(g, std::span(arena_->shown.data(), arena_->shown.size()));
}

template <class Label>
components_report connected_components<Label>::run() {
  const auto start = std::chrono::steady_clock::now();
  components_report report;
  local_.run();
  if (arena_) {
    start_labels();
    for (bool changed = locales() > 1; changed; ++report.exchanges) changed = exchange_labels();
    write_labels();
  }
  loops::barrier();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

// A locale's component has a label as soon as it is found: the smallest vertex number in it, mirrors'
// included.
template <class Label>
void connected_components<Label>::start_labels() {
  for (std::uint32_t v = part_.first; v < part_.last; ++v) {
    if (arena_->parents[v] == v) arena_->of_root[v] = static_cast<Label>(graph_.first_vertex + v);
  }
  loops::barrier(loops::group::locale);
  const loops::index_range mine = loops::my_part_of_locale({0, graph_.mirrors});
  for (std::size_t m = mine.first; m < mine.last; ++m)
    offer(graph_.own + static_cast<std::uint32_t>(m), static_cast<Label>(graph_.mirrored[m]));
  loops::barrier(loops::group::locale);
}

// Lowers the label of a vertex's component; true if it was larger.
template <class Label>
bool connected_components<Label>::offer(std::uint32_t vertex, Label label) {
  const std::atomic_ref<Label> now(arena_->of_root[arena_->parents[vertex]]);
  Label before = now.load(std::memory_order_relaxed);
  while (label < before) {
    if (now.compare_exchange_weak(before, label, std::memory_order_relaxed)) return true;
  }
  return false;
}

// Peers send their next labels after the reduction, when all have read the last.
template <class Label>
bool connected_components<Label>::exchange_labels() {
  for (const graph::mirror_list& list : part_.mirrored_by) {
    for (const std::uint32_t v : list.vertices) arena_->shown[v] = arena_->of_root[arena_->parents[v]];
  }
  mirrors_->start();
  mirrors_->finish();
  loops::barrier(loops::group::locale);
  const loops::index_range mine = loops::my_part_of_locale({0, graph_.mirrors});
  bool changed = false;
  for (std::size_t m = mine.first; m < mine.last; ++m) {
    const std::uint32_t mirror = graph_.own + static_cast<std::uint32_t>(m);
    changed |= offer(mirror, arena_->shown[mirror]);
  }
  return loops::all_reduce(changed ? 1 : 0) > 0;
}

template <class Label>
void connected_components<Label>::write_labels() {
  for (std::uint32_t v = part_.first; v < part_.last; ++v) labels_[v] = arena_->of_root[arena_->parents[v]];
}

template class connected_components<std::uint32_t>;
template class connected_components<std::uint64_t>;

}  // namespace orujo::algorithms
