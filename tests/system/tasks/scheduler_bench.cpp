// The cost of a switch, a spawn and a wait, beside a raw loop of fcontext jumps over as many stacks.
#include "system/tasks/scheduler.hpp"

#include <benchmark/benchmark.h>
#include <gflags/gflags.h>
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

#include "system/tasks/sync.hpp"

DECLARE_uint64(stack_bytes);

namespace orujo::internal::tasks {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// Shown beside the time as "per_switch=4.2n" (seconds).
void report_each(benchmark::State& state, const char* what, std::size_t per_iteration) {
  const auto all = static_cast<double>(state.iterations()) * static_cast<double>(per_iteration);
  state.counters[what] = benchmark::Counter(all, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Contexts that jump to each other in turn, context 0 being the benchmark itself; nothing but the jump and
// the noting of where each goes on.
template <bool Prefetch>
class raw_ring {
 public:
  raw_ring(std::size_t contexts, std::size_t stack_bytes, std::size_t stagger) : saved_(contexts) {
    bytes_ = contexts * stack_bytes;
    void* start =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks_ = start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
    for (std::size_t k = 1; stacks_ && k < contexts; ++k) {
      std::byte* top = stacks_ + (k + 1) * stack_bytes - k % 21 * stagger;
      saved_[k] = make_fcontext(top, stack_bytes / 2, &begin);
    }
  }
  raw_ring(const raw_ring&) = delete;
  ~raw_ring() {
    if (stacks_) munmap(stacks_, bytes_);
  }

  bool ok() const { return stacks_ != nullptr; }
  // Goes on with the next one; returns when the turn comes round.
  void hop() {
    const std::size_t next = after(running_, 1);
    if constexpr (Prefetch) {
      const char* later = static_cast<const char*>(saved_[after(next, 8)]);
      __builtin_prefetch(later);
      __builtin_prefetch(later + 64);
    }
    running_ = next;
    arrived(jump_fcontext(saved_[next], this));
  }

 private:
  static void begin(transfer_t from) {
    auto& ring = *static_cast<raw_ring*>(from.data);
    ring.arrived(from);
    for (;;) ring.hop();
  }
  void arrived(transfer_t from) { saved_[running_ == 0 ? saved_.size() - 1 : running_ - 1] = from.fctx; }
  std::size_t after(std::size_t k, std::size_t distance) const {
    const std::size_t next = k + distance;
    return next < saved_.size() ? next : next % saved_.size();
  }

  std::vector<fcontext_t> saved_;
  std::size_t running_ = 0;
  std::byte* stacks_;
  std::size_t bytes_;
};

template <bool Prefetch>
void raw_jumps(benchmark::State& state) {
  const auto contexts = static_cast<std::size_t>(state.range(0));
  raw_ring<Prefetch> ring(contexts, FLAGS_stack_bytes, static_cast<std::size_t>(state.range(1)));
  if (!ring.ok()) return state.SkipWithError("no memory: give a smaller --stack_bytes");
  for (auto _ : state) ring.hop();  // once around
  report_each(state, "per_switch", contexts);
}

// Workers that only yield; the benchmark's own task is one of them.
void workers_that_yield(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  bool stop = false;
  wait_queue gate;  // so that their turns come in the order of their stacks, as in the raw loop
  std::size_t begun = 1;
  join_counter ended(workers - 1);
  for (std::size_t k = 1; k < workers; ++k) {
    spawn([&] {
      ++begun;
      scheduler::here()->suspend(gate, "all to have begun");
      while (!stop) yield();
      ended.complete();
    });
  }
  while (begun < workers) yield();
  scheduler::here()->wake_all(gate);
  yield();
  for (auto _ : state) yield();
  stop = true;
  ended.wait();
  report_each(state, "per_switch", workers);
}

constexpr std::int64_t stagger = 192;
BENCHMARK(raw_jumps<false>)->ArgNames({"contexts", "stagger"})->Args({2, stagger})->Args({1'000, stagger});
BENCHMARK(raw_jumps<true>)->ArgNames({"contexts", "stagger"})->Args({2, stagger})->Args({1'000, stagger});
BENCHMARK(workers_that_yield)->ArgName("workers")->Arg(2)->Arg(1'000);
BENCHMARK(raw_jumps<false>)->ArgNames({"contexts", "stagger"})->Args({1'000, 0});
BENCHMARK(raw_jumps<false>)
    ->ArgNames({"contexts", "stagger"})
    ->Args({100'000, stagger})
    ->Args({500'000, stagger});
BENCHMARK(raw_jumps<true>)
    ->ArgNames({"contexts", "stagger"})
    ->Args({100'000, stagger})
    ->Args({500'000, stagger});
BENCHMARK(workers_that_yield)->ArgName("workers")->Arg(100'000)->Arg(500'000);

void spawn_and_run_an_empty_task(benchmark::State& state) {
  constexpr std::size_t batch = 1'000;
  for (auto _ : state) {
    join_counter last(1);
    for (std::size_t k = 1; k < batch; ++k) spawn([] {});
    spawn([&] { last.complete(); });
    last.wait();
  }
  report_each(state, "per_task", batch);
}
BENCHMARK(spawn_and_run_an_empty_task);

void suspend_and_wake(benchmark::State& state) {
  wait_queue waiting;
  bool stop = false;
  join_counter ended(1);
  spawn([&] {
    while (!stop) {
      scheduler::here()->wake_all(waiting);
      yield();
    }
    ended.complete();
  });
  for (auto _ : state) scheduler::here()->suspend(waiting, "the other task");
  stop = true;
  ended.wait();
}
BENCHMARK(suspend_and_wake);

}  // namespace
}  // namespace orujo::internal::tasks
