// The edge phase of a sparse superstep of a scalar program: the active vertices touch their out-neighbours,
// and those that are touched look at all their in-neighbours. Those of a two-way program touch and look at
// both.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/bit_set.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/gas/core_frontier.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/machine/isa.hpp"

namespace orujo::gas::detail {

// A set of indices to which many cores add, and of which only the blocks with members are ever looked at: of
// 512 indices each, whose bits are a cache line.
class touched_set {
 public:
  static constexpr std::size_t block_words = 8;

  explicit touched_set(std::size_t indices)
      : members_(indices), has_members_((members_.size_in_words() + block_words - 1) / block_words) {}

  std::size_t blocks() const { return has_members_.size(); }
  // Any core, beside others.
  void add(std::size_t index) {
    if (!members_.shared_set(index)) return;
    const std::atomic_ref<std::uint8_t> flag(has_members_[engine::frontier::word_of(index) / block_words]);
    if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
  }
  // Takes all members of a block out, ascending. Nobody adds any meanwhile.
  template <class Visit>
  void take(std::size_t block, Visit visit) {
    if (std::exchange(has_members_[block], 0) == 0) return;
    const std::size_t first = block * block_words;
    const std::size_t last = std::min(first + block_words, members_.size_in_words());
    members_.for_each(first, last, visit);
    members_.clear(first, last);
  }

 private:
  engine::frontier members_;
  machine::huge_array<std::uint8_t> has_members_;  // by block
};

// What the cores of a locale share.
struct touch_arena {
  touch_arena(const graph::locale_graph& g, int cores)
      : own(g.own), mirrors(g.mirrors), of_core(static_cast<std::size_t>(cores)) {}

  touched_set own, mirrors;
  std::vector<core_frontier> of_core;  // of the locale
  alignas(64) engine::dealer dealer;   // of the blocks of `own`
};

// One core's part.
template <incremental_scalar_program Program>
class touch_phase {
  using value = typename Program::value;

 public:
  // [task; suspends; collective over the job]
  touch_phase(Program& program, const graph::locale_graph& g, touch_arena& arena,
              std::span<total_of<Program>> totals, const exchange::codec_options& codec)
      : rows_(program, g),
        graph_(g),
        arena_(arena),
        totals_(totals),
        mine_(arena.of_core[static_cast<std::size_t>(my_core_of_locale())]),
        out_(*this, codec) {}
  touch_phase(const touch_phase&) = delete;

  core_frontier& mine() { return mine_; }

  // Of all active vertices of the locale those of this core's part, ascending; until the next call.
  std::span<const std::uint32_t> active_of_my_part() {
    const graph::core_part& part = graph_.my_part();
    active_of_my_part_.clear();
    for (const core_frontier& list : arena_.of_core) {
      for (const std::uint32_t v : list.active) {
        if (v >= part.first && v < part.last) active_of_my_part_.push_back(v);
      }
    }
    std::sort(active_of_my_part_.begin(), active_of_my_part_.end());
    return active_of_my_part_;
  }

  // [task; suspends; collective over the job] The active vertices of all cores touch their neighbours.
  void touch() {
    take_active(arena_.of_core, [&](std::uint32_t vertex) {
      touch_all(graph_.out_rows->of(vertex));
      if (two_way_program<Program> && !graph_.symmetric) touch_all(graph_.in_rows->of(vertex));
    });
    loops::barrier(loops::group::locale);
    if (locales() > 1) tell_owners();
  }

  // [task; suspends; collective over the locale] Writes the totals of all touched vertices; mine().touched
  // are then those that are this core's to apply to.
  void gather(std::span<const value> shown, machine::instruction_set simd) {
    const std::size_t blocks = arena_.own.blocks();
    const std::size_t chunk = std::max<std::size_t>(1, blocks / (32 * arena_.of_core.size()));
    arena_.dealer.deal(blocks, chunk, [&](std::size_t first, std::size_t last) {
      machine::compiled_for(simd, [&] { gather_blocks(first, last, shown); });
      tasks::yield();
    });
    loops::barrier(loops::group::locale);
    if (leads_locale()) arena_.dealer.reset();
  }

 private:
  friend class exchange::push_channel<touch_phase, exchange::no_value>;

  void touch_all(std::span<const std::uint32_t> row) {
    for (const std::uint32_t neighbour : row) {
      if (neighbour < graph_.own) {
        arena_.own.add(neighbour);
      } else {
        arena_.mirrors.add(neighbour - graph_.own);
      }
    }
  }

  void gather_blocks(std::size_t first, std::size_t last, std::span<const value> shown) {
    for (std::size_t b = first; b < last; ++b) {
      arena_.own.take(b, [&](std::size_t index) {
        const auto v = static_cast<std::uint32_t>(index);
        totals_[v] = rows_.total_at(v, shown);
        mine_.touched.push_back(v);
      });
    }
  }

  // A handler's.
  void receive(std::span<const exchange::pushed<exchange::no_value>> touched) {
    for (const auto& one : touched) arena_.own.add(one.target);
  }

  // The next ones can come only after the collective that ends the superstep.
  void tell_owners() {
    const loops::index_range blocks = loops::my_part_of_locale({0, arena_.mirrors.blocks()});
    for (std::size_t b = blocks.first; b < blocks.last; ++b) {
      arena_.mirrors.take(
          b, [&](std::size_t mirror) { out_.push(graph_.home_of(static_cast<std::uint32_t>(mirror)), {}); });
    }
    out_.finish();
  }

  row_phase<Program> rows_;
  const graph::locale_graph& graph_;
  touch_arena& arena_;
  const std::span<total_of<Program>> totals_;
  core_frontier& mine_;
  std::vector<std::uint32_t> active_of_my_part_;
  exchange::push_channel<touch_phase, exchange::no_value> out_;
};

}  // namespace orujo::gas::detail
