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
#include "framework/gas/edge_map_task.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/graph/vertex_set.hpp"
#include "framework/steps/row_pull.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/loops/collectives.hpp"
#include "system/machine/isa.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::gas::detail {

template <class Visitor>
class edge_map_step {
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
        me_(arena_->mine()) {}
  edge_map_step(const edge_map_step&) = delete;

  // [task] By one task, on one locale: small sets, whose lists are there.
  edge_map_outcome push_alone() {
    observe::step_scope step("push", task_.state.size.vertices, task_.state.size.out_edges);
    step.went_alone();
    for (set_list& list : to_.lists) list.vertices.clear();
    const steps::edges_to_own edges(graph_, !takes_any<Visitor>);
    machine::compiled_for(options_.simd, [&] {
      for (const set_list& list : from_.lists)
        for (const std::uint32_t v : list.vertices)
          edges.from_vertex(v, fetch_total(), push_of<true>(first_shown_by(v)));
      tell_candidates<true>();
    });
    set_state to{visit_touched<true>(), false, true};
    if (to.size.vertices == 0) to.has_lists = false;
    return {task_.state, to};
  }

  // [task; suspends; collective over the job] The outcome's sizes are this core's parts.
  edge_map_outcome run() {
    edge_map_outcome outcome{task_.state, {}};
    if (out_of_) make_mask(home_, task_.out_of->here(), task_.out_of_state);
    set_size to_go = task_.state.size;
    if (&graph_ != &home_) {
      to_go.out_edges = 0;
      for_each_of_mine(home_, from_, task_.state,
                       [&](std::uint32_t v) { to_go.out_edges += graph_.out_degree[v]; });
      to_go.out_edges = loops::all_reduce(to_go.out_edges);
    }
    if (pushes(graph_, options_.direction, to_go)) {
      const observe::trace_scope traced("push", to_go.vertices);
      const observe::step_scope step("push", to_go.vertices, to_go.out_edges);
      make_lists(graph_, from_, task_.state);
      outcome.from.has_lists = true;
      outcome.to = push();
    } else {
      const observe::trace_scope traced("pull", to_go.vertices);
      const observe::step_scope step("pull", to_go.vertices);
      make_mask(graph_, from_, task_.state);
      outcome.from.has_mask = true;
      outcome.to = pull();
    }
    return outcome;
  }

 private:
  static constexpr std::size_t batch = 64;  // targets that a core tells at a time
  static constexpr std::size_t degrees_ahead = 16;

  // The members push to own vertices, and while other locales are told of them; then so do mirrors of members
  // of others.
  set_state push() {
    make_push();
    if (locales() > 1) tell_mirrors_of_lists();
    me_.push->push_lists(lists_of_members(), *me_.edges, fetch_total(),
                         [this](std::uint32_t v) { return push_of<false>(first_shown_by(v)); });
    if (locales() > 1) {
      me_.push->meet();
      me_.edges->know_mirrors();
      me_.push->push_mirrors(*me_.edges, [this](std::uint32_t m) { return push_of<false>(shown_by(m)); });
    }
    tell_candidates<false>();
    loops::barrier(loops::group::locale);
    me_.push->finish();
    to_.my_list().clear();
    return {visit_touched<false>(), false, true};
  }
  std::vector<std::span<const std::uint32_t>> lists_of_members() const {
    std::vector<std::span<const std::uint32_t>> lists;
    for (const set_list& list : from_.lists) lists.emplace_back(list.vertices);
    return lists;
  }
  auto fetch_total() const {
    return [totals = arena_->totals.data()](std::uint32_t target) {
      if constexpr (!takes_any<Visitor>) __builtin_prefetch(totals + target, 1);
    };
  }

  // [task; suspends; collective over the job]
  void make_push() {
    if (locales() > 1) {
      if (leads_locale()) make_shown();
      loops::barrier(loops::group::locale);
    }
    if (!me_.push) me_.push.emplace(graph_, arena_->shares, told_shown(), options_.codec);
    if (!me_.edges && graph_.out_rows) me_.edges.emplace(graph_, !takes_any<Visitor>);
    if (locales() > 1) me_.push->between_locales().set_codec(options_.codec);
  }
  void make_shown() {
    if (!arena::tells_who && arena_->shown.size() == 0)
      arena_->shown = machine::huge_array<value>(std::size_t{graph_.own} + graph_.mirrors);
  }
  // For what comes of mirrors; null where nothing but who.
  auto* told_shown() {
    if constexpr (arena::tells_who)
      return static_cast<exchange::no_value*>(nullptr);
    else
      return arena_->shown.data();
  }
  // What is told of an own member.
  auto told_by(std::uint32_t v) const {
    if constexpr (arena::tells_who)
      return exchange::no_value{};
    else
      return arena_->shown[v];
  }
  void tell_mirrors_of_lists() {
    if constexpr (!arena::tells_who) {
      for (const std::uint32_t v : from_.my_list()) arena_->shown[v] = visitor_.show(vertex_at(graph_, v));
      loops::barrier(loops::group::locale);
    }
    me_.push->tell(lists_of_members(), [this](std::uint32_t v) { return told_by(v); });
  }

  // What a member shows, or the mirror of one.
  value shown_by(std::uint32_t local) const {
    if constexpr (arena::tells_who)
      return source{local, &graph_};
    else
      return arena_->shown[local];
  }

  // On several locales it is known from what others are told.
  value first_shown_by(std::uint32_t v) const {
    if constexpr (!arena::tells_who) {
      if (locales() == 1) return visitor_.show(vertex_at(graph_, v));
    }
    return shown_by(v);
  }

  // What the edges of a member that shows this are gone along with. Targets are candidates first, and are
  // told many at a time, so that the processor has several misses under way.
  template <bool Alone>
  auto push_of(const value& shown) {
    return [this, shown](std::uint32_t target, float weight) {
      if (out_of_ && !out_of_->test(target)) return;
      if constexpr (takes_any<Visitor>) {
        if (Alone ? arena_->touched.test(target) : arena_->touched.shared_test(target)) return;
      }
      candidates_[count_++] = {target, arena::kept(along(visitor_, shown, weight))};
      if (count_ == batch) tell_candidates<Alone>();
    };
  }

  // First those are left out who do not want it, without a branch that nobody could foretell.
  template <bool Alone>
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
      arena_->template add<Alone>(candidates_[k].vertex, candidates_[k].total, me_);
    count_ = 0;
  }

  // Returns this core's part of the result, which is a list.
  template <bool Alone>
  set_size visit_touched() {
    set_size size;
    std::vector<std::uint32_t>& result = to_.my_list();
    const std::span<const typename arena::listener> all(me_.touched);
    machine::compiled_for(options_.simd, [&] {
      for (std::size_t k = 0; k < all.size(); ++k) {
        __builtin_prefetch(&home_.out_degree[all[std::min(k + degrees_ahead, all.size() - 1)].vertex]);
        const std::uint32_t v = all[k].vertex;
        // Nobody reads the word any more, and all who write it write this.
        std::atomic_ref(arena_->touched.words()[bit_set::word_of(v)]).store(0, std::memory_order_relaxed);
        const value total = arena_->take_heard(graph_, all[k]);
        const vertex target = vertex_at(graph_, v);
        if (same(total, identity_of<Visitor>()) || !visitor_.visit(target, total)) continue;
        result.push_back(v);
        if (out_of_) Alone ? out_of_->reset(v) : out_of_->shared_reset(v);
        size = size + set_size{1, home_.out_degree[v]};
      }
    });
    me_.touched.clear();
    return size;
  }

  set_state pull() {
    if (leads_locale()) prepare_loops();
    loops::barrier(loops::group::locale);
    if constexpr (!arena::tells_who) show_mine();
    const loops::index_range words = my_words(graph_);
    to_.mask.clear(words.first, words.last);
    if (!arena_->knows_hearing) find_hearing();
    if (locales() > 1) tell_mirrors_of_mask();
    loops::barrier(loops::group::locale);
    if (leads_locale()) arena_->knows_hearing = true;
    set_size size;
    loops::run_share(arena_->loops->loop(0), my_core_of_locale(), [&](const loops::chunk& c) {
      machine::compiled_for(options_.simd, [&] { pull_chunk(c, size); });
    });
    return {size, true, false};
  }

  void prepare_loops() {
    arena& a = *arena_;
    make_shown();
    if (!a.knows_hearing) a.hearing = bit_set(graph_.own);
    if (a.loops && a.how == options_.edges) return;
    a.how = options_.edges;
    a.loops.emplace(row_loops(graph_, my_locales_cores(), options_.edges));
  }

  void find_hearing() {
    const loops::index_range words = my_words(graph_);
    for (std::size_t w = words.first; w < words.last; ++w) {
      const auto first = static_cast<std::uint32_t>(w * bit_set::word_bits);
      const std::uint32_t last = std::min<std::uint32_t>(first + bit_set::word_bits, graph_.own);
      for (std::uint32_t v = first; v < last; ++v) {
        if (graph_.in_rows->degree(v) > 0) arena_->hearing.set(v);
      }
    }
  }

  void show_mine() {
    const loops::index_range words = my_words(graph_);
    machine::compiled_for(options_.simd, [&] {
      for (std::size_t w = words.first; w < words.last; ++w) {
        const bit_set::word members = from_.mask.words()[w] & own_bits(graph_, w);
        for (bit_set::word rest = members; rest != 0; rest &= rest - 1) {
          const std::uint32_t v = vertex_of(w, rest);
          arena_->shown[v] = visitor_.show(vertex_at(graph_, v));
        }
      }
    });
  }

  // [task; suspends; collective over the job] Mirrors of members are in the mask, too.
  void tell_mirrors_of_mask() {
    make_push();
    const bit_set& mask = from_.mask;
    const std::size_t first = bit_set::words_for(graph_.own);
    const loops::index_range mirrors = loops::my_part_of_locale({first, mask.size_in_words()});
    from_.mask.clear(mirrors.first, mirrors.last);
    if (leads_locale() && graph_.own % bit_set::word_bits != 0)
      from_.mask.shared_remove(first - 1, ~own_bits(graph_, first - 1));
    me_.push->between_locales().send(mask.words(), [this](std::uint32_t v) { return told_by(v); });
    me_.push->meet();
    me_.push->between_locales().await({.members = mask.words(), .shown = told_shown()});
  }

  // A chunk's first and last words may be another core's, too.
  void pull_chunk(const loops::chunk& c, set_size& size) {
    const row_range rows = rows_of_chunk(*graph_.in_rows, graph_.own, c);
    if (rows.first >= rows.last) return;
    std::uint32_t parents[bit_set::word_bits];
    const std::size_t last = bit_set::words_for(rows.last);
    bit_set::word next = looking_in(bit_set::word_of(rows.first), rows);
    for (std::size_t w = bit_set::word_of(rows.first); w < last; ++w) {
      const bit_set::word looking = next;
      if (w + 1 < last) next = looking_in(w + 1, rows);
      if (looking == 0) continue;
      bit_set::word found;
      if constexpr (takes_any<Visitor>) {
        found = pull_any(w, looking, parents);
      } else {
        found = pull_all(w, looking);
      }
      if (found == 0) continue;
      to_.mask.shared_merge(w, found);
      if (out_of_) out_of_->shared_remove(w, found);
      for (bit_set::word rest = found; rest != 0; rest &= rest - 1)
        size = size + set_size{1, home_.out_degree[vertex_of(w, rest)]};
    }
  }

  // Those of word w that want to be visited and may hear something; their rows are fetched.
  bit_set::word looking_in(std::size_t w, const row_range& rows) const {
    const auto begin = static_cast<std::uint32_t>(w * bit_set::word_bits);
    bit_set::word looking = arena_->hearing.words()[w];
    if (rows.first > begin) looking &= ~bit_set::word{0} << (rows.first - begin);
    if (rows.last - begin < bit_set::word_bits) looking &= (bit_set::word{1} << (rows.last - begin)) - 1;
    if (out_of_) looking &= out_of_->shared_word(w);
    if constexpr (wants_some<Visitor>) {
      bit_set::word wanting = 0;
      for (bit_set::word rest = looking; rest != 0; rest &= rest - 1) {
        const bool wanted = visitor_.wants(vertex_at(graph_, vertex_of(w, rest)));
        wanting |= wanted ? rest & -rest : 0;
      }
      looking = wanting;
    }
    steps::fetch_rows(*graph_.in_rows, w, looking);
    return looking;
  }

  static std::uint32_t vertex_of(std::size_t w, bit_set::word rest) {
    return static_cast<std::uint32_t>(w * bit_set::word_bits) +
           static_cast<std::uint32_t>(std::countr_zero(rest));
  }

  // Both return those that are members of the result.
  bit_set::word pull_any(std::size_t w, bit_set::word looking, std::uint32_t* parents) {
    const bit_set::word children = steps::pull_word(*graph_.in_rows, from_.mask, w, looking, parents);
    bit_set::word found = 0;
    for (bit_set::word rest = children; rest != 0; rest &= rest - 1) {
      const std::uint32_t v = vertex_of(w, rest);
      value total = along(visitor_, shown_by(parents[std::countr_zero(rest)]), 1.0f);
      if (same(total, identity_of<Visitor>())) [[unlikely]]
        total = first_told_to(v);
      if (same(total, identity_of<Visitor>()) || !visitor_.visit(vertex_at(graph_, v), total)) continue;
      found |= rest & -rest;
    }
    return found;
  }
  value first_told_to(std::uint32_t v) const {
    for (const std::uint32_t in_neighbour : graph_.in_rows->of(v)) {
      if (!from_.mask.test(in_neighbour)) continue;
      const value told = along(visitor_, shown_by(in_neighbour), 1.0f);
      if (!same(told, identity_of<Visitor>())) return told;
    }
    return identity_of<Visitor>();
  }

  bit_set::word pull_all(std::size_t w, bit_set::word looking) {
    bit_set::word found = 0;
    for (bit_set::word rest = looking; rest != 0; rest &= rest - 1) {
      const std::uint32_t v = vertex_of(w, rest);
      const value total = total_of_row(v);
      if (same(total, identity_of<Visitor>()) || !visitor_.visit(vertex_at(graph_, v), total)) continue;
      found |= rest & -rest;
    }
    return found;
  }
  value total_of_row(std::uint32_t v) const {
    const graph::adjacency& in = *graph_.in_rows;
    const std::uint64_t last = in.offsets[v + 1];
    const float* const weights = in.weights.size() != 0 ? in.weights.data() : nullptr;
    const value* const shown = arena_->shown.data();
    using partial = partial_of<combine, value>;
    partial total = combine::template identity<partial>();
    for (std::uint64_t k = in.offsets[v]; k < last; ++k) {
      const std::uint32_t source = in.neighbours[k];
      if (!from_.mask.test(source)) continue;
      const value told = along(visitor_, shown[source], weights ? weights[k] : 1.0f);
      total = Visitor::combine(total, static_cast<partial>(told));
      if constexpr (has_enough<Visitor>) {
        if (visitor_.enough(static_cast<value>(total))) break;
      }
    }
    return static_cast<value>(total);
  }

  const graph::locale_graph& graph_;
  const graph::locale_graph& home_;  // of the sets; graph_, or what it is the transpose of
  const edge_map_task& task_;
  const edge_map_options& options_;
  Visitor visitor_;
  set_part& from_;
  set_part& to_;
  bit_set* const out_of_;  // the mask of the vertices that may be visited, or null for all
  const std::shared_ptr<arena> arena_;
  typename arena::core& me_;
  typename arena::contribution candidates_[batch];
  std::size_t count_ = 0;
};

}  // namespace orujo::gas::detail
