// Push supersteps of asynchronous programs on several locales. Each locale continues with the vertices that
// its own pushes have activated, before it sends anything to others.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "framework/gas/activity.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::gas::detail {

// One core's part of a run; made and used by one task per core.
template <asynchronous_program Program>
class push_ahead {
 public:
  using outcome = superstep_outcome<Program>;

  // `shown` has the locale's values.
  push_ahead(const graph::locale_graph& g, activity<Program>& activity,
             std::span<typename Program::value> shown, going_ahead when)
      : activity_(activity), shown_(shown), joins_(joins_first(g, when)) {}

  // [task; suspends; collective over the job] Runs a superstep. `sum_up(outcome)` combines the outcomes of
  // all cores.
  template <class SumUp>
  outcome run(SumUp sum_up) {
    outcome mine{};
    const std::uint64_t edges_before = activity_.pushes().edges();
    joins_ ? push_on(mine) : push_once();
    activity_.pushes().push_elsewhere(shown_);
    activity_.apply_to_touched(shown_, mine);
    mine.edges = activity_.pushes().edges() - edges_before;
    return sum_up(mine);
  }

 private:
  void push_once() {
    activity_.pushes().push_here(shown_);
    activity_.clear();
  }

  // The vertices that the cores of a locale push next.
  struct outlook {
    std::uint64_t active = 0;
    bool far = false;  // a core has more active vertices than it lists
    friend outlook operator+(const outlook& a, const outlook& b) {
      return {a.active + b.active, a.far || b.far};
    }
  };

  // Pushes as long as the locale has active vertices, and not too many for lists. The remaining ones are
  // active in the next superstep.
  void push_on(outcome& mine) {
    for (bool goes_on = true; goes_on;) {
      push_once();
      mine.active = mine.active_out_edges = 0;
      activity_.apply_to_touched(shown_, mine);
      const outlook here = collectives::all_reduce(outlook{mine.active, !activity_.mine_are_listed(mine)},
                                                   std::plus<>(), collectives::group::locale);
      goes_on = here.active > 0 && !here.far;
    }
  }

  activity<Program>& activity_;
  const std::span<typename Program::value> shown_;
  const bool joins_;  // continues until the locale is quiet
};

// Other programs have no such phase.
template <class Program>
struct push_ahead_of {
  using type = nothing;
};
template <asynchronous_program Program>
struct push_ahead_of<Program> {
  using type = push_ahead<Program>;
};

}  // namespace orujo::internal::gas::detail
