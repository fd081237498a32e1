// Push supersteps of few active vertices on one locale: one core makes them, without any collective.
#pragma once

#include <cstdint>
#include <span>

#include "framework/gas/activity.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::gas::detail {

// True if one core pushes alone after a superstep with this outcome. Other cores then get no sums, which
// next() would read.
template <class Program>
bool one_core_pushes(const superstep_outcome<Program>& before) {
  return !calls_next<Program> && before.active > 0 &&
         graph::one_core_is_faster(before.active + before.active_out_edges);
}

// [task; suspends] Called at the first core of a single locale. Makes a superstep and further ones, while
// the other cores wait in the reduction that follows. Ends where many vertices are active or none.
// `goes_on(outcome)` says whether another superstep begins.
template <incremental_program Program, class GoesOn>
superstep_outcome<Program> push_alone(activity<Program>& activity, std::span<typename Program::value> shown,
                                      GoesOn goes_on) {
  std::uint64_t passed = 0, passed_edges = 0;
  for (;;) {
    activity.pushes().push_alone(shown);
    superstep_outcome<Program> mine{};
    activity.apply_to_touched(shown, mine);
    if (!one_core_pushes(mine) || !goes_on(mine)) {
      activity.pushes().end_alone();
      mine.passed = passed;
      mine.edges = passed_edges;
      return mine;
    }
    passed_edges += mine.active_out_edges;
    if (++passed % 256 == 0) tasks::yield();
  }
}

}  // namespace orujo::internal::gas::detail
