// One core's scheduler: runs tasks on pooled workers and lets them suspend, wake and yield.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/random.hpp"
#include "system/base/ring.hpp"
#include "system/tasks/context.hpp"
#include "system/tasks/stack.hpp"
#include "system/tasks/task.hpp"

namespace orujo::tasks {

// A stack and a saved context; runs one task at a time. Belongs to one core for life.
struct worker {
  context saved;
  tasks::stack stack;
  task running;
  worker* next = nullptr;      // in the one list it is in: ready, free, or a wait_queue
  const char* waits_for = "";  // while suspended
};

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
  // The first; the others follow by `next`, whose last is null. For diagnostics.
  worker* front() const { return first_; }

 private:
  worker* first_ = nullptr;
  worker* last_ = nullptr;
};

// What a core does beside running tasks; the message layer implements it.
class poller {
 public:
  // Handles what has arrived, on the scheduler's own stack; true if there was anything. Cheap when there is
  // nothing.
  virtual bool poll() = 0;
  // Called when no task can run: sends what is waiting to be sent and makes transports progress; true if any
  // did.
  virtual bool idle() = 0;

 protected:
  ~poller() = default;
};

// Where a core without tasks of its own finds some, and what it does for others that have none; public tasks
// implement it.
class task_source {
 public:
  // Spawns a private task; false if there is none to be had at once. Sends nothing.
  virtual bool refill() = 0;
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
};

// Every member is for the owning core only; those marked [task] only inside a task.
class scheduler {
 public:
  explicit scheduler(const scheduler_options& options);
  scheduler(const scheduler&) = delete;
  ~scheduler();

  // The scheduler of the calling core; null on other threads.
  static scheduler* here() { return here_; }

  // Before run(): what is asked when no task is left.
  void refill_from(task_source& more) { more_ = &more; }
  // Runs tasks until stop(); the calling thread is the core. Tasks that have not finished by then never will.
  void run(poller& poller);
  void stop() { stopping_ = true; }

  // Adds a private task: it runs on this core, after those added before it.
  void spawn(task t) { tasks_.push(std::move(t)); }
  // The same on a stack of its own size (the main task).
  void spawn(task t, std::size_t stack_bytes);

  // [task] Lets others run and goes on after the ready ones.
  void yield();
  // [task] Parks the running worker in `in` until somebody pops it and calls wake. A CHECK fails in a
  // handler.
  void suspend(wait_queue& in, const char* waits_for);
  // Makes a suspended worker of this core ready.
  void wake(worker* w) {
    ready_.push(w);
    ++ready_count_;
  }
  void wake_all(wait_queue& waiting) {
    while (worker* w = waiting.pop()) wake(w);
  }

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
  // Where this core's tasks are: a line with their number, then at most so many (task_report.cpp).
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

 private:
  friend struct debugger_view;
  void report();
  static void worker_main();
  worker* make_worker(std::size_t stack_bytes = 0);
  bool has_task() { return !tasks_.empty() || (more_ && more_->refill()); }
  worker* next_ready();
  void resume(worker* w);
  void run_tasks(worker& on);
  void leave();  // switches from the running worker to whatever runs next

  static inline thread_local scheduler* here_ = nullptr;
  static inline std::atomic<unsigned> reports_requested_{0};

  const scheduler_options options_;
  stack_pool stacks_;
  context native_;
  worker* current_ = nullptr;
  int handler_depth_ = 0;
  int switches_left_ = 0;  // worker-to-worker switches until the scheduler's loop polls again
  bool stopping_ = false;
  wait_queue ready_;
  std::size_t ready_count_ = 0;
  wait_queue free_;
  ring<task> tasks_;
  task_source* more_ = nullptr;
  random_stream chaos_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::atomic<unsigned> reports_given_{0};
};

// [any task] The calling core's scheduler does it. The origin, shown by diagnostics, is the caller's
// function.
template <class F>
void spawn(F&& f, call_site origin = call_site::current()) {
  scheduler::here()->spawn(task(std::forward<F>(f), origin.function_name()));
}
inline void yield() { scheduler::here()->yield(); }

}  // namespace orujo::tasks
