#include "system/watch/watchdog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/machine/process_state.hpp"
#include "system/tasks/task_report.hpp"
#include "system/watch/task_monitor.hpp"

namespace orujo::internal::watch {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::chrono::seconds most_rest(5);
constexpr milliseconds time_to_report(2500);  // the task monitor gives cores a second
// Checks of the locales are not simultaneous. If all are at rest, all but two of the checks overlap.
constexpr std::uint64_t least_rest = 4;
// A core that uses less than a hundredth of the time waits for something.
constexpr int share_of_busy = 100;

// "60", "0.5"
std::string seconds_of(std::chrono::nanoseconds time) {
  return fmt::format("{:.3g}", std::chrono::duration<double>(time).count());
}

bool is_distant(const node::pulse* p) { return p && p->distant.load(relaxed); }

bool is_held_by_a_debugger(std::int32_t process) {
  const std::string tracer = machine::process_status(process, "TracerPid");
  return !tracer.empty() && tracer != "0";
}

std::chrono::nanoseconds cpu_time_of(pthread_t thread) {
  clockid_t its;
  timespec used = {};
  if (pthread_getcpuclockid(thread, &its) != 0 || clock_gettime(its, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Only a thread of this process can end such a wait.
bool waits_for_a_lock(std::int64_t system_thread) {
  std::ifstream in(fmt::format("/proc/self/task/{}/syscall", system_thread));
  long call = -1;
  return in >> call && call == SYS_futex;
}

// "T (stopped)", say.
std::string state_of(std::int32_t process) {
  const std::string state = machine::process_status(process, "State");
  return state.empty() ? "vanished" : state;
}

std::string describe(locale_id peer, const node::pulse& its) {
  if (is_distant(&its)) return fmt::format("locale {} (on another node)", peer);
  const std::int32_t process = its.process.load(relaxed);
  return fmt::format("locale {} (process {}, {})", peer, process, state_of(process));
}

// True if all cores of this process have reported their tasks, or the task monitor has for those that are
// stuck.
bool all_have_reported() {
  bool all = true;
  tasks::for_each_running_core([&](const tasks::running_core& c) { all = all && c.core->has_reported(); });
  return all;
}

}  // namespace

watchdog::watchdog(duration patience, locale_id me, int cores, std::vector<node::pulse*> pulses,
                   exchange with_nodes)
    : patience_(patience),
      period_(std::clamp<duration>(patience / 8, milliseconds(50), milliseconds(1000))),
      me_(me),
      cores_(cores),
      pulses_(std::move(pulses)),
      mine_(*pulses_[me]),
      peers_(pulses_.size()),
      with_nodes_(std::any_of(pulses_.begin(), pulses_.end(), is_distant) ? std::move(with_nodes)
                                                                          : exchange()) {
  mine_.process.store(getpid(), relaxed);
  if (patience_ == duration(0)) return;
  ++alive_;
  checked_ = clock::now();
  thread_.emplace(me_, period_, [this] { return check(); });
}

watchdog::~watchdog() {
  mine_.ended.store(1, relaxed);
  if (!thread_) return;
  thread_.reset();
  --alive_;
}

std::chrono::nanoseconds watchdog::check() {
  const auto now = clock::now();
  const duration since = now - std::exchange(checked_, now);
  look_at_cores(since);
  mine_.beats.fetch_add(1, std::memory_order_release);
  hear_of_nodes(period_ / 4);
  look_at_peers(since);
  if (me_ == 0) look_at_job();
  answer();
  return period_;
}

// Waits for holds(), for at most `most`, and keeps the pulse.
template <class F>
void watchdog::await(const F& holds, duration most) {
  for (const auto end = clock::now() + most; !holds() && clock::now() < end;) {
    std::this_thread::sleep_for(milliseconds(10));
    mine_.beats.fetch_add(1, relaxed);
    hear_of_nodes(milliseconds(1));
  }
}

void watchdog::print_reports() {
  ask_for_reports();
  await(all_have_reported, time_to_report);
}

void watchdog::look_at_cores(duration since) {
  using reason = stuck_core::reason;
  int at_rest = 0;
  std::vector<stuck_core> stuck;
  std::vector<std::int64_t> busy;
  tasks::for_each_running_core([&](const tasks::running_core& c) {
    if (c.locale != me_) return;
    core_watch& before = by_core_[c.number];
    at_rest += is_at_rest(*c.core, before);
    const std::uint64_t progress = before.idle_turns + before.work;
    // CPU time shows that a core computes.
    const duration cpu_time = cpu_time_of(c.thread);
    const auto used = static_cast<std::uint64_t>(cpu_time * share_of_busy / patience_);
    const bool stands = before.all.look(progress + used, since, 2 * period_) >= patience_;
    const duration still = before.progress.look(progress, since, 2 * period_);
    if (still == duration(0)) before.cpu_time = cpu_time;
    const bool is_busy = still >= patience_ && cpu_time - before.cpu_time >= 5 * patience_ / share_of_busy;
    if (stands && !std::exchange(before.told_stuck, true))
      stuck.push_back({c.number, waits_for_a_lock(c.system_thread) ? reason::lock : reason::system});
    if (is_busy && !stands && !before.told_busy) busy.push_back(c.number);
  });
  mine_.rest.store(at_rest == cores_ ? mine_.rest.load(relaxed) + 1 : 0, relaxed);
  if (most_wait(at_rest)) {
    for (const std::int64_t core : busy) {
      by_core_[core].told_busy = true;
      stuck.push_back({core, reason::busy});
    }
  }
  if (!stuck.empty()) tell_of(stuck);
}

// Counts the cores of this locale, and assumes as many in every other one.
bool watchdog::most_wait(int cores_at_rest) const {
  int waiting = cores_at_rest, others = cores_ - cores_at_rest;
  for (const node::pulse* const its : pulses_) {
    if (!its || its == &mine_ || its->ended.load(relaxed)) continue;
    (its->rest.load(relaxed) > 0 ? waiting : others) += cores_;
  }
  return waiting >= others;
}

// True if the core has polled without work since the last check, and no task resumes by itself.
bool watchdog::is_at_rest(const tasks::scheduler& core, core_watch& before) {
  const auto& now = core.signs();
  const std::uint64_t idle_turns = now.idle_turns.load(relaxed), work = now.work.load(relaxed);
  const bool turned = std::exchange(before.idle_turns, idle_turns) != idle_turns;
  const bool worked = std::exchange(before.work, work) != work;
  return turned && !worked && now.pausing.load(relaxed) == 0;
}

void watchdog::tell_of(const std::vector<stuck_core>& stuck) {
  print_reports();
  for (const stuck_core& core : stuck) {
    const bool in_lock = core.by == stuck_core::reason::lock, is_busy = core.by == stuck_core::reason::busy;
    std::string text =
        is_busy ? fmt::format(
                      "core {} has been busy for {} s without starting a task or handling a message, while "
                      "others wait: what it does is above. The job goes on",
                      core.number, seconds_of(patience_))
                : fmt::format("core {} has made no progress for {} s, waiting for {}: its stack is above",
                              core.number, seconds_of(patience_), in_lock ? "a lock" : "the system");
    if (in_lock || is_busy) text += advice;
    if (in_lock) base::fail(exit_status::hung, text);
    tasks::print_lines(fmt::format("[locale {}] ", me_), {text});
  }
}

// Retries, because idle cores use the transport nearly all the time.
void watchdog::hear_of_nodes(duration most, bool leaving) {
  if (!with_nodes_) return;
  const std::lock_guard lock(exchanging_);
  heard_of_nodes_ = false;
  if (left_) return;
  left_ = leaving;
  node::pulse of_node = {};
  of_node.beats = mine_.beats.load(relaxed);
  of_node.process = mine_.process.load(relaxed);
  of_node.ended = leaving;
  of_node.asks = mine_.asks.load(relaxed);
  of_node.rest = ~std::uint64_t{0};
  of_node.has_told = 1;
  for (const node::pulse* its : pulses_) {
    if (!its || is_distant(its)) continue;
    of_node.rest = std::min(of_node.rest.load(relaxed), its->rest.load(relaxed));
    of_node.has_told = of_node.has_told.load(relaxed) & its->has_told.load(relaxed);
  }
  const auto end = clock::now() + most;
  while (!with_nodes_(of_node)) {
    if (clock::now() >= end) return;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  heard_of_nodes_ = true;
}

void watchdog::leave() { hear_of_nodes(std::chrono::seconds(1), true); }

void watchdog::look_at_peers(duration since) {
  std::vector<std::string> silent;
  duration least = duration::max();
  locale_id first_awake = me_;
  for (locale_id peer = 0; peer < static_cast<locale_id>(pulses_.size()); ++peer) {
    const node::pulse* const its = pulses_[peer];
    if (!its || peer == me_ || its->ended.load(relaxed)) continue;
    const std::uint64_t beats = its->beats.load(std::memory_order_acquire);
    // No news of other nodes arrive while this node's cores occupy the transport.
    const duration waited = is_distant(its) && !heard_of_nodes_ ? duration(0) : since;
    const duration still = peers_[peer].look(beats, waited, 2 * period_);
    if (still < patience_) {
      if (!is_distant(its)) first_awake = std::min(first_awake, peer);
    } else if (is_distant(its) || !is_held_by_a_debugger(its->process.load(relaxed))) {
      silent.push_back(describe(peer, *its));
      least = std::min(least, still);
    }
  }
  // One of the locales reports it; the others do somewhat later, in case it cannot.
  if (silent.empty() || (first_awake != me_ && least < patience_ + 8 * period_)) return;
  base::fail(exit_status::peer_lost, fmt::format("no sign of life from {} for {} s{}",
                                                 fmt::join(silent, ", "), seconds_of(least), advice));
}

// Checks whether all locales are at rest; called by the first locale.
void watchdog::look_at_job() {
  const bool one_node =
      std::all_of(pulses_.begin(), pulses_.end(), [](auto* p) { return p && !is_distant(p); });
  const duration due = one_node ? std::min<duration>(patience_, most_rest) : patience_;
  const auto needed = std::max(least_rest, static_cast<std::uint64_t>(due / period_));
  for (locale_id peer = 0; peer < static_cast<locale_id>(pulses_.size()); ++peer) {
    const node::pulse* const its = pulses_[peer];
    if (!its) continue;  // another locale of its node speaks for it
    if (its->ended.load(relaxed) || its->rest.load(relaxed) < needed) return;
    if (peers_[peer].still() > 2 * period_) return;  // its pulse is old
  }
  mine_.asks.store(1, relaxed);
  print_reports();
  const auto all_have_told = [&] {
    return std::all_of(pulses_.begin() + 1, pulses_.end(),
                       [](const node::pulse* p) { return !p || p->has_told.load(relaxed) == 1; });
  };
  await(all_have_told, 2 * period_ + time_to_report);
  base::fail(exit_status::hung,
             fmt::format("the job hangs: no core has had anything to do for {} s, and the main task waits; "
                         "what each task waits for is above{}",
                         seconds_of(due), advice));
}

// Answers the first locale's request for reports. It may come by way of the first locale of this node.
void watchdog::answer() {
  if (me_ == 0 || mine_.has_told.load(relaxed)) return;
  const auto asks = [](const node::pulse* p) { return p && p->asks.load(relaxed); };
  if (std::none_of(pulses_.begin(), pulses_.end(), asks)) return;
  mine_.asks.store(1, relaxed);
  const node::pulse* const first = pulses_[0];
  const bool in_one_process = first && !is_distant(first) && first->process.load(relaxed) == getpid();
  if (!in_one_process) print_reports();  // otherwise the first locale asks all cores of the process
  mine_.has_told.store(1, relaxed);
}

}  // namespace orujo::internal::watch
