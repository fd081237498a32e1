// The edge phase of a push superstep: active vertices contribute to the totals of their targets. Mirrors
// contribute for the vertices of other locales.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/exchange/mirror_places.hpp"
#include "framework/gas/core_frontier.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/row_push.hpp"
#include "framework/vectors/pull.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::gas::detail {

// Shared by the cores of a locale. `Total` is the type in which contributions combine: Value, or a wider one.
template <class Value, class Total>
struct push_arena : shared_frontier {
  push_arena(const graph::locale_graph& g, int cores) : shared_frontier(cores), touched(g.own) {
    if (!std::is_same_v<Value, Total>) totals = machine::huge_array<Total>(g.own);
    if (locales() > 1) {
      told = machine::huge_array<Value>(std::size_t{g.own} + g.mirrors);
      pushed = graph::bit_set(g.own);
      lists_of_pushed.resize(of_core.size());
    }
  }

  graph::bit_set touched;             // own vertices in some core's list
  machine::huge_array<Total> totals;  // by own vertex, where they are wider than the pull engine's
  machine::huge_array<Value> told;    // by local index: values of the mirrors of active vertices
  // For programs that go ahead: vertices that have pushed in this superstep.
  graph::bit_set pushed;
  by_core<std::vector<std::uint32_t>> lists_of_pushed;
};

// One core's part. Totals are the identity except for touched vertices.
template <incremental_program Program, class Total = vectors::partial_total<Program>>
class push_phase {
  using value = typename Program::value;

 public:
  using arena = push_arena<value, Total>;

  // [task; suspends; collective over the job] `of_pull` are the pull engine's totals. A push uses them if
  // they are wide enough.
  push_phase(const Program& program, const graph::locale_graph& g, arena& shared, std::span<value> of_pull,
             const exchange::codec_options& codec)
      : program_(program),
        arena_(shared),
        mine_(shared.of_core[my_core_of_locale()]),
        alone_(my_locales_cores() == 1),
        edges_(g, true),
        push_(g, shared.shares, shared.told.data(), codec) {
    if (locales() > 1) places_ = exchange::find_mirror_places(g);
    if constexpr (std::is_same_v<value, Total>) {
      totals_ = of_pull;
    } else {
      totals_ = {shared.totals.data(), shared.totals.size()};
      const index_range mine = my_part_of_locale({0, totals_.size()});
      std::fill(totals_.begin() + mine.first, totals_.begin() + mine.last, identity());
    }
  }
  push_phase(const push_phase&) = delete;

  core_frontier& mine() { return mine_; }
  steps::row_push<value>& mirrors() { return push_; }

  // Makes an own vertex one that is not touched.
  void forget_touched(std::uint32_t vertex) {
    alone_ ? arena_.touched.reset(vertex) : arena_.touched.shared_reset(vertex);
  }
  // Returns the total of an own vertex, and resets it.
  value take_total(std::uint32_t vertex) {
    return static_cast<value>(std::exchange(totals_[vertex], identity()));
  }

  // [task; may suspend] Sends the active vertices of all cores to their mirrors. All cores have listed
  // theirs.
  void tell(std::span<const value> shown) {
    push_.tell(arena_.active(), [=](std::uint32_t v) { return shown[v]; });
  }
  // [task; suspends; collective over the job] Pushes from the active vertices of all cores, whose values are
  // `shown`, and on several locales from the mirrors that have received values. Then mine().touched has the
  // own vertices with new contributions, each at one core of the locale.
  void run(std::span<const value> shown) {
    push_active(shown);
    if (locales() > 1) push_mirrors(shown);
    end_of_push();
  }

  // [task] On one locale: pushes from all active vertices by this core, while no other core works on the
  // arrays, and empties their lists. Until end_alone() it works without atomic operations.
  void push_alone(std::span<value> shown) {
    alone_ = true;
    for (const core_frontier& c : arena_.of_core) {
      if (c.active.empty()) continue;
      steps::push_from(c.active, edges_, fetch(shown),
                       [this, shown](std::uint32_t v) { return from(shown[v], shown); });
    }
    for (core_frontier& c : arena_.of_core) {
      if constexpr (delta_program<Program>) {
        for (const std::uint32_t v : c.active) shown[v] = {};
      }
      c.clear();
    }
  }
  void end_alone() { alone_ = my_locales_cores() == 1; }
  // [task; suspends; collective over the locale] For programs that go ahead, which push several times before
  // they send anything.
  void push_here(std::span<const value> shown) {
    push_active(shown);
    end_of_push();
    std::vector<std::uint32_t>& list = my_pushed();
    for (const std::uint32_t v : mine_.active) {
      if (places_->has(v) && add(arena_.pushed, v)) list.push_back(v);
    }
  }
  // [task; suspends; collective over the job] Sends all vertices that have pushed to their mirrors, which
  // then push.
  void push_elsewhere(std::span<const value> shown) {
    collectives::barrier(collectives::group::locale);
    push_.tell(arena_.lists_of_pushed, [=](std::uint32_t v) { return shown[v]; });
    push_.meet();
    for (const std::uint32_t v : my_pushed()) arena_.pushed.shared_reset(v);
    my_pushed().clear();
    push_mirrors(shown);
    end_of_push();
  }

  // Number of edges along which this core has pushed so far.
  std::uint64_t edges() const { return pushed_along_; }

 private:
  static Total identity() { return Program::combine.template identity<Total>(); }

  std::vector<std::uint32_t>& my_pushed() { return arena_.lists_of_pushed[my_core_of_locale()]; }

  void push_active(std::span<const value> shown) {
    push_.push_lists(arena_.active(), edges_, fetch(shown),
                     [this, shown](std::uint32_t v) { return from(shown[v], shown); });
  }
  void push_mirrors(std::span<const value> shown) {
    edges_.know_mirrors();
    push_.push_mirrors(edges_,
                       [this, shown](std::uint32_t mirror) { return from(arena_.told[mirror], shown); });
  }
  // Returns the function that fetches what that of from() reads first of a target.
  auto fetch([[maybe_unused]] std::span<const value> shown) const {
    if constexpr (improving_program<Program>)
      return [first = shown.data()](std::uint32_t target) { __builtin_prefetch(first + target); };
    else
      return [first = totals_.data()](std::uint32_t target) { __builtin_prefetch(first + target, 1); };
  }
  void end_of_push() {
    collectives::barrier(collectives::group::locale);
    push_.finish();
  }

  // Returns the function that is called for each edge of a vertex with this value. No vertex changes what it
  // shows meanwhile.
  auto from(value pushed, std::span<const value> shown) {
    return [this, pushed, shown = shown.data()](std::uint32_t target, float weight) {
      ++pushed_along_;
      const value more = program_.gather(pushed, static_cast<value>(weight));
      if constexpr (improving_program<Program>) {
        if (Program::combine(shown[target], more) == shown[target]) return;
      }
      if (add(totals_[target], more) && add(arena_.touched, target)) mine_.touched.push_back(target);
    };
  }
  // True if the total changes. Any core of the locale may add to the same total.
  bool add(Total& total, value more) const {
    if (alone_) {
      const Total after = Program::combine(total, static_cast<Total>(more));
      return std::exchange(total, after) != after;
    }
    const std::atomic_ref<Total> shared(total);
    Total before = shared.load(std::memory_order_relaxed);
    for (;;) {
      const Total after = Program::combine(before, static_cast<Total>(more));
      if (after == before) return false;
      if (shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) return true;
    }
  }
  // True if the vertex was no member.
  bool add(graph::bit_set& to, std::uint32_t vertex) const {
    if (!alone_) return to.shared_set(vertex);
    if (to.test(vertex)) return false;
    to.set(vertex);
    return true;
  }

  const Program& program_;
  arena& arena_;
  std::span<Total> totals_;  // by own vertex
  core_frontier& mine_;
  bool alone_;  // no other core works on the arrays of this locale
  steps::edges_to_own edges_;
  steps::row_push<value> push_;
  std::shared_ptr<const exchange::mirror_places> places_;  // on several locales
  std::uint64_t pushed_along_ = 0;                         // edges
};

}  // namespace orujo::internal::gas::detail
