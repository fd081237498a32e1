#include "framework/algorithms/connected_components.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <limits>
#include <utility>

#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::algorithms {

namespace {

bool is_mirrored_everywhere(const graph::locale_graph& g) {
  for (locale_id l = 0; l < locales(); ++l) {
    const auto mirrors = [l](const graph::core_part& part) { return !part.mirrored_by[l].vertices.empty(); };
    if (l != my_locale() && std::ranges::none_of(g.parts, mirrors)) return false;
  }
  return true;
}

}  // namespace

template <class Label>
connected_components<Label>::arena::arena(const graph::locale_graph& g)
    : parents(std::size_t{g.own} + g.mirrors) {
  if (locales() == 1) return;
  of_root = machine::huge_array<Label>(parents.size());
  shown = machine::huge_array<Label>(parents.size());
  for (graph::bit_set& exchanged : in_giant) exchanged = graph::bit_set(parents.size());
  mirrored = graph::bit_set(g.own);
  for (const graph::core_part& part : g.parts) {
    for (const graph::mirror_list& list : part.mirrored_by) {
      for (const std::uint32_t v : list.vertices) mirrored.set(v);
    }
  }
}

template <class Label>
auto connected_components<Label>::make_arena(const graph::locale_graph& g) -> std::shared_ptr<arena> {
  if (std::same_as<Label, std::uint32_t> && locales() == 1) return nullptr;
  return collectives::share_on_locale<arena>([&] { return std::make_shared<arena>(g); });
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
    : graph_(graph::require_forms(g, {.in_rows = true, .out_rows = true}, "connected_components:")),
      part_(g.my_part()),
      labels_(g.own_values(labels)),
      arena_(make_arena(g)),
      local_(g, parents()) {
  CHECK(g.vertices < std::uint64_t{std::numeric_limits<Label>::max()}) << g.vertices;
  if (!arena_) return;
  const std::size_t first = places().own_place(part_.first), last = places().own_place(part_.last);
  machine::place_here(arena_->parents.part(first, last));
  if (locales() == 1) return;
  machine::place_here(arena_->of_root.part(first, last));
  machine::place_here(arena_->shown.part(part_.first, part_.last));
  mirrors_.emplace(g, std::span(arena_->shown.data(), arena_->shown.size()));
  bits_.emplace(g, exchange::told_sets::growing);
  all_meet_ = collectives::all_reduce(is_mirrored_everywhere(g) ? 0 : 1) == 0;
}

template <class Label>
components_report connected_components<Label>::run() {
  const auto start = std::chrono::steady_clock::now();
  components_report report;
  if (locales() == 1) {
    local_.sample();
    run_alone();
  } else {
    report.exchanges = run_between_locales();
  }
  collectives::barrier();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

// Places are vertex numbers, and roots the smallest vertices of their trees. As long as the giant's tree
// keeps its root, only vertices outside of it can get another root.
template <class Label>
void connected_components<Label>::run_alone() {
  const auto giant =
      static_cast<std::uint32_t>(collectives::broadcast(leads_locale() ? local_.guess_largest().root : 0, 0));
  const forest trees = local_.trees();
  const auto compress = [trees](std::uint32_t v, std::uint32_t root) {
    if (trees.parent(v) != root) trees.set_parent(v, root);
  };
  local_.sort_out(giant, compress, [](std::uint32_t, std::uint32_t, graph::bit_set::word) {});
  const auto is_giants = [&](std::uint32_t v) { return !local_.outside().test(v); };
  if (local_.join_outside(giant, is_giants)) {
    if (trees.root(giant) != giant) {
      local_.compress();
    } else {
      local_.outside().for_each_between(part_.first, part_.last, [&](std::size_t index) {
        const auto v = static_cast<std::uint32_t>(index);
        compress(v, trees.root(v));
      });
    }
  }
  if (!arena_) return;
  collectives::barrier(collectives::group::locale);
  for (std::uint32_t v = part_.first; v < part_.last; ++v) labels_[v] = arena_->parents[v];
}

// No locale examines an edge between two vertices of the giant component. The owner of an end that is outside
// examines any other edge: the other end's mirror joins the same tree, and its label says which component it
// is in.
template <class Label>
int connected_components<Label>::run_between_locales() {
  forget();
  local_.sample();
  elect();
  const int of_bits = spread_giant() + 1;
  sort_out();
  exchange_bits(1);
  join_outside();
  collect_rest();
  int exchanges = of_bits;
  for (; show_labels(); ++exchanges) {
    if (exchanges == of_bits) mirrors_->assume(of_giant);
    exchange_labels();
    take_labels();
  }
  write_labels();
  return exchanges;
}

// Locales learn of the giant from those that they mirror vertices of, one after the other, until all know it
// or none has learned of it. Returns the number of exchanges.
template <class Label>
int connected_components<Label>::spread_giant() {
  for (int exchanges = 1;; ++exchanges) {
    const bool knew = giant_root_ != nowhere;
    exchange_bits(0);
    plant_giant();
    if (all_meet_) return exchanges;
    const bool knows = giant_root_ != nowhere;
    const auto [unaware, learned] =
        collectives::all_reduce(std::array{knows ? 0 : 1, knows && !knew ? 1 : 0});
    if (unaware == 0 || learned == 0) return exchanges;
    if (!knew && knows) show_some();
  }
}

template <class Label>
void connected_components<Label>::forget() {
  for (graph::bit_set& exchanged : arena_->in_giant) {
    const index_range words = my_part_of_locale({0, exchanged.size_in_words()});
    exchanged.clear(words.first, words.last);
  }
  bits_->forget();
  giant_root_ = nowhere;
  rest_.clear();
  to_show_.clear();
  to_take_.clear();
}

// Chooses the tree that is most likely to be in the job's largest component. If it is also the locale's
// largest, mirrored vertices in it are shown, except some that are deep in it.
template <class Label>
void connected_components<Label>::elect() {
  const local_components::largest_tree largest = local_.guess_largest();
  ballot mine;
  if (leads_locale() && largest.vertices > 0)
    mine = {graph_.number_of(local_.places().local_at(largest.root)), largest.vertices};
  const auto better = [](const ballot& a, const ballot& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.vertex < b.vertex;
  };
  giant_ = collectives::all_reduce(mine, [&](const ballot& a, const ballot& b) {
             return better(b, a) ? b : a;
           }).vertex;
  if (const auto local = graph_.local_of(giant_)) giant_root_ = root_of(*local);
  if (giant_root_ != nowhere && giant_root_ == largest.root) show_some();
}

template <class Label>
void connected_components<Label>::show_some() {
  graph::bit_set& shown = arena_->in_giant[0];
  const forest trees = local_.trees();
  const tree_places places = local_.places();
  const std::span<const graph::bit_set::word> mirrored = arena_->mirrored.words();
  const index_range words = my_part_of_locale({0, mirrored.size()});
  for (std::size_t w = words.first; w < words.last; ++w) {
    graph::bit_set::word found = 0;
    for (graph::bit_set::word left = mirrored[w]; left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      const auto v =
          static_cast<std::uint32_t>(w * graph::bit_set::word_bits + static_cast<std::size_t>(bit));
      const bool is_giants = trees.near_root(places.own_place(v)) == giant_root_;
      found |= graph::bit_set::word{is_giants} << bit;
    }
    if (found != 0) shown.shared_merge(w, found);
  }
}

// Sends new bits to mirrors. If a locale does not know the giant's tree, any mirror with a bit stands for it.
template <class Label>
void connected_components<Label>::exchange_bits(int which) {
  collectives::barrier(collectives::group::locale);
  const std::span<exchange::bit_word> members = arena_->in_giant[static_cast<std::size_t>(which)].words();
  bits_->send(members);
  bits_->meet();
  bits_->await({.members = members});
  collectives::barrier(collectives::group::locale);
  if (giant_root_ != nowhere) return;
  arena_->in_giant[static_cast<std::size_t>(which)].for_each_between(
      graph_.own, std::size_t{graph_.own} + graph_.mirrors, [&](std::size_t mirror) {
        if (giant_root_ == nowhere) giant_root_ = root_of(static_cast<std::uint32_t>(mirror));
      });
  collectives::barrier(collectives::group::locale);
}

// Joins the trees of the giant's mirrors. Only roots change here, all in the same way, which requires no
// atomic operations.
template <class Label>
void connected_components<Label>::plant_giant() {
  const index_range mirrors = my_part_of_locale({graph_.own, graph_.own + graph_.mirrors});
  arena_->in_giant[0].for_each_between(mirrors.first, mirrors.last, [&](std::size_t mirror) {
    const std::uint32_t root = root_of(static_cast<std::uint32_t>(mirror));
    if (root != giant_root_) local_.trees().set_parent(root, giant_root_);
  });
  collectives::barrier(collectives::group::locale);
}

// Labels the giant's vertices giant_, which is mostly their final label.
template <class Label>
void connected_components<Label>::sort_out() {
  const auto start_labels = [labels = labels_.data(), giant = static_cast<Label>(giant_),
                             first_vertex = static_cast<Label>(graph_.first_vertex)](
                                std::uint32_t first, std::uint32_t last, graph::bit_set::word others) {
    if (others == 0) {
      std::fill(labels + first, labels + last, giant);
      return;
    }
    for (std::uint32_t v = first; v < last; ++v) {
      const Label own = first_vertex + static_cast<Label>(v);
      // Not a branch, which would be unpredictable.
      const auto is_other = static_cast<Label>(Label{0} - static_cast<Label>(others >> (v - first) & 1));
      labels[v] = giant ^ ((own ^ giant) & is_other);
    }
  };
  local_.sort_out(
      giant_root_, [](std::uint32_t, std::uint32_t) {}, start_labels);
  // A vertex that is not outside is the giant's, or has no mirrors.
  const std::span<const graph::bit_set::word> outside = local_.outside().words();
  const index_range words = my_part_of_locale({0, outside.size()});
  for (std::size_t w = words.first; w < words.last; ++w) {
    const std::size_t wide = std::min(graph_.own - w * graph::bit_set::word_bits, graph::bit_set::word_bits);
    const graph::bit_set::word own = ~graph::bit_set::word{0} >> (graph::bit_set::word_bits - wide);
    arena_->in_giant[1].shared_merge(w, ~outside[w] & own);
  }
  collectives::barrier(collectives::group::locale);
}

template <class Label>
void connected_components<Label>::join_outside() {
  const auto is_giants = [&](std::uint32_t local) { return arena_->in_giant[1].shared_test(local); };
  local_.join_outside(giant_root_, is_giants, [giant = giant_root_](std::uint32_t a, std::uint32_t b) {
    return a == giant || (b != giant && a < b);
  });
}

// Collects own vertices still outside of the giant's tree, and the mirrors in trees with them, their
// neighbours. These mirrors have no bit yet, and get one, so that each is taken once.
template <class Label>
void connected_components<Label>::collect_rest() {
  graph::bit_set& taken = arena_->in_giant[1];
  const auto start_label = [&](std::uint32_t local) {
    arena_->of_root[local_.places().place_of(local)] = static_cast<Label>(graph_.number_of(local) + 1);
  };
  local_.outside().for_each_between(part_.first, part_.last, [&](std::size_t index) {
    const auto v = static_cast<std::uint32_t>(index);
    if (root_of(v) == giant_root_) {
      labels_[v] = static_cast<Label>(giant_);
      return;
    }
    rest_.push_back(v);
    start_label(v);
    arena_->shown[v] = of_giant;
    if (arena_->mirrored.test(v)) to_show_.push_back(v);
    local_.visit_neighbours(v, [&](std::uint32_t neighbour) {
      if (neighbour >= graph_.own && taken.shared_set(neighbour)) {
        start_label(neighbour);
        to_take_.push_back(neighbour);
      }
      return true;
    });
  });
  if (leads_locale() && giant_root_ != nowhere) arena_->of_root[giant_root_] = of_giant;
  collectives::barrier(collectives::group::locale);
}

// Used by collect_rest() and later functions.
template <class Label>
Label connected_components<Label>::label_of(std::uint32_t local) const {
  return std::atomic_ref(arena_->of_root[root_of(local)]).load(std::memory_order_relaxed);
}

// Returns false if no core has a new label.
template <class Label>
bool connected_components<Label>::show_labels() {
  news_.clear();
  for (const std::uint32_t v : to_show_) {
    const Label label = label_of(v);
    if (label == arena_->shown[v]) continue;
    arena_->shown[v] = label;
    news_.push_back(v);
  }
  return collectives::all_reduce(news_.empty() ? 0 : 1) > 0;
}

// Mirrors of vertices that no core lists are the giant's.
template <class Label>
void connected_components<Label>::exchange_labels() {
  mirrors_->start(news_);
  mirrors_->finish();
  collectives::barrier(collectives::group::locale);
}

// Lowers the labels of mirrors' trees to those that the mirrors' owners have shown. A mirror shown as the
// giant's keeps that label.
template <class Label>
void connected_components<Label>::take_labels() {
  std::erase_if(to_take_, [&](std::uint32_t mirror) {
    const Label shown = arena_->shown[mirror];
    const std::atomic_ref<Label> label(arena_->of_root[root_of(mirror)]);
    Label before = label.load(std::memory_order_relaxed);
    while (shown < before && !label.compare_exchange_weak(before, shown, std::memory_order_relaxed)) {
    }
    return shown == of_giant || before == of_giant;
  });
  collectives::barrier(collectives::group::locale);
}

template <class Label>
void connected_components<Label>::write_labels() {
  const std::span<Label> mine = part_.of(labels_);
  for (const std::uint32_t v : rest_)
    labels_[v] = label_of(v) == of_giant ? static_cast<Label>(giant_) : label_of(v) - 1;
  const auto found = std::ranges::find(mine, static_cast<Label>(giant_)) - mine.begin();
  std::uint64_t first = found == std::ssize(mine)
                            ? graph_.vertices
                            : graph_.first_vertex + part_.first + static_cast<std::uint64_t>(found);
  first = collectives::all_reduce(first, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  if (first == giant_) return;
  // All labels are written without a test, so that many can be written at once.
  for (Label& label : mine) label = label == static_cast<Label>(giant_) ? static_cast<Label>(first) : label;
}

template class connected_components<std::uint32_t>;
template class connected_components<std::uint64_t>;

}  // namespace orujo::internal::algorithms
