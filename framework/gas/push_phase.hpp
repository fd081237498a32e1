// The edge phase of a push superstep: the active vertices' contributions go to the totals of their targets,
// and those for other locales' vertices, combined per target, to their owners.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/engine/frontier.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/gas/core_frontier.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::gas::detail {

// What the cores of a locale share.
template <class Value>
struct push_arena {
  push_arena(const graph::locale_graph& g, int cores)
      : touched(std::size_t{g.own} + g.mirrors), of_core(static_cast<std::size_t>(cores)) {
    if (g.mirrors > 0) for_mirrors = machine::huge_array<Value>(g.mirrors);
  }

  engine::frontier touched;                // by local index: in some core's list
  std::vector<core_frontier> of_core;      // of the locale
  machine::huge_array<Value> for_mirrors;  // totals of other locales' vertices, by mirror
};

// One core's part. The totals are the pull engine's: at the identity but for touched vertices.
template <incremental_program Program>
class push_phase {
  using value = typename Program::value;

 public:
  // [task; suspends; collective over the job]
  push_phase(const Program& program, const graph::locale_graph& g, push_arena<value>& arena,
             std::span<value> totals)
      : program_(program),
        graph_(g),
        arena_(arena),
        totals_(totals),
        mine_(arena.of_core[static_cast<std::size_t>(my_core_of_locale())]),
        out_(*this) {
    const loops::index_range own_mirrors = loops::my_part_of_locale({0, arena.for_mirrors.size()});
    for (std::size_t m = own_mirrors.first; m < own_mirrors.last; ++m) arena.for_mirrors[m] = identity();
  }
  push_phase(const push_phase&) = delete;

  core_frontier& mine() { return mine_; }

  // [task; suspends; collective over the job] From the active vertices of all cores; `shown` are their
  // values. Then mine().touched are own vertices that have new contributions, each at one core of the locale.
  void run(std::span<const value> shown) {
    take_active(arena_.of_core, [&](std::uint32_t vertex) { push_vertex(vertex, shown[vertex]); });
    loops::barrier(loops::group::locale);
    if (locales() > 1) send_to_owners();
  }

 private:
  friend class exchange::push_channel<push_phase, value>;
  static constexpr std::size_t prefetch_ahead = 16;  // edges

  static value identity() { return Program::combine.template identity<value>(); }

  void push_vertex(std::uint32_t vertex, value shown) {
    const graph::adjacency& out = *graph_.out_rows;
    const std::uint64_t first = out.offsets[vertex], last = out.offsets[vertex + 1];
    const bool weighted = out.weights.size() != 0;
    for (std::uint64_t k = first; k < last; ++k) {
      if (k + prefetch_ahead < last) __builtin_prefetch(&total_of(out.neighbours[k + prefetch_ahead]));
      const value weight = weighted ? static_cast<value>(out.weights[k]) : value{1};
      add(total_of(out.neighbours[k]), out.neighbours[k], program_.gather(shown, weight));
    }
  }

  value& total_of(std::uint32_t target) {
    return target < graph_.own ? totals_[target] : arena_.for_mirrors[target - graph_.own];
  }

  // Any core of the locale may add to the same total.
  void add(value& total, std::uint32_t target, value more) {
    std::atomic_ref<value> shared(total);
    value before = shared.load(std::memory_order_relaxed);
    for (;;) {
      const value after = Program::combine(before, more);
      if (after == before) return;
      if (shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) break;
    }
    if (arena_.touched.shared_set(target)) mine_.touched.push_back(target);
  }

  // A handler's.
  void receive(std::span<const exchange::pushed<value>> all) {
    for (const auto& [vertex, total] : all) add(totals_[vertex], vertex, total);
  }

  // The next ones can come only after the collective that ends the superstep.
  void send_to_owners() {
    sorted_.swap(mine_.touched);  // what arrives from now on is listed anew
    for (const std::uint32_t index : sorted_) {
      if (index < graph_.own) {
        mine_.touched.push_back(index);
        continue;
      }
      const std::uint32_t mirror = index - graph_.own;
      arena_.touched.shared_reset(index);
      out_.push(graph_.home_of(mirror), std::exchange(arena_.for_mirrors[mirror], identity()));
    }
    sorted_.clear();
    out_.finish();
  }

  const Program& program_;
  const graph::locale_graph& graph_;
  push_arena<value>& arena_;
  const std::span<value> totals_;
  core_frontier& mine_;
  std::vector<std::uint32_t> sorted_;
  exchange::push_channel<push_phase, value> out_;
};

}  // namespace orujo::gas::detail
