// Core-local synchronisation that suspends tasks. Each object belongs to one core: only tasks and handlers of
// that core may touch it, so nothing here is atomic. Programs compiled without NDEBUG refuse other cores.
// Wait-like members suspend [task]; the others may run in handlers.
#pragma once

#include <cstddef>
#include <utility>

#include "system/base/check.hpp"
#include "system/base/owning_core.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::tasks {

// Counts what is outstanding; wait() returns when the count is zero. Belongs to one core: only its tasks and
// handlers use it.
class join_counter {
 public:
  // `reason`, a string that outlives the counter, is what diagnostics print that a task in wait() waits for.
  explicit join_counter(std::size_t outstanding = 0, const char* reason = "a join counter")
      : outstanding_(outstanding), reason_(reason) {}
  // [task or handler] Adds to the count.
  void add(std::size_t more = 1) {
    owner_.require_here("a join counter");
    outstanding_ += more;
  }
  // [task or handler] Subtracts from the count, and wakes the waiting tasks at zero. Programs compiled
  // without NDEBUG refuse to go below zero.
  void complete(std::size_t done = 1) {
    owner_.require_here("a join counter");
    base::debug_check(outstanding_ >= done, "more has been done than was outstanding");
    outstanding_ -= done;
    if (outstanding_ == 0) scheduler::here()->wake_all(waiting_);
  }
  // [task; suspends] Returns when the count is zero.
  void wait() {
    owner_.require_here("a join counter");
    while (outstanding_ != 0) scheduler::here()->suspend(waiting_, reason_);
  }

 private:
  std::size_t outstanding_;
  const char* const reason_;
  wait_queue waiting_;
  base::owning_core owner_;
};

// A word with a full/empty bit, as on the Cray MTA and in Qthreads. The name of an operation says which bit
// it waits for and which it leaves; its comment has the literature's letters (FE, EF, FF, XF, XX). Belongs to
// one core: only its tasks and handlers use it. It is empty at first.
template <class T>
class full_empty {
 public:
  // [task or handler] Whether the bit is full.
  bool full() const {
    owner_.require_here(name);
    return full_;
  }
  // [task or handler] Returns the value, whatever the bit. XX.
  const T& read() const {
    owner_.require_here(name);
    return value_;
  }
  // [task or handler] Stores the value and marks it full, whatever the bit. XF.
  void write_full(T value) {
    owner_.require_here(name);
    value_ = std::move(value);
    full_ = true;
    scheduler::here()->wake_all(readers_);
  }
  // [task or handler] Marks the word empty, whatever the bit. XE.
  void make_empty() {
    owner_.require_here(name);
    full_ = false;
    scheduler::here()->wake_all(writers_);
  }
  // [task; suspends] Waits until empty, then stores the value and marks it full. EF.
  void write_when_empty(T value) {
    owner_.require_here(name);
    while (full_) scheduler::here()->suspend(writers_, "a full/empty bit to become empty");
    write_full(std::move(value));
  }
  // [task; suspends] Waits until full, then stores the value, and leaves the bit full. FF.
  void write_when_full(T value) {
    read_when_full();
    value_ = std::move(value);
  }
  // [task; suspends] Waits until full, returns the value, and leaves the bit full. FF.
  const T& read_when_full(const char* reason = "a full/empty bit to become full") {
    owner_.require_here(name);
    while (!full_) scheduler::here()->suspend(readers_, reason);
    return value_;
  }
  // [task; suspends] Waits until full, takes the value, and marks the word empty. FE.
  T take_when_full(const char* reason = "a full/empty bit to become full") {
    read_when_full(reason);
    make_empty();
    return std::move(value_);
  }

 private:
  static constexpr const char* name = "a full/empty word";

  T value_{};
  bool full_ = false;
  base::owning_core owner_;
  wait_queue readers_, writers_;
};

// Mutual exclusion of the tasks of one core across their suspensions, in the order of their calls. Works with
// std::lock_guard. Belongs to one core. Tasks that do not suspend within need none, as nothing preempts them.
class mutex {
 public:
  // [task; suspends] Waits until the mutex is free, and locks it.
  void lock() {
    owner_.require_here("a mutex");
    if (locked_) return scheduler::here()->suspend(waiting_, "a mutex");  // unlock hands it over locked
    locked_ = true;
  }
  // [task or handler] Unlocks it, or hands it to the first task that waits.
  void unlock() {
    owner_.require_here("a mutex");
    base::debug_check(locked_, "a mutex is unlocked that is not locked");
    if (worker* w = waiting_.pop()) return scheduler::here()->wake(w);
    locked_ = false;
  }

 private:
  bool locked_ = false;
  base::owning_core owner_;
  wait_queue waiting_;
};

// A counting semaphore for the tasks of one core, in the order of their calls. Belongs to one core.
class semaphore {
 public:
  // With so many permits at first.
  explicit semaphore(std::size_t permits) : permits_(permits) {}
  // [task; suspends] Waits for a permit, and takes it.
  void acquire() {
    owner_.require_here("a semaphore");
    if (permits_ == 0) return scheduler::here()->suspend(waiting_, "a semaphore");  // release hands it over
    --permits_;
  }
  // [task or handler] Gives back a permit, or hands it to the first task that waits.
  void release() {
    owner_.require_here("a semaphore");
    if (worker* w = waiting_.pop()) return scheduler::here()->wake(w);
    ++permits_;
  }

 private:
  std::size_t permits_;
  wait_queue waiting_;
  base::owning_core owner_;
};

// Lets tasks wait for a condition on the core's own data: `while (!condition) variable.wait();`. Notify after
// a change. Belongs to one core. It needs no mutex, as nothing preempts a task between the test and the wait.
class condition_variable {
 public:
  // [task; suspends] Waits for a notification.
  void wait() {
    owner_.require_here(name);
    scheduler::here()->suspend(waiting_, name);
  }
  // [task or handler] Wakes the task that has waited longest, or all.
  void notify_one() {
    owner_.require_here(name);
    if (worker* w = waiting_.pop()) scheduler::here()->wake(w);
  }
  void notify_all() {
    owner_.require_here(name);
    scheduler::here()->wake_all(waiting_);
  }

 private:
  static constexpr const char* name = "a condition variable";

  wait_queue waiting_;
  base::owning_core owner_;
};

// Lets tasks of one core go on when a fixed number of them have come; any number of times.
class barrier {
 public:
  explicit barrier(std::size_t members) : members_(members) {
    require(members > 0, "a barrier of no members");
  }
  void arrive_and_wait() {
    owner_.require_here("a barrier of tasks");
    if (++arrived_ == members_) {
      arrived_ = 0;
      scheduler::here()->wake_all(waiting_);
    } else {
      scheduler::here()->suspend(waiting_, "the others at a barrier");
    }
  }

 private:
  const std::size_t members_;
  std::size_t arrived_ = 0;
  wait_queue waiting_;
  base::owning_core owner_;
};

}  // namespace orujo::internal::tasks
