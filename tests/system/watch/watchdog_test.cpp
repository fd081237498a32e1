// Jobs without progress, in one process. tests/bin/ends_test.sh tests stopped and lost processes of a
// launched job.
#include "system/watch/watchdog.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "system/base/fatal.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/node/pulse.hpp"
#include "system/runtime/runtime.hpp"
#include "system/watch/signals.hpp"
#include "system/watch/task_monitor.hpp"

namespace orujo::internal::watch {
namespace {

using namespace std::chrono_literals;

TEST(stillness, lasts_from_the_last_change_on) {
  stillness at;
  EXPECT_EQ(at.look(0, 1s, 2s), 1s);
  EXPECT_EQ(at.look(1, 1s, 2s), 0s);
  EXPECT_EQ(at.look(1, 1s, 2s), 1s);
  EXPECT_EQ(at.look(1, 800ms, 2s), 1800ms);
}

TEST(stillness, takes_little_account_of_looks_that_come_late) {
  stillness at;
  at.look(1, 1s, 2s);
  EXPECT_EQ(at.look(1, 1h, 2s), 2s);
}

// Runs locales in this process, as `orujo::run` does.
[[noreturn]] void end_as_watched_job(status (*main_task)(), std::chrono::nanoseconds patience = 500ms,
                                     int locales = 2, int cores_of_locale = 2) {
  base::install_fatal_handlers();
  install_signal_handlers();
  const task_monitor monitor(100ms);
  runtime::job_options options;
  options.cores = cores_of_locale;
  options.watchdog = patience;
  std::_Exit(static_cast<int>(runtime::run_loopback(locales, options, main_task)));
}

status wait_for_nothing() {
  tasks::full_empty<int> never;
  return never.read_when_full() ? status() : status();
}

TEST(watchdog, ends_a_job_whose_tasks_all_wait) {
  EXPECT_EXIT(end_as_watched_job(&wait_for_nothing), testing::ExitedWithCode(75),
              "\\[locale 0 core 0\\]   1 x main waits for a full/empty bit to become full\n(.*\n)*"
              "\\[locale 0\\] FATAL: the job hangs: no core has had anything to do for 0.5 s");
}

status wait_for_work_that_is_never_done() {
  delegates::completion_event all;
  delegates::call(cores() - 1, [event = all.ref()] { event.issue(); });
  all.wait();
  return {};
}

// Which asks all cores again and again how far they are; between two questions it waits for its turn.
TEST(watchdog, ends_a_job_that_waits_for_an_event_that_never_comes) {
  EXPECT_EXIT(
      end_as_watched_job(&wait_for_work_that_is_never_done), testing::ExitedWithCode(75),
      "1 x main waits for (a completion event with 1 issued and 0 done|its turn\n.*completion_event::wait)"
      "(.*\n)*.*FATAL: the job hangs");
}

status wait_elsewhere() {
  loops::on_all_cores([] {
    if (my_core() == 3) static_cast<void>(wait_for_nothing());
  });
  return {};
}

TEST(watchdog, shows_the_task_of_another_locale_that_others_wait_for) {
  EXPECT_EXIT(end_as_watched_job(&wait_elsewhere), testing::ExitedWithCode(75),
              "\\[locale 1 core 3\\]   1 x .* waits for a full/empty bit to become full");
}

std::mutex never_unlocked;
status wait_for_a_lock() {
  never_unlocked.lock();
  std::thread([] { never_unlocked.lock(); }).join();
  return {};
}

TEST(watchdog, ends_a_job_with_a_core_that_waits_for_a_lock) {
  if (access("/proc/self/syscall", R_OK) != 0)
    GTEST_SKIP() << "the kernel does not tell what a thread waits for";
  EXPECT_EXIT(end_as_watched_job(&wait_for_a_lock), testing::ExitedWithCode(75),
              "running main, has not yielded\n(.*\n)*\\[locale 0\\] FATAL: core 0 has made no progress for "
              "0.5 s, waiting for a lock: its stack is above");
}

status sleep_for_long() {
  ::usleep(1'200'000);
  return {};
}

TEST(watchdog, only_tells_of_a_core_that_waits_for_the_system) {
  EXPECT_EXIT(end_as_watched_job(&sleep_for_long), testing::ExitedWithCode(0),
              "\\[locale 0\\] core 0 has made no progress for 0.5 s, waiting for the system");
}

status pause_for_long() {
  tasks::scheduler::here()->pause(800ms);
  return {};
}

TEST(watchdog, says_nothing_of_tasks_that_pause_for_long) {
  EXPECT_EXIT(end_as_watched_job(&pause_for_long), testing::ExitedWithCode(0), "^$");
}

// GoogleTest has a file for what this process says. After 30 s it is not to be expected any more.
class until_it_is_told {
 public:
  bool is_over() const {
    std::string said(1 << 16, '\0');
    const ssize_t size = ::pread(STDERR_FILENO, said.data(), said.size(), 0);
    return size < 0 || said.find("has been busy") != said.npos || std::chrono::steady_clock::now() > end_;
  }

 private:
  const std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + 30s;
};
void compute_until_it_is_told() {
  for (const until_it_is_told wait; !wait.is_over();) continue;
}
void yield_until_it_is_told() {
  for (const until_it_is_told wait; !wait.is_over();) tasks::yield();
}

// One of three says so, and the job ends as it would without the watchdog: nobody can tell a long computation
// from one without an end.
TEST(watchdog, tells_of_a_core_that_is_busy_without_progress_while_others_wait) {
  constexpr const char* said =
      "core 3 has been busy for 0.5 s without starting a task or handling a message, while others wait: what "
      "it does is above. The job goes on";
  const std::string in_task = std::string("running .*, has not yielded\n(.*\n)*\\[locale 1\\] ") + said,
                    in_handler = std::string("in a message handler, not done\n(.*\n)*.*") + said,
                    in_turns = std::string("1 x .* waits for its turn\n(.*\n)*.*") + said;
  EXPECT_EXIT(end_as_watched_job([] {
                delegates::call_task(3, [] { compute_until_it_is_told(); });
                return status();
              }),
              testing::ExitedWithCode(0), in_task);
  EXPECT_EXIT(end_as_watched_job([] {
                delegates::call(3, [] { compute_until_it_is_told(); });
                return status();
              }),
              testing::ExitedWithCode(0), in_handler);
  EXPECT_EXIT(end_as_watched_job([] {
                delegates::call_task(3, [] { yield_until_it_is_told(); });
                return status();
              }),
              testing::ExitedWithCode(0), in_turns);
}

status compute_for_long() {
  for (const auto end = std::chrono::steady_clock::now() + 800ms; std::chrono::steady_clock::now() < end;)
    continue;
  return {};
}

TEST(watchdog, says_nothing_of_a_core_that_computes_where_nobody_waits) {
  EXPECT_EXIT(end_as_watched_job(&compute_for_long, 500ms, 1, 1), testing::ExitedWithCode(0), "^$");
}

TEST(watchdog, without_patience_watches_nothing) {
  const auto run = [] {
    std::thread([] {
      std::this_thread::sleep_for(800ms);
      std::_Exit(3);
    }).detach();
    end_as_watched_job(&wait_for_nothing, 0s);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(3), "^$");
}

// Watches as locale 0 of two, the other of which does what `peer` does, for so long.
template <class F>
[[noreturn]] void watch_peer(std::chrono::nanoseconds time, const F& peer) {
  node::pulse pulses[2] = {};
  const watchdog dog(200ms, 0, 1, {&pulses[0], &pulses[1]});
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    peer(pulses[1]);
    std::this_thread::sleep_for(10ms);
  }
  std::_Exit(0);
}

TEST(watchdog, ends_the_job_when_a_peer_gives_no_sign_of_life) {
  const auto silent = [](node::pulse& its) { its.process = 1 << 30; };
  EXPECT_EXIT(watch_peer(20s, silent), testing::ExitedWithCode(76),
              "\\[locale 0\\] FATAL: no sign of life from locale 1 \\(process 1073741824, vanished\\)");
}

TEST(watchdog, lets_peers_live_that_beat_or_have_ended) {
  EXPECT_EXIT(watch_peer(500ms, [](node::pulse& its) { ++its.beats; }), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(watch_peer(500ms, [](node::pulse& its) { its.ended = 1; }), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace orujo::internal::watch
