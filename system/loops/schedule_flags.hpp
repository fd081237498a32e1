// The flag --schedule. A program that includes this header lets its user choose how the cores of a locale
// share its loops.
#pragma once

#include <cstddef>
#include <utility>

#include "system/loops/schedule.hpp"

namespace orujo::internal::loops {

// The values of --schedule, in this order: auto, static, round_robin, dynamic, guided, static_steal,
// usersched, usersched_profiled.
enum class schedule_kind { automatic, fixed, round_robin, dynamic, guided, stealing, user_defined, profiled };

// [any thread, once flags are read] The value of --schedule.
schedule_kind schedule_kind_from_flags();

// [any thread, once flags are read] The schedule that --schedule asks for. `chunk` is the chunk size in
// iterations; 0 stands for 1. The policy cuts chunks for usersched and usersched_profiled, and balances the
// latter if it returns loads; otherwise the time of chunks is measured. For auto it is `automatic`, which is
// another value than automatic itself.
template <schedule_policy Policy>
schedule schedule_from_flags(std::size_t chunk, Policy policy,
                             schedule_kind automatic = schedule_kind::dynamic) {
  const schedule_kind asked = schedule_kind_from_flags();
  switch (asked == schedule_kind::automatic ? automatic : asked) {
    case schedule_kind::fixed:
      return schedule::fixed(chunk);
    case schedule_kind::round_robin:
      return schedule::round_robin(chunk);
    case schedule_kind::automatic:
    case schedule_kind::dynamic:
      return schedule::dynamic(chunk);
    case schedule_kind::guided:
      return schedule::guided(chunk);
    case schedule_kind::stealing:
      return schedule::stealing(chunk);
    case schedule_kind::user_defined:
      return schedule::user_defined(std::move(policy), {.steal = true, .profile = false});
    case schedule_kind::profiled:
      break;
  }
  return schedule::user_defined(std::move(policy), {.steal = true, .profile = true});
}

// [any thread, once flags are read] As schedule_from_flags above, with even chunks in place of a policy.
inline schedule schedule_from_flags(std::size_t chunk, schedule_kind automatic = schedule_kind::dynamic) {
  return schedule_from_flags(chunk, even_chunks{chunk == 0 ? 1 : chunk}, automatic);
}

}  // namespace orujo::internal::loops
