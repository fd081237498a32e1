// The explorer behind interleavings.hpp, as the hooks see it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/tasks/context.hpp"
#include "tests/model/interleavings.hpp"
#include "tests/model/memory.hpp"

namespace orujo::internal::model {

// The choices of a run, by which another run goes another way.
class choices {
 public:
  explicit choices(const limits& bounds) : random_runs_(bounds.random_runs), random_(bounds.seed) {}
  // One of 0 .. count - 1; the first is the way without a switch or an old value.
  std::size_t among(std::size_t count);
  // Before a further run; false if there is none.
  bool advance(std::uint64_t runs);

 private:
  struct choice {
    std::size_t count, taken;
  };
  const std::uint64_t random_runs_;
  random_stream random_;
  std::vector<choice> taken_;
  std::size_t next_ = 0;
};

// The state of one exploration at a time; one thread.
class explorer {
 public:
  explorer(const limits& bounds, const weakening& weaken)
      : bounds_(bounds), weaken_(weaken), choices_(bounds) {}

  outcome go(const std::function<void(run&)>& scenario);

  // Null where nothing is explored, or the explorer itself is at work.
  static explorer* active() { return active_; }
  // While it is there, what is done is not the threads'.
  class pause {
   public:
    pause() : was_(std::exchange(active_, nullptr)) {}
    ~pause() { active_ = was_; }
    pause(const pause&) = delete;

   private:
    explorer* const was_;
  };

  // By the running thread, while a pause is there. Begins an atomic operation: others may go on first.
  // Returns the order that it gets.
  int begin(operation what, const void* at, int order);
  // Memory access after that. Memory has `now`, the newest value; the caller writes others there.
  std::uint64_t load(const void* at, std::size_t bytes, std::uint64_t now, int order, bool newest);
  void store(const void* at, std::size_t bytes, std::uint64_t now, std::uint64_t value, int order);
  void update(operation what, const void* at, std::size_t bytes, std::uint64_t before, std::uint64_t after,
              int order);
  void fence(int order);
  // The running thread's store is put off until it calls catch_up().
  void put_off(std::function<void()> store);
  void catch_up();
  void plain(const void* at, std::size_t bytes, bool writes);
  void forget(const void* at, std::size_t bytes);
  void yield();
  void yield_until_rest();
  // Another thread may go on here.
  void pass();
  void wait_on(const void* at);
  void wake_one_on(const void* at);
  [[noreturn]] void fail(const std::string& what);
  // By a thread, or in the end.
  static void fail_here(const char* what);

 private:
  enum class state { ready, yields, yields_until_rest, waits, ended };
  struct thread {
    tasks::context saved;
    std::unique_ptr<std::byte[]> stack;
    state now = state::ready;
    const void* waits_on = nullptr;
    int turns = 0;  // that it has had while nothing changed
    std::vector<std::function<void()>> put_off;
  };
  struct step {
    int thread;
    operation what;
    const void* at;
    std::uint64_t value;
    int order;
  };

  void one_run(const std::function<void(run&)>& scenario);
  void run_threads();
  static void thread_main();
  void switch_to(int thread);
  void end_yields();
  // The threads in that state whose turn it is.
  std::size_t whose_turn(state of, std::array<int, most_threads>& may) const;
  bool is_on_my_stack(const void* at) const;
  [[noreturn]] void fail_at(const std::string& race, const void* at);
  void touch_atomic(const void* at, std::size_t bytes, bool writes);
  void note(operation what, const void* at, std::uint64_t value, int order);
  std::string story() const;
  int threads() const { return static_cast<int>(current_->bodies_.size()); }

  static inline explorer* active_ = nullptr;
  static inline explorer* running_ = nullptr;
  const limits bounds_;
  const weakening weaken_;
  choices choices_;
  outcome found_;

  // State of one run.
  run* current_ = nullptr;
  memory memory_;
  int me_ = 0;  // 0: sets up, or checks in the end
  int preemptions_left_ = 0, stale_left_ = 0;
  std::vector<step> steps_;
  tasks::context native_;
  std::vector<std::unique_ptr<thread>> threads_{most_threads};
};

}  // namespace orujo::internal::model
