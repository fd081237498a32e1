// A round trip between core 0 and the job's last core, otherwise idle. It is a blocking delegate, beside the
// minimum that the hardware or MPI allows.
//   bin/orujo bench -c 2 --filter=round_trip        two cores of a locale
//   bin/orujo bench -n 2 -c 1 --filter=round_trip   two locales
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/messages/mailbox.hpp"
#include "tests/at_home.hpp"
#include "tests/mpi_reference.hpp"

namespace orujo::internal::messages {
namespace {

void round_trip_by_delegate(benchmark::State& state) {
  if (cores() < 2) return state.SkipWithError("needs two cores: -c 2 or -n 2");
  std::uint64_t sum = 0;
  for (auto _ : state) sum += delegates::call(cores() - 1, [] { return std::uint64_t{1}; });
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(round_trip_by_delegate)->UseRealTime();

// The same after so long without work that both cores sleep: the caller is woken to call, by its clock, and
// the pause is not counted.
void round_trip_to_a_sleeping_core(benchmark::State& state) {
  if (cores() < 2) return state.SkipWithError("needs two cores: -c 2 or -n 2");
  std::uint64_t sum = 0;
  for (auto _ : state) {
    tasks::scheduler::here()->pause(std::chrono::milliseconds(state.range(0)));
    const auto start = std::chrono::steady_clock::now();
    sum += delegates::call(cores() - 1, [] { return std::uint64_t{1}; });
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(round_trip_to_a_sleeping_core)->Arg(3)->Arg(50)->Iterations(100)->UseManualTime();

// The last core of this locale answers until it is told to stop, deaf to messages.
template <class Answer, class Measure>
void with_answering_core(benchmark::State& state, const Answer& answer, const Measure& measure) {
  if (my_locales_cores() < 2) return state.SkipWithError("needs two cores of one locale: -c 2");
  delegates::completion_event answered;
  std::atomic<bool> begun{false};
  delegates::async_spawn(answered, my_locales_cores() - 1, [&answer, &begun] {
    begun = true;
    answer();
  });
  while (!begun) tasks::yield();
  measure();
  answered.wait();
}

// Two words, each written by one thread.
void round_trip_by_two_atomics(benchmark::State& state) {
  struct alignas(128) line {
    std::atomic<std::int64_t> value{0};
  };
  line there, back;
  with_answering_core(
      state,
      [&] {
        for (std::int64_t last = 0; last >= 0; back.value.store(last, std::memory_order_release)) {
          std::int64_t seen;
          while ((seen = there.value.load(std::memory_order_acquire)) == last) {
          }
          last = seen;
        }
      },
      [&] {
        std::int64_t round = 0;
        const auto send = [&](std::int64_t value) {
          there.value.store(value, std::memory_order_release);
          while (back.value.load(std::memory_order_acquire) != value) {
          }
        };
        for (auto _ : state) send(++round);
        send(-1);
      });
}
BENCHMARK(round_trip_by_two_atomics)->UseRealTime();

// One node that travels between two mailboxes, as blocks do.
void round_trip_by_two_mailboxes(benchmark::State& state) {
  struct alignas(128) node {
    node* next = nullptr;
    bool last = false;
  };
  mailbox<node> there, back;
  node letter;
  const auto await = [](mailbox<node>& box) {
    for (;;) {
      if (node* arrived = box.take_all()) return arrived;
    }
  };
  with_answering_core(
      state,
      [&] {
        for (bool last = false; !last;) {
          node* arrived = await(there);
          last = arrived->last;
          back.push(arrived);
        }
      },
      [&] {
        const auto send = [&] {
          there.push(&letter);
          await(back);
        };
        for (auto _ : state) send();
        letter.last = true;
        send();
      });
}
BENCHMARK(round_trip_by_two_mailboxes)->UseRealTime();

// 8 bytes there and 8 back between the first two locales.
void round_trip_by_mpi(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  constexpr int rounds = 10'000;
  for (auto _ : state) {
    double took = 0;
    loops::on_all_cores([to = at_home(took)] {
      const double mine = seconds_within_mpi([] {
        std::uint64_t word = 0;
        const MPI_Comm world = reference_world();
        for (int k = 0; k < rounds && my_locale() < 2; ++k) {
          const int other = 1 - my_locale();
          if (my_locale() == 0) MPI_Send(&word, 1, MPI_UINT64_T, other, 0, world);
          MPI_Recv(&word, 1, MPI_UINT64_T, other, 0, world, MPI_STATUS_IGNORE);
          if (my_locale() == 1) MPI_Send(&word, 1, MPI_UINT64_T, other, 0, world);
        }
      });
      if (my_core() == 0) *to = mine;
    });
    state.SetIterationTime(took / rounds);
  }
}
BENCHMARK(round_trip_by_mpi)->UseManualTime()->Iterations(20);

}  // namespace
}  // namespace orujo::internal::messages
