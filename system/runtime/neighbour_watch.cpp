#include "system/runtime/neighbour_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "system/base/fatal.hpp"
#include "system/base/last_word.hpp"
#include "system/machine/process_state.hpp"
#include "system/runtime/task_monitor.hpp"
#include "system/runtime/watchdog.hpp"

namespace orujo::runtime {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

neighbour_watch::neighbour_watch(std::chrono::nanoseconds patience, locale_id me)
    : patience_(patience), me_(me) {
  if (patience_.count() == 0 || !base::leaves_last_words()) return;
  thread_ = thread_without_signals([this] {
    base::set_identity(me_, -1);
    watch();
  });
}

neighbour_watch::~neighbour_watch() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard held(lock_);
    ending_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void neighbour_watch::watch() {
  const auto period =
      std::clamp<std::chrono::nanoseconds>(patience_ / 8, milliseconds(50), milliseconds(1000));
  stillness its;
  std::uint64_t signs = 0;
  auto before = clock::now();
  for (std::unique_lock held(lock_); !ends_.wait_for(held, period, [this] { return ending_; });) {
    const std::string stopped = watchdog::any_lives() ? std::string() : stopped_neighbour();
    const auto now = clock::now();
    if (its.look(stopped.empty() ? ++signs : signs, now - std::exchange(before, now), 2 * period) < patience_)
      continue;
    base::fail(exit_status::peer_lost,
               fmt::format("no sign of life from {} for {:.3g} s, while MPI starts or ends{}", stopped,
                           std::chrono::duration<double>(its.still()).count(), watchdog::advice));
  }
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

}  // namespace orujo::runtime
