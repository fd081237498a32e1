// Push supersteps of asynchronous programs on several locales. Each locale continues with the vertices that
// its own pushes have activated, before it sends anything to others. With priority() it does so in the order
// of priorities, as delta-stepping between locales does (framework/algorithms/delta_stepping.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "framework/gas/activity.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/steps/lookahead.hpp"
#include "system/base/identity.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::gas::detail {

// One core's part of a run; made and used by one task per core.
template <going_ahead_program Program>
class push_ahead {
  static constexpr bool ordered = ordered_program<Program>;

 public:
  using outcome = superstep_outcome<Program>;

  // `shown` has the locale's values.
  push_ahead(const graph::locale_graph& g, activity<Program>& activity,
             std::span<const typename Program::value> shown, going_ahead when)
      : activity_(activity), shown_(shown), when_(when), joins_(joins_first(g, when)) {}

  // [task; suspends; collective over the job] Runs a superstep. `after_push` says that the last one pushed,
  // too. `apply(outcome)` applies to the touched vertices. `sum_up(outcome)` combines the outcomes of all
  // cores.
  template <class Apply, class SumUp>
  outcome run(bool after_push, Apply apply, SumUp sum_up) {
    if constexpr (ordered) {
      return run_in_order(after_push, apply, sum_up);
    } else {
      outcome mine{};
      const std::uint64_t edges_before = activity_.pushes().edges();
      joins_ ? push_on(apply, mine) : push_once();
      activity_.pushes().push_elsewhere(shown_);
      apply(mine);
      mine.edges = activity_.pushes().edges() - edges_before;
      return sum_up(mine);
    }
  }

 private:
  template <class Apply, class SumUp>
  outcome run_in_order(bool after_push, Apply apply, SumUp sum_up) {
    if (!after_push) {
      pace_.reset();
      going_ = false;
    }
    const std::uint64_t meeting_ns = after_push ? told_ns_ + clock_.lap_ns() : 0;
    clock_.start();
    outcome mine{};
    const std::uint64_t edges_before = activity_.pushes().edges();
    going_ = goes();
    going_ ? push_on_in_order(apply, mine) : push_once();
    mine.ahead.took = {activity_.pushes().edges() - edges_before, clock_.lap_ns(), meeting_ns};
    activity_.pushes().push_elsewhere(shown_);
    mine.edges = activity_.pushes().edges() - edges_before;
    told_ns_ = clock_.lap_ns();
    apply(mine);
    return going_ ? choose_next(mine, sum_up) : learn(sum_up(mine), 1);
  }

  void push_once() {
    activity_.pushes().push_here(shown_);
    activity_.clear();
  }

  // Pushes as long as the locale has active vertices, and not too many for lists. The remaining ones are
  // active in the next superstep.
  template <class Apply>
  void push_on(Apply apply, outcome& mine) {
    for (bool goes_on = true; goes_on;) {
      push_once();
      mine.active = mine.active_out_edges = 0;
      apply(mine);
      const outlook here = collectives::all_reduce(
          outlook{mine.active, mine.active_out_edges, {}, !activity_.mine_are_listed(mine)}, std::plus<>(),
          collectives::group::locale);
      goes_on = here.active > 0 && !here.far;
    }
  }

  static constexpr std::uint64_t most_priority = std::numeric_limits<std::uint64_t>::max();

  bool goes() const {
    if (when_ != going_ahead::automatic) return when_ == going_ahead::always;
    return pace_.steps() > 1 && (going_ || pace_.meetings_prevail(0));
  }

  // Vertices that the cores of a locale push next: active ones, or if there are none, waiting ones.
  struct outlook {
    std::uint64_t active = 0, out_edges = 0;
    waiting_bucket next;
    bool far = false;  // a core has examined many edges, or has more active vertices than it lists
    friend outlook operator+(outlook a, const outlook& b) {
      return {a.active + b.active, a.out_edges + b.out_edges, a.next + b.next, a.far || b.far};
    }
  };

  // Pushes as long as the locale has active vertices, or waiting ones of the next priorities. Stops when a
  // core has examined many edges, or would do so next. Then all vertices wait.
  template <class Apply>
  void push_on_in_order(Apply apply, outcome& mine) {
    auto& pushes = activity_.pushes();
    first_ = activity_.bucket();
    const std::uint64_t last = first_ + std::min(pace_.steps() - 1, most_priority - first_),
                        edges_before = pushes.edges(),
                        most_edges = pace_.edges() * static_cast<std::uint64_t>(my_locales_cores());
    for (;;) {
      push_once();
      mine.active = mine.active_out_edges = 0;
      apply(mine);
      outlook here{mine.active, mine.active_out_edges, {}, pushes.edges() - edges_before >= pace_.edges()};
      if (mine.active == 0) here.next = activity_.first_waiting();
      here = collectives::all_reduce(here, std::plus<>(), collectives::group::locale);
      if (here.far || here.out_edges > most_edges) break;
      if (here.active > 0) continue;
      if (here.next.vertices == 0 || here.next.priority > last || here.next.out_edges > most_edges) break;
      activity_.take_waiting(here.next.priority);
    }
    activity_.let_all_wait();
    mine.active = mine.active_out_edges = 0;
  }

  // Activates the vertices of the least priority in the job.
  template <class SumUp>
  outcome choose_next(outcome& mine, SumUp sum_up) {
    collectives::barrier(collectives::group::locale);
    activity_.forget_changed();
    mine.ahead.first = activity_.first_waiting();
    outcome all = sum_up(mine);
    const waiting_bucket& next = all.ahead.first;
    activity_.take_waiting(next.priority);
    all.active = next.vertices;
    all.active_out_edges = next.out_edges;
    return learn(all, next.vertices > 0 && next.priority > first_ ? next.priority - first_ : 1);
  }

  outcome learn(const outcome& all, std::uint64_t got_on) {
    pace_.learn(all.ahead.took, got_on, cores());
    return all;
  }

  activity<Program>& activity_;
  const std::span<const typename Program::value> shown_;
  const going_ahead when_;
  const bool joins_;                           // without priority(): continues until the locale is quiet
  steps::lookahead pace_{most_priority / 16};  // of priorities, whose unit is the program's own
  base::lap_clock clock_;
  std::uint64_t told_ns_ = 0;  // time that the last superstep took to send to owners
  bool going_ = false;         // ahead of others, as collectives take most of the time
  std::uint64_t first_ = 0;    // the least priority in the job when the superstep began
};

// Other programs have no such phase.
template <class Program>
struct push_ahead_of {
  using type = nothing;
};
template <going_ahead_program Program>
struct push_ahead_of<Program> {
  using type = push_ahead<Program>;
};

}  // namespace orujo::internal::gas::detail
