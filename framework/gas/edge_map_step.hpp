// One core's part of an edge map (edge_map.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/gas/edge_map_arena.hpp"
#include "framework/gas/edge_map_pull.hpp"
#include "framework/gas/edge_map_task.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/graph/vertex_set.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/isa.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::gas::detail {

template <class Visitor>
class edge_map_step {
 protected:
  using value = typename Visitor::value;
  using combine = std::remove_cvref_t<decltype(Visitor::combine)>;
  using arena = edge_map_arena<value, combine>;
  using bit_set = graph::bit_set;

 public:
  edge_map_step(const edge_map_task& task, const Visitor& visitor)
      : graph_(task.graph.here()),
        home_(task.from.graph.here()),
        task_(task),
        options_(task.options),
        visitor_(visitor),
        from_(task.from.here()),
        to_(task.to.here()),
        out_of_(task.out_of ? &task.out_of->here().mask : nullptr),
        arena_(arena::of(graph_)),
        me_(arena_->mine()),
        alone_(my_locales_cores() == 1) {}
  edge_map_step(const edge_map_step&) = delete;

  // [task] Called by one task, on one locale, for a small set that has lists.
  edge_map_outcome push_alone() {
    observe::step_scope step("push", task_.state.size.vertices, task_.state.size.out_edges);
    step.went_alone();
    alone_ = true;
    for (set_list& list : to_.lists) list.vertices.clear();
    expect_push();
    const steps::edges_to_own edges(graph_, !takes_any<Visitor>);
    machine::compiled_for(options_.simd, [&] {
      for (const set_list& list : from_.lists) {
        if (list.vertices.empty()) continue;
        steps::push_from(list.vertices, edges, fetch_total(),
                         [&](std::uint32_t v) { return push_of(first_shown_by(v)); });
      }
      tell_candidates();
    });
    set_state to{visit_touched(false), false, true};
    if (to.size.vertices == 0) to.has_lists = false;
    return {task_.state, to};
  }

  // [task; suspends; collective over the job] Sizes in the outcome are this core's parts.
  edge_map_outcome run() {
    edge_map_outcome outcome{task_.state, {}};
    if (out_of_) make_mask(home_, task_.out_of->here(), task_.out_of_state);
    const set_size to_go = size_along();
    if (pushes(graph_, task_, to_go)) {
      const observe::trace_scope traced("push", to_go.vertices);
      const observe::step_scope step("push", to_go.vertices, to_go.out_edges);
      make_lists(graph_, from_, task_.state);
      outcome.from.has_lists = true;
      outcome.to = push(to_go);
    } else {
      const observe::trace_scope traced("pull", to_go.vertices);
      const observe::step_scope step("pull", to_go.vertices);
      make_mask(graph_, from_, task_.state);
      outcome.from.has_mask = true;
      outcome.to = pull();
    }
    return outcome;
  }

 protected:
  static constexpr std::size_t batch = 64;  // targets that a core handles at a time
  static constexpr std::size_t degrees_ahead = 16;
  // A push along more edges than this for each word of a mask makes one.
  static constexpr std::uint64_t edges_of_word = 4;

  // Members push to own vertices while other locales receive the list of members. Then mirrors of other
  // locales' members push.
  set_state push(const set_size& from) {
    const bool with_mask = from.out_edges / edges_of_word > bit_set::words_for(graph_.vertices);
    if (!with_mask) expect_push();
    make_push();
    if (locales() > 1) tell_mirrors_of_lists();
    me_.push->push_lists(lists_of_members(), *me_.edges, fetch_total(),
                         [this](std::uint32_t v) { return push_of(first_shown_by(v)); });
    if (locales() > 1) {
      me_.push->meet();
      me_.edges->know_mirrors();
      me_.push->push_mirrors(*me_.edges,
                             [this](std::uint32_t m) { return push_of(arena_->shown_by(graph_, m)); });
    }
    tell_candidates();
    collectives::barrier(collectives::group::locale);
    me_.push->finish();
    to_.my_list().clear();
    const set_size visited = visit_touched(with_mask);
    if (with_mask) move_touched_to_mask();
    return {visited, with_mask, true};
  }
  std::vector<std::span<const std::uint32_t>> lists_of_members() const {
    std::vector<std::span<const std::uint32_t>> lists;
    for (const set_list& list : from_.lists) lists.emplace_back(list.vertices);
    return lists;
  }
  // [task; suspends; collective over the job] The size of `from`, with its edges in the direction of the
  // step.
  set_size size_along() const {
    set_size size = task_.state.size;
    if (&graph_ == &home_) return size;
    size.out_edges = 0;
    for_each_of_mine(home_, from_, task_.state,
                     [&](std::uint32_t v) { size.out_edges += graph_.out_degree[v]; });
    size.out_edges = collectives::all_reduce(size.out_edges);
    return size;
  }
  auto fetch_total() const {
    return [totals = arena_->totals.data()](std::uint32_t target) {
      if constexpr (!takes_any<Visitor>) __builtin_prefetch(totals + target, 1);
    };
  }

  // [task; suspends; collective over the job]
  void make_push() {
    if (locales() > 1) {
      if (leads_locale()) arena_->make_shown(graph_);
      collectives::barrier(collectives::group::locale);
    }
    if (!me_.push) me_.push.emplace(graph_, arena_->shares, told_shown(), options_.codec);
    if (!me_.edges && graph_.out_rows) me_.edges.emplace(graph_, !takes_any<Visitor>);
    if (locales() > 1) me_.push->between_locales().set_codec(options_.codec);
  }
  // The array for the values of mirrors; null if members send their index only.
  auto* told_shown() {
    if constexpr (arena::tells_who)
      return static_cast<exchange::no_value*>(nullptr);
    else
      return arena_->shown.data();
  }
  // Returns what other locales receive for an own member.
  auto told_by(std::uint32_t v) const {
    if constexpr (arena::tells_who)
      return exchange::no_value{};
    else
      return arena_->shown[v];
  }
  void tell_mirrors_of_lists() {
    if constexpr (!arena::tells_who) {
      for (const std::uint32_t v : from_.my_list()) arena_->shown[v] = visitor_.show(vertex_at(graph_, v));
      collectives::barrier(collectives::group::locale);
    }
    me_.push->tell(lists_of_members(), [this](std::uint32_t v) { return told_by(v); });
  }

  // On several locales tell_mirrors_of_lists() has stored the value.
  value first_shown_by(std::uint32_t v) const {
    if constexpr (!arena::tells_who) {
      if (locales() == 1) return visitor_.show(vertex_at(graph_, v));
    }
    return arena_->shown_by(graph_, v);
  }

  // Returns the function that is called for each edge of a member with this value. Targets are candidates
  // first, and are handled in batches, so that the processor has several cache misses under way.
  auto push_of(const value& shown) {
    return [this, shown](std::uint32_t target, float weight) {
      if (out_of_ && !out_of_->test(target)) return;
      if constexpr (takes_any<Visitor>) {
        if (arena_->touched.shared_test(target)) return;
        if (!alone_) arena_->fetch_touched(target);
      }
      if (offsets_) __builtin_prefetch(offsets_ + target);
      candidates_[count_++] = {target, arena::kept(along(visitor_, shown, weight))};
      if (count_ == batch) tell_candidates();
    };
  }

  // Candidates for which wants() returns false are removed first, without an unpredictable branch.
  void tell_candidates() {
    std::size_t kept = count_;
    if constexpr (wants_some<Visitor>) {
      kept = 0;
      for (std::size_t k = 0; k < count_; ++k) {
        const typename arena::contribution c = candidates_[k];
        candidates_[kept] = c;
        kept += wants(visitor_, vertex_at(graph_, c.vertex)) ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < kept; ++k)
      arena_->add(alone_, candidates_[k].vertex, candidates_[k].total, me_);
    count_ = 0;
  }

  // Returns this core's part of the result, which is a list. A result with a mask also keeps the bits of its
  // members in arena_->touched, for move_touched_to_mask(). Bits are changed in loops of their own: an atomic
  // operation waits for all that visit() has stored, often a cache miss for each vertex.
  set_size visit_touched(bool with_mask) {
    set_size size;
    std::vector<std::uint32_t>& result = to_.my_list();
    const std::size_t before = result.size();
    const std::span<const typename arena::listener> all(me_.touched);
    machine::compiled_for(options_.simd, [&] {
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!offsets_)
          __builtin_prefetch(&home_.out_degree[all[std::min(k + degrees_ahead, all.size() - 1)].vertex]);
        const std::uint32_t v = all[k].vertex;
        // No core reads the word any more, and all that write it write 0.
        if (!with_mask)
          std::atomic_ref(arena_->touched.words()[bit_set::word_of(v)]).store(0, std::memory_order_relaxed);
        const value total = arena_->take_heard(graph_, all[k]);
        const vertex target = vertex_at(graph_, v);
        if (same(total, identity_of<Visitor>()) || !visitor_.visit(target, total)) {
          if (with_mask) me_.refused.push_back(v);
          continue;
        }
        result.push_back(v);
        size = size + set_size{1, degree_of(v)};
      }
    });
    me_.touched.clear();
    if (with_mask)
      remove_from(arena_->touched, me_.refused);
    else if (out_of_)
      remove_from(*out_of_, std::span(result).subspan(before));
    me_.refused.clear();
    return size;
  }

  // Small pushes are mostly followed by pushes, which read the offsets of rows. So targets' offsets are
  // fetched, and degrees are read from there.
  void expect_push() {
    if (home_.out_rows) offsets_ = home_.out_rows->offsets.data();
  }
  std::uint64_t degree_of(std::uint32_t v) const {
    return offsets_ ? offsets_[v + 1] - offsets_[v] : home_.out_degree[v];
  }

  void remove_from(bit_set& set, std::span<const std::uint32_t> vertices) const {
    for (const std::uint32_t v : vertices) alone_ ? set.reset(v) : set.shared_reset(v);
  }
  // [task; suspends; collective over the locale] Each core writes words of its own. If it wrote bits
  // of its vertices, lines would move from core to core.
  void move_touched_to_mask() {
    collectives::barrier(collectives::group::locale);
    const index_range words = my_words(graph_);
    for (std::size_t w = words.first; w < words.last; ++w) {
      const bit_set::word members = std::exchange(arena_->touched.words()[w], 0);
      to_.mask.words()[w] = members;
      if (out_of_) out_of_->words()[w] &= ~members;
    }
  }

  set_state pull() {
    edge_map_pull<Visitor> rows(task_, visitor_, *arena_, from_, to_, out_of_);
    if (leads_locale()) rows.prepare_locale();
    collectives::barrier(collectives::group::locale);
    rows.prepare();
    if (locales() > 1) tell_mirrors_of_mask();
    collectives::barrier(collectives::group::locale);
    return {rows.run(), true, false};
  }

  // [task; suspends; collective over the job] Adds the mirrors of members to the mask.
  void tell_mirrors_of_mask() {
    make_push();
    const bit_set& mask = from_.mask;
    const std::size_t first = bit_set::words_for(graph_.own);
    const index_range mirrors = my_part_of_locale({first, mask.size_in_words()});
    from_.mask.clear(mirrors.first, mirrors.last);
    if (leads_locale() && graph_.own % bit_set::word_bits != 0)
      from_.mask.shared_remove(first - 1, ~own_bits(graph_, first - 1));
    me_.push->between_locales().send(mask.words(), [this](std::uint32_t v) { return told_by(v); });
    me_.push->meet();
    me_.push->between_locales().await({.members = mask.words(), .shown = told_shown()});
  }

  const graph::locale_graph& graph_;
  const graph::locale_graph& home_;  // of the sets: graph_, or the graph whose transpose it is
  const edge_map_task& task_;
  const edge_map_options& options_;
  Visitor visitor_;
  set_part& from_;
  set_part& to_;
  bit_set* const out_of_;  // the mask of the vertices that may be visited, or null for all
  const std::shared_ptr<arena> arena_;
  typename arena::core& me_;
  const std::uint64_t* offsets_ = nullptr;  // expect_push()
  bool alone_;                              // no other core works on the arrays of this locale
  typename arena::contribution candidates_[batch];
  std::size_t count_ = 0;
};

}  // namespace orujo::internal::gas::detail
