// Runs a few threads of code in every order that matters, or in random ones, and reports failures.
//
// The code is the library's own. Its sources and its headers' users are compiled for ThreadSanitizer, but
// linked with hooks.cpp instead of its runtime, so every access comes here, atomic or not. Threads are
// contexts of one thread, and before each atomic operation another one may run.
//
// A load may get any value that the orders of C++20 allow. The value must not be overwritten before anything
// that this thread knows of, by happens-before or by fences. A sequentially consistent load gets no older
// value than such operations before it have stored or read. Other accesses must be ordered by happens-before
// (vector clocks), also with atomic operations on the same memory; otherwise it is a data race.
//
// Two effects are not explored: stores to one place in another order than that of execution, and loads of
// values that are stored later (load buffering). litmus_model.cpp has the classical shapes.
//
// A thread that waits in a loop reports it (let_others_run, sched_yield). If all threads wait they run in any
// order, but each runs once before one runs twice. Otherwise a run in which a single thread runs endlessly
// would count, too.
//
// All orders with a bounded number of preemptions are explored (Musuvathi, Qadeer, "Iterative Context
// Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007). Stale values are chosen as by
// Norris, Demsky, "CDSchecker: Checking Concurrent Data Structures Written with C/C++ Atomics", OOPSLA 2013.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace orujo::internal::model {

// The length of sleeps, which only a wake-up ends.
inline constexpr std::chrono::nanoseconds for_ever = std::chrono::hours(1);

struct limits {
  int preemptions = 2;   // switches away from a thread that could go on; of random runs any number
  int stale_values = 2;  // loads that get no newest value
  std::uint64_t most_runs = 300'000;  // then it is not exhausted
  std::uint64_t random_runs = 0;      // not 0: these instead
  std::uint64_t seed = 1;
  std::size_t most_steps = 5'000;  // of one run: with more, a thread is assumed not to end
  // Threads run in one piece except where they wait, yield or call others_may_go(), and nothing is a data
  // race. This is for orders of the messages between them, where their memory is not under test.
  bool in_turns = false;
  // ... and before each exchange, by which locks are taken.
  bool at_exchanges = false;
};

enum class operation { load, store, exchange, add, compare_exchange, fence };

// An atomic operation that is about to be.
struct access {
  operation what;
  const void* at;  // null: a fence
  int order;       // __ATOMIC_...; a fence that is relaxed is none
  int thread;
};
// The order that it gets instead: how the tests weaken code, to see that it is found.
using weakening = std::function<int(const access&)>;
// Instead of an order, of a store: it changes places with the thread's next one.
inline constexpr int after_next_store = -1;

// Threads of one run, and what they share.
class run {
 public:
  // `enter` is called whenever the thread goes on: for what code keeps by thread.
  void thread(std::function<void()> body, std::function<void()> enter = {}) {
    bodies_.push_back(std::move(body));
    enters_.push_back(std::move(enter));
  }
  // When all have ended.
  void finally(std::function<void()> check) { finally_ = std::move(check); }
  // Lives as long as the run.
  template <class T, class... A>
  T& make(A&&... of) {
    auto made = std::make_shared<T>(std::forward<A>(of)...);
    T& value = *made;
    kept_.push_back(std::move(made));
    return value;
  }

 private:
  friend class explorer;
  std::vector<std::function<void()>> bodies_, enters_;
  std::function<void()> finally_;
  std::vector<std::shared_ptr<void>> kept_;
};

struct outcome {
  std::uint64_t runs = 0;
  bool exhausted = false;
  std::string failure;  // the first one and its history, or empty
};

// Not within one.
outcome explore(const limits& bounds, const std::function<void(run&)>& scenario,
                const weakening& weaken = {});

// [in a thread or finally] Has to hold.
void expect(bool holds, const char* what);
// [in a thread] The others go on first.
void let_others_run();
// [in a thread] The others go on first, until all of them have ended, sleep or do this.
void let_others_rest();
// [in a thread] Others may go on here, as before an atomic operation.
void others_may_go();

// Orders weaker than these operations have at any place within the object: acquire becomes relaxed, and so
// on.
weakening without_acquire(const void* object, std::size_t bytes);
weakening without_release(const void* object, std::size_t bytes);

}  // namespace orujo::internal::model
