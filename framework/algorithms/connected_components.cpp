#include "framework/algorithms/connected_components.hpp"

#include <glog/logging.h>

#include <algorithm>
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
  CHECK(g.vertices < std::uint64_t{std::numeric_limits<Label>::max()}) << g.vertices;
  if (locales() == 1) return;
  mirrors_.emplace(g, std::span(arena_->shown.data(), arena_->shown.size()));
}

template <class Label>
components_report connected_components<Label>::run() {
  const auto start = std::chrono::steady_clock::now();
  components_report report;
  local_.sample();
  if (locales() == 1) {
    run_alone();
  } else {
    report.exchanges = run_between_locales();
  }
  loops::barrier();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

// Places are vertex numbers, and roots the smallest vertices of their trees.
template <class Label>
void connected_components<Label>::run_alone() {
  auto giant = static_cast<std::uint32_t>(loops::broadcast(
      leads_locale() ? local_.most_frequent([](std::uint32_t root) { return root; }) : 0, 0));
  const auto is_giant = [&](std::uint32_t root) {
    if (root != giant) giant = local_.trees().root(giant);  // it may have been joined meanwhile
    return root == giant;
  };
  if (local_.join_rest(is_giant)) local_.compress();
  if (!arena_) return;
  for (std::uint32_t v = part_.first; v < part_.last; ++v) labels_[v] = arena_->parents[v];
}

// Two vertices of one label are of one component at any time, as it names a vertex of it: what has the most
// frequent label after one exchange needs no further proof. The trees of the giant component stay known, as
// their roots stay roots where they meet others.
template <class Label>
int connected_components<Label>::run_between_locales() {
  for (const graph::mirror_list& list : part_.mirrored_by) {
    for (const std::uint32_t v : list.vertices) {
      const std::uint32_t root = local_.places().local_at(local_.trees().root(local_.places().place_of(v)));
      arena_->shown[v] = static_cast<Label>(graph_.number_of(root) + 1);
    }
  }
  exchange_shown();
  const Label giant = frequent_label();
  const auto is_giant = [&](std::uint32_t root) { return shown_label(root) == giant; };
  local_.join_rest(is_giant, [&](std::uint32_t a, std::uint32_t b) {
    const bool a_stays = is_giant(a);
    return a_stays != is_giant(b) ? a_stays : a < b;
  });
  start_labels(giant);
  show_all();
  exchange_shown();
  take_all();
  int exchanges = 2;
  for (; show_news(); ++exchanges) {
    exchange_shown();
    take_news();
  }
  write_labels();
  return exchanges;
}

// What is known of a tree after the first exchange.
template <class Label>
Label connected_components<Label>::shown_label(std::uint32_t root) const {
  const std::uint32_t local = local_.places().local_at(root);
  return local < graph_.own ? static_cast<Label>(graph_.first_vertex + local + 1) : arena_->shown[local];
}

// Most likely that of the job's largest component.
template <class Label>
Label connected_components<Label>::frequent_label() const {
  ballot mine;
  if (leads_locale() && graph_.own > 0) {
    const auto shown = [&](std::uint32_t root) { return std::uint64_t{shown_label(root)}; };
    mine = {static_cast<Label>(local_.most_frequent(shown)), graph_.own};
  }
  const auto better = [](const ballot& a, const ballot& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.label < b.label;
  };
  return loops::all_reduce(mine, [&](const ballot& a, const ballot& b) { return better(b, a) ? b : a; })
      .label;
}

// Of the trees as they are when all edges have joined them, but for what is known of mirrors that are no
// roots: that comes with the next exchange.
template <class Label>
void connected_components<Label>::start_labels(Label giant) {
  const auto start = [&](std::uint32_t local) {
    const std::uint32_t place = local_.places().place_of(local);
    const Label shown = shown_label(place);
    arena_->of_root[place] = shown == giant ? of_giant : shown;
  };
  const loops::index_range mirrors = loops::my_part_of_locale({graph_.own, graph_.own + graph_.mirrors});
  for (std::uint32_t v = part_.first; v < part_.last; ++v) start(v);
  for (std::size_t m = mirrors.first; m < mirrors.last; ++m) start(static_cast<std::uint32_t>(m));
  loops::barrier(loops::group::locale);
}

// By start_labels() or later.
template <class Label>
Label connected_components<Label>::label_of(std::uint32_t own_vertex) {
  return arena_->of_root[local_.trees().root(local_.places().place_of(own_vertex))];
}

template <class Label>
void connected_components<Label>::exchange_shown() {
  mirrors_->start();
  mirrors_->finish();
  loops::barrier(loops::group::locale);
}

template <class Label>
void connected_components<Label>::show_all() {
  to_show_.clear();
  for (const graph::mirror_list& list : part_.mirrored_by) {
    for (const std::uint32_t v : list.vertices) {
      arena_->shown[v] = label_of(v);
      if (arena_->shown[v] != of_giant) to_show_.push_back(v);
    }
  }
}

// False if there is nothing new for anybody.
template <class Label>
bool connected_components<Label>::show_news() {
  int news = 0;
  for (const std::uint32_t v : to_show_) {
    const Label label = label_of(v);
    if (label != arena_->shown[v]) news = 1;
    arena_->shown[v] = label;
  }
  return loops::all_reduce(news) > 0;
}

template <class Label>
void connected_components<Label>::take_all() {
  to_take_.clear();
  const loops::index_range mine = loops::my_part_of_locale({graph_.own, graph_.own + graph_.mirrors});
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    const auto mirror = static_cast<std::uint32_t>(k);
    lower(mirror);
    if (arena_->shown[mirror] != of_giant) to_take_.push_back(mirror);
  }
  loops::barrier(loops::group::locale);
}

template <class Label>
void connected_components<Label>::take_news() {
  for (const std::uint32_t mirror : to_take_) lower(mirror);
  loops::barrier(loops::group::locale);
}

// The label of a mirror's tree to what the mirror's owner has shown.
template <class Label>
void connected_components<Label>::lower(std::uint32_t mirror) {
  const Label shown = arena_->shown[mirror];
  const std::atomic_ref<Label> label(arena_->of_root[local_.trees().root(local_.places().place_of(mirror))]);
  Label before = label.load(std::memory_order_relaxed);
  while (shown < before && !label.compare_exchange_weak(before, shown, std::memory_order_relaxed)) {
  }
}

template <class Label>
void connected_components<Label>::write_labels() {
  std::uint32_t first = part_.first;
  while (first < part_.last && label_of(first) != of_giant) ++first;
  const auto of_giants_first =
      static_cast<Label>(loops::all_reduce(first < part_.last ? graph_.first_vertex + first : graph_.vertices,
                                           [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }));
  for (std::uint32_t v = part_.first; v < part_.last; ++v) {
    const Label label = label_of(v);
    labels_[v] = label == of_giant ? of_giants_first : label - 1;
  }
}

template class connected_components<std::uint32_t>;
template class connected_components<std::uint64_t>;

}  // namespace orujo::algorithms
