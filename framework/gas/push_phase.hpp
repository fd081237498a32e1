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

#include "framework/graph/bit_set.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/gas/core_frontier.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::gas::detail {

// The cores of a locale share this. Total: the type in which contributions meet, Value or a wider one.
template <class Value, class Total>
struct push_arena {
  push_arena(const graph::locale_graph& g, int cores)
      : touched(std::size_t{g.own} + g.mirrors), of_core(static_cast<std::size_t>(cores)) {
    if (!std::is_same_v<Value, Total>) for_own = machine::huge_array<Total>(g.own);
    if (g.mirrors > 0) for_mirrors = machine::huge_array<Total>(g.mirrors);
  }

  engine::frontier touched;            // by local index: in some core's list
  std::vector<core_frontier> of_core;  // of the locale
  machine::huge_array<Total> for_own;  // totals by own vertex, where they are wider than the pull engine's
  machine::huge_array<Total> for_mirrors;  // totals of other locales' vertices, by mirror
};

// One core's part. Totals are at the identity but for touched vertices. Other locales' are rounded to values
// where they are sent.
template <incremental_program Program, class Total = engine::partial_total<Program>>
class push_phase {
  using value = typename Program::value;

 public:
  using arena = push_arena<value, Total>;

  // [task; suspends; collective over the job] of_pull: the pull engine's totals. A push uses them if they are
  // wide enough.
  push_phase(const Program& program, const graph::locale_graph& g, arena& shared, std::span<value> of_pull,
             const exchange::codec_options& codec)
      : program_(program),
        graph_(g),
        arena_(shared),
        mine_(shared.of_core[static_cast<std::size_t>(my_core_of_locale())]),
        out_(*this, codec,
             going_ahead_program<Program> ? channel::at_first::closed : channel::at_first::open) {
    if constexpr (std::is_same_v<value, Total>) {
      totals_ = of_pull;
    } else {
      totals_ = {shared.for_own.data(), shared.for_own.size()};
      clear(totals_);
    }
    clear({shared.for_mirrors.data(), shared.for_mirrors.size()});
  }
  push_phase(const push_phase&) = delete;

  core_frontier& mine() { return mine_; }

  // Returns what an own vertex has been told, and forgets it.
  value take_total(std::uint32_t vertex) {
    return static_cast<value>(std::exchange(totals_[vertex], identity()));
  }

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
      out_.push(graph_.home_of(mirror),
                static_cast<value>(std::exchange(arena_.for_mirrors[mirror], identity())));
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

  static Total identity() { return Program::combine.template identity<Total>(); }
  // This core's part of them.
  static void clear(std::span<Total> totals) {
    const loops::index_range mine = loops::my_part_of_locale({0, totals.size()});
    std::fill(totals.begin() + mine.first, totals.begin() + mine.last, identity());
  }

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

  Total& total_of(std::uint32_t target) {
    return target < graph_.own ? totals_[target] : arena_.for_mirrors[target - graph_.own];
  }

  // Any core of the locale may add to the same total.
  void add(Total& total, std::uint32_t target, value more) {
    std::atomic_ref<Total> shared(total);
    Total before = shared.load(std::memory_order_relaxed);
    for (;;) {
      const Total after = Program::combine(before, static_cast<Total>(more));
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
  arena& arena_;
  std::span<Total> totals_;  // by own vertex
  core_frontier& mine_;
  std::vector<std::uint32_t> touched_mirrors_;  // local indices
  std::uint64_t edges_ = 0;
  channel out_;  // last: peers may push as soon as they have theirs
};

}  // namespace orujo::gas::detail
