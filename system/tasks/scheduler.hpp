// One core's scheduler: runs tasks on pooled workers and lets them suspend, wake and yield.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/base/ring.hpp"
#include "system/tasks/context.hpp"
#include "system/tasks/stack.hpp"
#include "system/tasks/task.hpp"

namespace orujo::internal::tasks {

// A stack and a saved context; runs one task at a time. Belongs to one core for life.
// Lies at the top of its stack, so that a switch touches one page; what it touches comes first.
struct alignas(64) worker {
  context saved;
  const char* waits_for = "";  // while it does not run; its_turn when it is ready
  worker* next = nullptr;      // in the one list it is in: free, or a wait_queue
  [[no_unique_address]] tasks::stack stack;
  bool runs_public = false;  // its task came from the task_source; lies in the padding of `stack`
  task running;
};

inline constexpr const char* its_turn = "its turn";

// Suspended workers, first in first out. Used by one core only.
class wait_queue {
 public:
  bool empty() const { return first_ == nullptr; }
  void push(worker* w) {
    w->next = nullptr;
    (first_ ? last_->next : first_) = w;
    last_ = w;
  }
  worker* pop() {
    worker* w = first_;
    if (w) first_ = w->next;
    return w;
  }

 private:
  worker* first_ = nullptr;
  worker* last_ = nullptr;
};

// The duties of a core beside its tasks; the message layer implements them.
class poller {
 public:
  // Handles what has arrived, on the scheduler's own stack; true if there was anything. Cheap when there is
  // nothing.
  virtual bool poll() = 0;
  // Called when no task can run. Sends waiting messages and makes transports progress; returns true if there
  // were any.
  virtual bool idle() = 0;
  // Called when idle() has failed for a while. Gives up the CPU until there is work, for at most `most`.
  // `waited` is the time without work; events that cannot wake the core may add a share of it as delay.
  virtual void sleep(std::chrono::nanoseconds most, std::chrono::nanoseconds waited);

 protected:
  ~poller() = default;
};

// A source of tasks for a core that has none, which also serves other cores; public tasks implement it.
class task_source {
 public:
  // Spawns a private task that becomes the next to begin, and counts as public; false if there is none to be
  // had at once. Sends nothing.
  virtual bool refill() = 0;
  // Returns whether refill() would find a task now, before the core sleeps. A sender that comes later sees
  // that the core is about to sleep.
  virtual bool can_refill() = 0;
  // On the scheduler's own stack, when refill() failed and nothing else is to do: may send for more.
  virtual void seek() = 0;
  // On the scheduler's own stack, at its next turn after wants_to_share: sends work to other cores.
  virtual void share() = 0;
  bool wants_to_share = false;

 protected:
  ~task_source() = default;
};

struct scheduler_options {
  std::size_t stack_bytes = 128 << 10;
  std::uint64_t chaos_seed = 0;  // not 0: ready workers run in a random order
  stack_guard guard = stack_guard::advised;
  bool crowded = false;  // more cores than CPUs: without work, this one lets others run at once
};

// Every member is for the owning core only; those marked [task] only inside a task.
//
// Ready workers run in turn. A turn of the loop is up to 16 switches between them. The oldest private task
// begins every other turn, and whenever no worker is ready. A public task begins when there is no private one
// to begin and no begun public task of this core is ready: a begun task is lost to other cores. A suspended
// task is not ready, so a core begins others until replies come.
//
// A task may yield until a public task has run. So public tasks also begin beside r ready ones, one every 4 r
// turns, but at least every 1,024 turns (turns_between_public). Ready private tasks delay a public task
// by one turn.
class scheduler {
 public:
  explicit scheduler(const scheduler_options& options);
  scheduler(const scheduler&) = delete;
  ~scheduler();

  static constexpr base::core_part part = base::core_part::scheduler;
  // The scheduler of the calling core. A misuse on other threads.
  static scheduler* here() { return &base::part_of_this_core<scheduler>(); }
  // The scheduler of the calling core, or null on other threads; for signal handlers and the like.
  static scheduler* here_if_any() { return base::part_here<scheduler>(); }

  // Before run(): sets the source that is asked when no task is left.
  void refill_from(task_source& more) { more_ = &more; }
  bool can_refill() const { return more_ && more_->can_refill(); }
  // Runs tasks until stop(); the calling thread is the core. Tasks that have not finished by then never will.
  void run(poller& poller);
  void stop() { stopping_ = true; }

  // Adds a private task: it runs on this core, after those added before it.
  void spawn(task&& t) { tasks_.push(std::move(t)); }
  // The same on a stack of its own size (the main task).
  void spawn(task&& t, std::size_t stack_bytes);

  // [task] Lets others run and goes on after the ready ones.
  void yield() {
    if (!may_suspend()) [[unlikely]]
      refuse_to_suspend(its_turn);
    if (ready_.empty()) switches_left_ = 0;  // nobody else to run: look for messages at least
    current_->waits_for = its_turn;
    ready_.push(ready_worker{current_, context::here()});
    leave();
  }
  // [task] Parks the running worker in `in` until somebody pops it and calls wake. A misuse in a handler.
  void suspend(wait_queue& in, const char* waits_for) {
    if (!may_suspend()) [[unlikely]]
      refuse_to_suspend(waits_for);
    current_->waits_for = waits_for;
    if (current_->runs_public) [[unlikely]]
      --runnable_public_;
    in.push(current_);
    leave();
  }
  // [task] Lets others run for at least `time`, and little more. Pass to_look_again if the task polls for the
  // work of others: a job in which nothing else goes on then counts as hung.
  enum class pauses { for_its_time, to_look_again };
  void pause(std::chrono::nanoseconds time, const char* waits_for = "its pause to end",
             pauses why = pauses::for_its_time);
  // [task] Until it suspends next, the task only polls for the completion of others. A core with nothing else
  // to do need not stay awake for it.
  void only_looks() { only_looked_ = ready_.empty(); }
  // While it is so, a core without work may get some from outside the job: a watchdog waits with it.
  void expect_work_from_outside(bool expected) { add(signs_.pausing, expected ? 1u : ~0u); }
  bool has_pausing_tasks() const { return !sleepers_.empty(); }
  // Makes a suspended worker of this core ready.
  void wake(worker* w) {
    w->waits_for = its_turn;
    if (w->runs_public) [[unlikely]]
      ++runnable_public_;
    ready_.push(ready_worker{w, w->saved.goes_on()});
  }
  void wake_all(wait_queue& waiting) {
    while (worker* w = waiting.pop()) wake(w);
  }

  // Tasks that could run now: new ones and those that go on.
  std::size_t ready_tasks() const { return ready_.size() + tasks_.size(); }

  // The running worker; null on the scheduler's own stack, which is where handlers run.
  worker* current() const { return current_; }
  // The stack of the scheduler itself.
  const context& own_stack() const { return native_; }
  // True where suspending is allowed: in a task, and not in a handler that the task runs in place.
  bool may_suspend() const { return current_ != nullptr && handler_depth_ == 0; }

  // [any thread or signal handler] Every core of this process prints where its tasks are, at its next turn.
  static void request_reports() { reports_requested_.fetch_add(1, std::memory_order_relaxed); }
  // [any thread] False while the last request has not been answered.
  bool has_reported() const {
    return reports_given_.load(std::memory_order_acquire) ==
           reports_requested_.load(std::memory_order_relaxed);
  }
  // The state that a watchdog inspects. The core writes it and any thread may read it.
  struct vital_signs {
    std::atomic<std::uint64_t> idle_turns{0};  // turns of the loop that found nothing to do
    std::atomic<std::uint64_t> work{0};        // tasks begun and messages handled, about; none is left out
    std::atomic<std::uint32_t> pausing{0};     // tasks that go on by themselves, and what lies outside
  };
  const vital_signs& signs() const { return signs_; }
  void count_work(std::uint64_t amount) { add(signs_.work, amount); }

  // Describes this core's tasks: a line with their number, then at most `most_lines` lines (task_report.cpp).
  std::vector<std::string> describe_tasks(std::size_t most_lines = 50) const;

  // Marks code that must not suspend while it runs: message handlers.
  class handler_scope {
   public:
    explicit handler_scope(scheduler& s) : scheduler_(s) { ++scheduler_.handler_depth_; }
    ~handler_scope() { --scheduler_.handler_depth_; }
    handler_scope(const handler_scope&) = delete;

   private:
    scheduler& scheduler_;
  };
  // Runs f as a message handler, also within a task. f must not suspend. An exception that leaves f ends the
  // job, as it does at any other core.
  template <class F>
  decltype(auto) run_as_handler(F&& f) noexcept {
    const handler_scope in_handler(*this);
    return std::forward<F>(f)();
  }

  // In a child that the running task or handler has forked: no task goes on there.
  static void leave_job_in_child();

 private:
  friend struct debugger_view;
  template <class Number>
  static void add(std::atomic<Number>& to, Number amount) {  // by the only thread that writes it
    to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void report();
  static void worker_main();
  worker* make_worker(std::size_t stack_bytes = 0);
  // Gets a public task to begin next; false if there is none.
  bool refill() {
    turns_since_refill_ = 0;
    return more_ && more_->refill();
  }
  void begin_public_on(worker& w) {
    w.runs_public = true;
    ++runnable_public_;
  }
  bool has_to_share() const { return tasks_.empty() && more_ && more_->wants_to_share; }
  void resume(worker* w);
  void wake_sleepers();
  void run_tasks(worker& on);
  void shuffle_ready();
  [[noreturn]] void refuse_to_suspend(const char* waits_for) const;
  static std::string name_task();

  // A ready worker, and where about on its stack it goes on: to fetch both into the cache without waiting for
  // one to learn the other.
  struct ready_worker {
    worker* who = nullptr;
    const char* goes_on = nullptr;
  };
  static constexpr std::size_t switches_ahead = 8;

  // The oldest ready worker, or null.
  worker* next_ready() {
    const std::size_t count = ready_.size();
    if (count == 0) return nullptr;
    if (options_.chaos_seed != 0) [[unlikely]]
      shuffle_ready();
    if (count > switches_ahead) {
      const ready_worker& soon = ready_[switches_ahead];
      __builtin_prefetch(soon.who);
      context::prefetch(soon.goes_on);
    }
    return ready_.pop().who;
  }

  // Does what leave() does for a worker that handles exceptions, or unwinds its stack for one. Its stack
  // keeps them meanwhile, so the thread has none at any jump.
  [[gnu::noinline, gnu::cold]] void leave_with_exceptions() {
    const exceptions_in_use mine = std::exchange(*exceptions_, {});
    leave();
    *exceptions_ = mine;
  }
  // Switches from the running worker to whatever runs next. In line down to the jump: a return after a jump
  // from elsewhere is always mispredicted.
  [[gnu::always_inline]] void leave() {
    worker* const self = current_;
    if (context::here() < self->saved.stack_bottom()) [[unlikely]]
      stack_pool::fail_for_overflow(self->running.origin());
    if (exceptions_->any()) [[unlikely]]
      return leave_with_exceptions();
    context* to = &native_;
    if (switches_left_-- > 0) {
      if (worker* const w = next_ready()) {
        if (w == self) return;
        current_ = w;
        to = &w->saved;
      }
    }
    context::switch_to(self->saved, *to);
  }

  static inline std::atomic<unsigned> reports_requested_{0};

  const scheduler_options options_;
  stack_pool stacks_;
  context native_;
  worker* current_ = nullptr;
  exceptions_in_use* exceptions_ = nullptr;  // the thread's
  int handler_depth_ = 0;
  bool only_looked_ = false;  // the last worker to leave
  int switches_left_ = 0;     // worker-to-worker switches until the scheduler's loop polls again
  bool stopping_ = false;
  base::ring<ready_worker> ready_;
  worker* free_ = nullptr;  // the last that finished first: its stack is warm
  struct sleeper {
    std::chrono::steady_clock::time_point until;
    worker* who;
    bool operator>(const sleeper& other) const { return until > other.until; }
  };
  std::priority_queue<sleeper, std::vector<sleeper>, std::greater<>> sleepers_;
  base::ring<task> tasks_;
  task_source* more_ = nullptr;
  std::size_t runnable_public_ = 0;  // public tasks that have begun and are not suspended
  std::size_t turns_since_refill_ = 0;
  random_stream chaos_;
  std::vector<worker*> workers_;
  std::atomic<unsigned> reports_given_{0};
  vital_signs signs_;
};

// A core whose scheduler runs. bin/gdb_tasks.py reads these fields: all are 8 bytes.
struct running_core {
  running_core* next;
  scheduler* core;
  std::int64_t locale, number;
  pthread_t thread;
  std::int64_t system_thread;  // gdb's LWP
};

// [any thread] Calls visit for every running core of this process. The cores continue to run, but none can
// end meanwhile.
void for_each_running_core(const std::function<void(const running_core&)>& visit);

// [task or handler] Starts f as a task of the calling core, after the tasks added before. f may hold
// references, and is moved into the task. Nothing tells when the task ends: use a join_counter. Costs no
// message.
template <class F>
void spawn(F&& f, call_site origin = call_site::current()) {
  scheduler::here()->spawn(task(std::forward<F>(f), origin.function_name()));
}
// [task; suspends] Lets the other ready tasks of the core run, and continues after them. Call it in long
// loops, so that the core handles its messages.
inline void yield() { scheduler::here()->yield(); }

}  // namespace orujo::internal::tasks
