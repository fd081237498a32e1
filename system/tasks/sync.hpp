// Core-local synchronisation that suspends tasks. All of it belongs to one core: only tasks and handlers of
// that core may touch it, so nothing here is atomic. wait-like members suspend [task]; the others may run in
// handlers.
#pragma once

#include <glog/logging.h>

#include <cstddef>
#include <utility>

#include "system/tasks/scheduler.hpp"

namespace orujo::tasks {

// Counts what is outstanding; wait() returns at zero.
class join_counter {
 public:
  explicit join_counter(std::size_t outstanding = 0) : outstanding_(outstanding) {}
  void add(std::size_t more = 1) { outstanding_ += more; }
  void complete(std::size_t done = 1) {
    DCHECK_GE(outstanding_, done);
    outstanding_ -= done;
    if (outstanding_ == 0) scheduler::here()->wake_all(waiting_);
  }
  void wait() {
    while (outstanding_ != 0) scheduler::here()->suspend(waiting_, "a join counter");
  }

 private:
  std::size_t outstanding_;
  wait_queue waiting_;
};

// A word with a full/empty bit (as on the Cray MTA and in Qthreads).
template <class T>
class full_empty {
 public:
  bool full() const { return full_; }
  // Stores and marks full, whatever was there.
  void write_full(T value) {
    value_ = std::move(value);
    full_ = true;
    scheduler::here()->wake_all(readers_);
  }
  // Waits until empty, then stores and marks full.
  void write_when_empty(T value) {
    while (full_) scheduler::here()->suspend(writers_, "a full/empty bit to become empty");
    write_full(std::move(value));
  }
  // Waits until full; leaves it full.
  const T& read_when_full() {
    while (!full_) scheduler::here()->suspend(readers_, "a full/empty bit to become full");
    return value_;
  }
  // Waits until full, takes the value and marks empty.
  T take_when_full() {
    read_when_full();
    full_ = false;
    scheduler::here()->wake_all(writers_);
    return std::move(value_);
  }

 private:
  T value_{};
  bool full_ = false;
  wait_queue readers_, writers_;
};

// Mutual exclusion of tasks of one core across their suspensions; first come first served.
class mutex {
 public:
  void lock() {
    if (locked_) return scheduler::here()->suspend(waiting_, "a mutex");  // unlock hands it over locked
    locked_ = true;
  }
  void unlock() {
    DCHECK(locked_);
    if (worker* w = waiting_.pop()) return scheduler::here()->wake(w);
    locked_ = false;
  }

 private:
  bool locked_ = false;
  wait_queue waiting_;
};

// A counting semaphore.
class semaphore {
 public:
  explicit semaphore(std::size_t permits) : permits_(permits) {}
  void acquire() {
    while (permits_ == 0) scheduler::here()->suspend(waiting_, "a semaphore");
    --permits_;
  }
  void release() {
    ++permits_;
    if (worker* w = waiting_.pop()) scheduler::here()->wake(w);
  }

 private:
  std::size_t permits_;
  wait_queue waiting_;
};

// Waits for a condition of the core's own data: `while (!condition) variable.wait();`, notify after a change.
class condition_variable {
 public:
  void wait() { scheduler::here()->suspend(waiting_, "a condition variable"); }
  void notify_one() {
    if (worker* w = waiting_.pop()) scheduler::here()->wake(w);
  }
  void notify_all() { scheduler::here()->wake_all(waiting_); }

 private:
  wait_queue waiting_;
};

}  // namespace orujo::tasks
