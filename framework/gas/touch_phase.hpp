// The edge phase of a sparse superstep of a scalar program: active vertices touch their out-neighbours, and
// touched vertices gather from all their in-neighbours. In a two-way program they touch, and gather from,
// neighbours of both directions.
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

#include "framework/gas/core_frontier.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/row_push.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::gas::detail {

// A set of indices to which many cores add, and of which only blocks with members are visited. A block has
// 512 indices, whose bits are a cache line.
class touched_set {
 public:
  static constexpr std::size_t block_words = 8;

  explicit touched_set(std::size_t indices)
      : members_(indices), has_members_((members_.size_in_words() + block_words - 1) / block_words) {}

  std::size_t blocks() const { return has_members_.size(); }
  // Any core, concurrently with others.
  void add(std::size_t index) {
    if (!members_.shared_set(index)) return;
    const std::atomic_ref<std::uint8_t> flag(has_members_[graph::bit_set::word_of(index) / block_words]);
    if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
  }
  // Removes all members of a block, in ascending order. No core may add any meanwhile.
  template <class Visit>
  void take(std::size_t block, Visit visit) {
    if (std::exchange(has_members_[block], 0) == 0) return;
    const std::size_t first = block * block_words;
    const std::size_t last = std::min(first + block_words, members_.size_in_words());
    members_.for_each(first, last, visit);
    members_.clear(first, last);
  }

 private:
  graph::bit_set members_;
  machine::huge_array<std::uint8_t> has_members_;  // by block
};

// State that the cores of a locale share.
struct touch_arena : shared_frontier {
  touch_arena(const graph::locale_graph& g, int cores) : shared_frontier(cores), touched(g.own) {}

  touched_set touched;               // own vertices
  alignas(64) steps::dealer dealer;  // of its blocks
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
        mine_(arena.of_core[my_core_of_locale()]),
        edges_(g, false),
        push_(g, arena.shares, nullptr, codec) {}
  touch_phase(const touch_phase&) = delete;

  core_frontier& mine() { return mine_; }
  steps::row_push<exchange::no_value>& mirrors() { return push_; }

  // Returns the active vertices of the locale that belong to this core's part, ascending. The result is valid
  // until the next call. All cores have listed theirs.
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

  // [task; may suspend] Sends the active vertices of all cores to their mirrors. All cores have listed
  // theirs.
  void tell(std::span<const value>) {
    push_.tell(arena_.active(), [](std::uint32_t) { return exchange::no_value{}; });
  }
  // [task; suspends; collective over the job] The active vertices of all cores, and on several locales their
  // mirrors, touch their neighbours.
  void touch() {
    const auto touch = [this](std::uint32_t v, float) { arena_.touched.add(v); };
    push_.push_lists(
        arena_.active(), edges_, [](std::uint32_t) {},
        [&](std::uint32_t v) {
          if constexpr (two_way_program<Program>) {
            if (!graph_.both_ways) touch_in_neighbours(v);
          }
          return touch;
        });
    if (locales() > 1) {
      know_mirrors();
      push_.push_mirrors(edges_, [&](std::uint32_t mirror) {
        if (to_mirrors_) {
          for (const std::uint32_t v : to_mirrors_->of(mirror - graph_.own)) arena_.touched.add(v);
        }
        return touch;
      });
    }
    collectives::barrier(collectives::group::locale);
    push_.finish();
  }

  // [task; suspends; collective over the locale] Writes the totals of all touched vertices. Then
  // mine().touched has those that this core applies to.
  void gather(std::span<const value> shown, machine::instruction_set simd) {
    const std::size_t blocks = arena_.touched.blocks();
    const std::size_t chunk = std::max<std::size_t>(1, blocks / (32 * arena_.of_core.size()));
    arena_.dealer.deal(blocks, chunk, [&](std::size_t first, std::size_t last) {
      machine::compiled_for(simd, [&] { gather_blocks(first, last, shown); });
      tasks::yield();
    });
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) arena_.dealer.reset();
  }

 private:
  void know_mirrors() {
    edges_.know_mirrors();
    if constexpr (two_way_program<Program>) {
      if (!graph_.both_ways && !to_mirrors_) to_mirrors_ = graph::turn_rows_to_mirrors(graph_);
    }
  }
  void touch_in_neighbours(std::uint32_t v) {
    for (const std::uint32_t neighbour : graph_.in_rows->of(v)) {
      if (neighbour < graph_.own) arena_.touched.add(neighbour);
    }
  }

  void gather_blocks(std::size_t first, std::size_t last, std::span<const value> shown) {
    for (std::size_t b = first; b < last; ++b) {
      arena_.touched.take(b, [&](std::size_t index) {
        const auto v = static_cast<std::uint32_t>(index);
        totals_[v] = rows_.total_at(v, shown);
        mine_.touched.push_back(v);
      });
    }
  }

  row_phase<Program> rows_;
  const graph::locale_graph& graph_;
  touch_arena& arena_;
  const std::span<total_of<Program>> totals_;
  core_frontier& mine_;
  std::vector<std::uint32_t> active_of_my_part_;
  steps::edges_to_own edges_;
  steps::row_push<exchange::no_value> push_;
  std::shared_ptr<const graph::mirror_rows> to_mirrors_;  // of a two-way program's graph, unless symmetric
};

}  // namespace orujo::internal::gas::detail
