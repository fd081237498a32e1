#include "system/tasks/scheduler.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

#include "system/base/check.hpp"
#include "system/base/task_name.hpp"
#include "system/observe/metrics.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::tasks {

// The layout that bin/gdb_tasks.py reads, in words of 8 bytes, because a release has no debug information
// about the fields.
struct debugger_view {
  std::uint64_t version = 1;
  running_core* first = nullptr;
  std::uint64_t workers = offsetof(scheduler, workers_);  // two pointers to pointers to workers: begin, end
  std::uint64_t current = offsetof(scheduler, current_);
  std::uint64_t saved = offsetof(worker, saved) + context::offset_of_saved();
  std::uint64_t origin = offsetof(worker, running) + task::offset_of_origin();
  std::uint64_t waits_for = offsetof(worker, waits_for);
};

}  // namespace orujo::internal::tasks

extern "C" {
// The lock of the registrations protects it.
__attribute__((used)) orujo::internal::tasks::debugger_view orujo_debugger_view;
}

namespace orujo::internal::tasks {
namespace {

const observe::counter tasks_run("tasks.run", "tasks that have run to their end");
const observe::counter workers_made("tasks.workers", "stacks made for tasks");
const observe::counter naps_taken("scheduler.naps",
                                  "times a core without work gave its CPU away for a while");

constexpr observe::trace_kind without_work{"scheduler"};

// The number of direct switches between workers before the scheduler's loop polls for messages again.
constexpr int switches_between_polls = 16;

// Turns of the loop between two public tasks that begin beside `ready` ones: 64 switches for each of these.
// The longest wait is at most a millisecond if they only yield.
constexpr std::size_t turns_between_public(std::size_t ready) {
  return std::min<std::size_t>(4 * ready, 1'024);
}

constexpr auto never = std::chrono::steady_clock::time_point::max();

// Waiting without work: pause, then yield the CPU, then sleep. Jobs may have many more threads than CPUs
// (docs/design/runtime.md).
class back_off {
 public:
  explicit back_off(bool crowded) : pauses_(crowded ? 0 : 32) {}
  void reset() {
    if (turns_ > pauses_ && idle_since_ != 0) [[unlikely]]
      observe::record_span("idle", without_work, idle_since_, last_wait_);
    turns_ = 0;
  }
  // After a question or an answer the reaction is near, so the core stays awake for some turns.
  void stay_awake() { awake_ = turns_awake; }
  // Waits a little; a sleep ends at `due`.
  void wait(poller& poller, std::chrono::steady_clock::time_point due) {
    const bool awake = awake_ > 0;
    awake_ -= awake;
    if (turns_ < pauses_ || (awake && pauses_ > 0)) {
      turns_ += turns_ < pauses_;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
      return;
    }
    const auto now = clock::now();
    if (turns_ == pauses_) {
      ++turns_;
      since_ = counted_ = now;
      idle_since_ = observe::tracing() ? base::ticks() : 0;
    }
    const std::chrono::nanoseconds waited = now - since_;
    if (waited < yielding || awake) {
      sched_yield();
    } else if (due > now) {
      naps_taken.add();
      const std::uint64_t asleep = observe::tracing() ? base::ticks() : 0;
      poller.sleep(std::min<std::chrono::nanoseconds>(due - now, longest_nap), waited);
      if (asleep != 0) [[unlikely]]
        observe::record_span("nap", without_work, asleep, base::ticks());
    }
    count();
    if (idle_since_ != 0) [[unlikely]]
      last_wait_ = base::ticks();
  }

 private:
  using clock = std::chrono::steady_clock;

  // Counted at once, because the code that ends the wait may read the counter.
  void count() {
    const auto now = clock::now();
    observe::waiting_ns.add(static_cast<std::uint64_t>(std::chrono::nanoseconds(now - counted_).count()));
    counted_ = now;
  }

  static constexpr std::chrono::nanoseconds yielding = std::chrono::microseconds(200);
  // The longest delay of events that wake no core, such as requests to print reports.
  static constexpr std::chrono::nanoseconds longest_nap = std::chrono::milliseconds(10);
  static constexpr unsigned turns_awake = 16;
  const unsigned pauses_;
  unsigned turns_ = 0, awake_ = 0;
  std::uint64_t idle_since_ = 0, last_wait_ = 0;  // in ticks, while there is a trace
  clock::time_point since_, counted_;             // counted_ is the end of the time counted as waiting
};

std::mutex& registrations() {
  static std::mutex made;
  return made;
}

// Registers the calling thread's core while it runs.
class core_registration {
 public:
  explicit core_registration(scheduler& core)
      : here_{nullptr,
              &core,
              base::my_identity().locale,
              base::my_identity().core,
              pthread_self(),
              syscall(SYS_gettid)} {
    const std::lock_guard lock(registrations());
    here_.next = orujo_debugger_view.first;
    orujo_debugger_view.first = &here_;
  }

  ~core_registration() {
    const std::lock_guard lock(registrations());
    running_core** at = &orujo_debugger_view.first;
    while (*at != &here_) at = &(*at)->next;
    *at = here_.next;
  }
  core_registration(const core_registration&) = delete;

 private:
  running_core here_;
};

}  // namespace

void poller::sleep(std::chrono::nanoseconds most, std::chrono::nanoseconds waited) {
  std::this_thread::sleep_for(std::min(most, waited / 4));
}

scheduler::scheduler(const scheduler_options& options)
    : options_(options), stacks_(options.stack_bytes, options.guard), chaos_(options.chaos_seed) {}

scheduler::~scheduler() {
  for (worker* w : workers_) w->~worker();
}

void scheduler::run(poller& poller) {
  scheduler* const before = here_if_any();
  base::set_part_here(this);
  base::set_task_namer(&scheduler::name_task);
  native_.adopt_thread_stack();
  exceptions_ = &exceptions_in_use::of_this_thread();
  const exceptions_in_use of_caller = std::exchange(*exceptions_, {});
  reports_given_.store(reports_requested_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  const core_registration registered(*this);
  bool begin_next = false;
  back_off idle(options_.crowded);
  while (!stopping_) {
    const std::uint64_t worked = signs_.work.load(std::memory_order_relaxed);
    const bool handled = poller.poll();
    if (more_ && more_->wants_to_share) more_->share();
    switches_left_ = switches_between_polls;
    if (!has_reported()) [[unlikely]]
      report();
    if (!sleepers_.empty()) wake_sleepers();
    ++turns_since_refill_;
    // Every other turn may begin a new task, so that tasks that only yield do not delay it without end.
    bool is_public = false;
    begin_next = !begin_next && !ready_.empty() &&
                 (!tasks_.empty() ||
                  (is_public = turns_since_refill_ > turns_between_public(runnable_public_) && refill()));
    worker* const w = begin_next ? nullptr : next_ready();
    if (w) {
      resume(w);
    } else if (!tasks_.empty() || (is_public = refill())) {
      worker* fresh = free_ ? std::exchange(free_, free_->next) : make_worker();
      fresh->running = tasks_.pop();
      if (is_public) begin_public_on(*fresh);
      count_work(1);
      resume(fresh);
    } else if (!handled) {
      if (more_) more_->seek();
      if (!poller.idle()) {
        add(signs_.idle_turns, std::uint64_t{1});
        idle.wait(poller, sleepers_.empty() ? never : sleepers_.top().until);
      }
      continue;
    }
    // A core whose tasks only poll for completion, or answer such polls, keeps sleeping in between.
    const bool looked = std::exchange(only_looked_, false) || !w;
    if (!looked || signs_.work.load(std::memory_order_relaxed) != worked) {
      idle.reset();
    } else {
      idle.stay_awake();
    }
  }
  *exceptions_ = of_caller;
  if (base::is_forked_child()) base::detail::refuse_foreign_thread();
  base::set_part_here(before);
}

void scheduler::leave_job_in_child() {
  scheduler* const left = here_if_any();
  if (!left) return;
  left->stopping_ = true;
  left->switches_left_ = 0;  // the next switch is to run(), which ends the child
}

void scheduler::spawn(task&& t, std::size_t stack_bytes) {
  worker* fresh = make_worker(stack_bytes);
  fresh->running = std::move(t);
  wake(fresh);
}

void scheduler::pause(std::chrono::nanoseconds time, const char* waits_for, pauses why) {
  wait_queue alone;
  sleepers_.push({std::chrono::steady_clock::now() + time, current_});
  const std::uint32_t goes_on_by_itself = why == pauses::for_its_time;
  add(signs_.pausing, goes_on_by_itself);
  if (why == pauses::to_look_again) only_looks();
  suspend(alone, waits_for);
  add(signs_.pausing, -goes_on_by_itself);
}

void scheduler::wake_sleepers() {
  const auto now = std::chrono::steady_clock::now();
  for (; !sleepers_.empty() && sleepers_.top().until <= now; sleepers_.pop()) wake(sleepers_.top().who);
}

void scheduler::refuse_to_suspend(const char* waits_for) const {
  if (handler_depth_ > 0) {
    base::misuse(fmt::format(
        "a message handler may not block, and this would wait for {}: spawn a task in the handler, "
        "or use an asynchronous delegate",
        waits_for));
  }
  base::misuse(fmt::format("only a task can wait, and this would wait for {}", waits_for));
}

std::string scheduler::name_task() {
  const scheduler* const here = here_if_any();
  if (!here) return "";
  if (const worker* const w = here->current_)
    return fmt::format("in the task begun by {}", w->running.origin());
  return here->handler_depth_ > 0 ? "in a message handler" : "";
}

void scheduler::shuffle_ready() {
  for (std::uint64_t skip = chaos_.below(ready_.size()); skip > 0; --skip) ready_.push(ready_.pop());
}

worker* scheduler::make_worker(std::size_t stack_bytes) {
  workers_made.add();
  stack made = stacks_.make(stack_bytes);
  made.top -= sizeof(worker);
  worker* w = new (made.top) worker;
  workers_.push_back(w);
  w->stack = made;
  w->saved.make<&scheduler::worker_main>(made.bottom, made.top);
  return w;
}

void scheduler::resume(worker* w) {
  current_ = w;
  context::switch_to(native_, w->saved);
  current_ = nullptr;
}

void scheduler::worker_main() {
  scheduler& core = *here_if_any();
  worker& self = *core.current_;
  for (;;) {
    core.run_tasks(self);
    self.next = std::exchange(core.free_, &self);
    core.leave();
  }
}

// Runs the worker's task, and then further ones without a switch in between, while nothing else is due.
// Public tasks wait until other cores have got their part.
void scheduler::run_tasks(worker& on) {
  for (;;) {
    on.running();
    tasks_run.add();
    stack_pool::check(on.stack, on.running.origin());
    on.running = task();
    if (on.runs_public) [[unlikely]] {
      on.runs_public = false;
      --runnable_public_;
    }
    if (switches_left_-- <= 0 || !ready_.empty() || stopping_ || has_to_share()) return;
    if (tasks_.empty()) {
      if (!refill()) return;
      begin_public_on(on);
    }
    on.running = tasks_.pop();
  }
}

void for_each_running_core(const std::function<void(const running_core&)>& visit) {
  const std::lock_guard lock(registrations());
  for (const running_core* c = orujo_debugger_view.first; c; c = c->next) visit(*c);
}

}  // namespace orujo::internal::tasks
