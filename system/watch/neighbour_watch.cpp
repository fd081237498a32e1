#include "system/watch/neighbour_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "system/base/fatal.hpp"
#include "system/base/last_word.hpp"
#include "system/machine/process_state.hpp"
#include "system/watch/watchdog.hpp"

namespace orujo::internal::watch {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

neighbour_watch::neighbour_watch(std::chrono::nanoseconds patience, locale_id me)
    : patience_(patience), me_(me) {
  if (patience_.count() == 0 || !base::leaves_last_words()) return;
  const auto period =
      std::clamp<std::chrono::nanoseconds>(patience_ / 8, milliseconds(50), milliseconds(1000));
  thread_.emplace(
      me_, period,
      [this, period, its = stillness(), signs = std::uint64_t{0}, before = clock::now()]() mutable {
        const std::string stopped = watchdog::any_lives() ? std::string() : stopped_neighbour();
        const auto now = clock::now();
        if (its.look(stopped.empty() ? ++signs : signs, now - std::exchange(before, now), 2 * period) <
            patience_)
          return period;
        base::fail(exit_status::peer_lost,
                   fmt::format("no sign of life from {} for {:.3g} s, while MPI starts or ends{}", stopped,
                               std::chrono::duration<double>(its.still()).count(), watchdog::advice));
      });
}

// A process that a debugger has stopped, "t (tracing stop)", does not count.
std::string neighbour_watch::stopped_neighbour() const {
  locale_id next = me_ + 1;
  std::int32_t process = base::process_by_last_word(next);
  if (process == 0)
    process = base::process_by_last_word(next = 0);  // this was the last one, or the next has not begun
  if (process == 0 || next == me_) return {};
  const std::string state = machine::process_status(process, "State");
  return state.starts_with('T') ? fmt::format("locale {} (process {}, {})", next, process, state)
                                : std::string();
}

}  // namespace orujo::internal::watch
