// The pull of an edge map: vertices search their rows of in-edges for members of the set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "framework/gas/edge_map_arena.hpp"
#include "framework/gas/edge_map_task.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/row_pull.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::gas::detail {

// One core's part.
template <class Visitor>
class edge_map_pull {
  using value = typename Visitor::value;
  using combine = std::remove_cvref_t<decltype(Visitor::combine)>;
  using arena = edge_map_arena<value, combine>;
  using bit_set = graph::bit_set;

 public:
  // `from` and `to` are sets with masks; `to` has no members. `out_of` has the vertices that may be visited,
  // null permits all.
  edge_map_pull(const edge_map_task& task, Visitor& visitor, arena& shared, set_part& from, set_part& to,
                bit_set* out_of)
      : graph_(task.graph.here()),
        home_(task.from.graph.here()),
        options_(task.options),
        visitor_(visitor),
        arena_(shared),
        from_(from),
        to_(to),
        out_of_(out_of) {}

  // Called by the locale's first core.
  void prepare_locale() {
    arena_.make_shown(graph_);
    if (!arena_.knows_hearing) arena_.hearing = bit_set(graph_.own);
    if (arena_.loops && arena_.how == options_.edges) return;
    arena_.how = options_.edges;
    arena_.loops.emplace(row_loops(graph_, my_locales_cores(), options_.edges));
  }
  // Called by every core after prepare_locale(): stores the values of its members, and finds vertices with
  // in-edges.
  void prepare() {
    if constexpr (!arena::tells_who) show_mine();
    const index_range words = my_words(graph_);
    to_.mask.clear(words.first, words.last);
    if (!arena_.knows_hearing) find_hearing();
  }
  // [task; suspends] Called after prepare() of all cores, with mirrors of members in the mask. Returns this
  // core's part of the result.
  set_size run() {
    if (leads_locale()) arena_.knows_hearing = true;
    set_size size;
    loops::run_share(arena_.loops->loop(0), my_core_of_locale(), [&](const loops::chunk& c) {
      machine::compiled_for(options_.simd, [&] { pull_chunk(c, size); });
    });
    return size;
  }

 private:
  void find_hearing() {
    const index_range words = my_words(graph_);
    for (std::size_t w = words.first; w < words.last; ++w) {
      const auto first = static_cast<std::uint32_t>(w * bit_set::word_bits);
      const std::uint32_t last = std::min<std::uint32_t>(first + bit_set::word_bits, graph_.own);
      for (std::uint32_t v = first; v < last; ++v) {
        if (graph_.in_rows->degree(v) > 0) arena_.hearing.set(v);
      }
    }
  }

  void show_mine() {
    const index_range words = my_words(graph_);
    machine::compiled_for(options_.simd, [&] {
      for (std::size_t w = words.first; w < words.last; ++w) {
        const bit_set::word members = from_.mask.words()[w] & own_bits(graph_, w);
        for (bit_set::word rest = members; rest != 0; rest &= rest - 1) {
          const std::uint32_t v = vertex_of(w, rest);
          arena_.shown[v] = visitor_.show(vertex_at(graph_, v));
        }
      }
    });
  }

  // Adds members of word w to the result. An atomic operation, as for a word that another chunk shares, waits
  // for all that visit() has stored.
  void join(std::size_t w, bit_set::word found, const row_range& rows, set_size& size) {
    if (found == 0) return;
    if (rows.first <= w * bit_set::word_bits && (w + 1) * bit_set::word_bits <= rows.last) {
      to_.mask.words()[w] = found;
      if (out_of_) out_of_->words()[w] &= ~found;
    } else {
      to_.mask.shared_merge(w, found);
      if (out_of_) out_of_->shared_remove(w, found);
    }
    size = size + size_of_word(home_, w, found);
  }

  void pull_chunk(const loops::chunk& c, set_size& size) {
    const row_range rows = rows_of_chunk(*graph_.in_rows, graph_.own, c);
    if (rows.first >= rows.last) return;
    const std::size_t first = bit_set::word_of(rows.first), last = bit_set::words_for(rows.last);
    bit_set::word next = looking_in(first, rows);
    // With `any`, a word is visited while what the next one's parents show is fetched.
    std::uint32_t parents[2][bit_set::word_bits];
    bit_set::word children = 0;
    for (std::size_t w = first; w < last; ++w) {
      const bit_set::word looking = next;
      if (w + 1 < last) next = looking_in(w + 1, rows);
      if constexpr (takes_any<Visitor>) {
        const bit_set::word now =
            looking == 0 ? 0 : steps::pull_word(*graph_.in_rows, from_.mask, w, looking, parents[w % 2]);
        fetch_shown(now, parents[w % 2]);
        if (w > first) join(w - 1, visit_children(w - 1, children, parents[(w - 1) % 2]), rows, size);
        children = now;
      } else {
        join(w, pull_all(w, looking), rows, size);
      }
    }
    if constexpr (takes_any<Visitor>)
      join(last - 1, visit_children(last - 1, children, parents[(last - 1) % 2]), rows, size);
  }

  // Returns the vertices of word w that may be visited and have in-edges, and fetches their rows.
  bit_set::word looking_in(std::size_t w, const row_range& rows) const {
    const auto begin = static_cast<std::uint32_t>(w * bit_set::word_bits);
    bit_set::word looking = arena_.hearing.words()[w];
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

  void fetch_shown(bit_set::word children, const std::uint32_t* parents) const {
    for (; children != 0; children &= children - 1)
      arena_.fetch_shown(graph_, parents[std::countr_zero(children)]);
  }
  // Both return the new members of the result.
  bit_set::word visit_children(std::size_t w, bit_set::word children, const std::uint32_t* parents) {
    bit_set::word found = 0;
    for (bit_set::word rest = children; rest != 0; rest &= rest - 1) {
      const std::uint32_t v = vertex_of(w, rest);
      value total = along(visitor_, arena_.shown_by(graph_, parents[std::countr_zero(rest)]), 1.0f);
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
      const value told = along(visitor_, arena_.shown_by(graph_, in_neighbour), 1.0f);
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
    const value* const shown = arena_.shown.data();
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
  const graph::locale_graph& home_;  // of the sets: graph_, or the graph whose transpose it is
  const edge_map_options& options_;
  Visitor& visitor_;
  arena& arena_;
  set_part& from_;
  set_part& to_;
  bit_set* const out_of_;
};

}  // namespace orujo::internal::gas::detail
