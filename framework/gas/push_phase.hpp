// The edge phase of a push superstep: the active vertices' contributions go to the totals of their targets,
// and those for other locales' vertices, combined per target, to their owners.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "framework/engine/frontier.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/gas/core_frontier.hpp"
#include "framework/gas/members.hpp"
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
             std::span<value> totals, const exchange::codec_options& codec)
      : program_(program),
        graph_(g),
        arena_(arena),
        totals_(totals),
        mine_(arena.of_core[static_cast<std::size_t>(my_core_of_locale())]),
        out_(*this, codec,
             going_ahead_program<Program> ? channel::at_first::closed : channel::at_first::open) {
    const loops::index_range own_mirrors = loops::my_part_of_locale({0, arena.for_mirrors.size()});
    for (std::size_t m = own_mirrors.first; m < own_mirrors.last; ++m) arena.for_mirrors[m] = identity();
  }
  push_phase(const push_phase&) = delete;

  core_frontier& mine() { return mine_; }

  // [task; suspends; collective over the job] From the active vertices of all cores; `shown` are their
  // values. Then mine().touched are own vertices that have new contributions, each at one core of the locale.
  void run(std::span<const value> shown) {
    push(shown);
    if (locales() > 1) tell_owners();
  }

  // The two parts of it, for programs that go ahead: they push several times before they tell.
  // [task; suspends; collective over the locale]
  void push(std::span<const value> shown) {
    take_active(arena_.of_core, [&](std::uint32_t vertex) { push_vertex(vertex, shown[vertex]); });
    loops::barrier(loops::group::locale);
    if (locales() > 1) set_mirrors_apart();
  }
  // The same where no locale goes ahead in this superstep.
  void push_in_step(std::span<const value> shown) {
    if constexpr (going_ahead_program<Program>) out_.open();
    push(shown);
  }
  // [task; suspends; collective over the job]
  void tell_owners() {
    for (const std::uint32_t index : touched_mirrors_) {
      const std::uint32_t mirror = index - graph_.own;
      arena_.touched.shared_reset(index);
      out_.push(graph_.home_of(mirror), std::exchange(arena_.for_mirrors[mirror], identity()));
    }
    touched_mirrors_.clear();
    if constexpr (going_ahead_program<Program>) {
      // What peers told meanwhile has waited, as this locale applied to its vertices.
      out_.finish(std::monostate{}, [](auto all, auto) { return all; });
      loops::barrier(loops::group::locale);
    } else {
      out_.finish();
    }
  }

  // Along which this core has pushed so far.
  std::uint64_t edges() const { return edges_; }

 private:
  using channel = exchange::push_channel<push_phase, value>;
  friend channel;
  static constexpr std::size_t prefetch_ahead = 16;  // edges

  static value identity() { return Program::combine.template identity<value>(); }

  void push_vertex(std::uint32_t vertex, value shown) {
    const graph::adjacency& out = *graph_.out_rows;
    const std::uint64_t first = out.offsets[vertex], last = out.offsets[vertex + 1];
    const bool weighted = out.weights.size() != 0;
    edges_ += last - first;
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

  // What peers tell meanwhile is listed with the own vertices.
  void set_mirrors_apart() {
    std::vector<std::uint32_t>& touched = mine_.touched;
    const auto mirrors = std::partition(touched.begin(), touched.end(),
                                        [&](std::uint32_t index) { return index < graph_.own; });
    touched_mirrors_.insert(touched_mirrors_.end(), mirrors, touched.end());
    touched.erase(mirrors, touched.end());
  }

  const Program& program_;
  const graph::locale_graph& graph_;
  push_arena<value>& arena_;
  const std::span<value> totals_;
  core_frontier& mine_;
  std::vector<std::uint32_t> touched_mirrors_;  // local indices
  std::uint64_t edges_ = 0;
  channel out_;  // last: peers may push as soon as they have theirs
};

}  // namespace orujo::gas::detail
