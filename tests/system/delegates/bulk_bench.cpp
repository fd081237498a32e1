// Bulk operations between core 0 and the job's last core, by size. Within a locale (-c 2) they run beside one
// thread's memcpy. Between two locales of one core (-n 2 -c 1) they run beside MPI's own messages between the
// same processes.
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

#include <benchmark/benchmark.h>
#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/memory/global_address.hpp"

namespace orujo::internal::delegates {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

// Memory of the job's last core, touched there; lives as long as the program.
global_address<std::byte> memory_elsewhere() {
  static const auto first = call(cores() - 1, [] {
    static std::vector<std::byte> all(most_bytes, std::byte{1});
    return global_address<std::byte>(my_core(), all.data());
  });
  return first;
}

std::span<std::byte> own_memory(std::size_t bytes) {
  static std::vector<std::byte> all(most_bytes, std::byte{2});
  return std::span(all).first(bytes);
}

void say_bytes(benchmark::State& state) { state.SetBytesProcessed(state.iterations() * state.range(0)); }

void get_bytes(benchmark::State& state) {
  const auto from = memory_elsewhere();
  const auto into = own_memory(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) get(from, into);
  say_bytes(state);
}

void put_bytes(benchmark::State& state) {
  const auto to = memory_elsewhere();
  const std::span<const std::byte> from = own_memory(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) put(to, from);
  say_bytes(state);
}

void memcpy_bytes(benchmark::State& state) {
  static std::vector<std::byte> other(most_bytes, std::byte{1});
  const auto into = own_memory(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    std::memcpy(into.data(), other.data(), into.size());
    benchmark::ClobberMemory();
  }
  say_bytes(state);
}

// Transfers of the same size, each answered by an empty message, as put() waits for its bytes to be there.
// Both ends are tasks that block their only core, so the runtime's own messages rest.
void mpi_bytes(benchmark::State& state) {
  int started = 0;
  MPI_Initialized(&started);
  if (!started || locales() != 2 || cores() != 2) {
    state.SkipWithError("needs two locales of one core each: -n 2 -c 1");
    return;
  }
  constexpr int tag = 1'000'000;
  const auto there = memory_elsewhere().local();
  const auto from = own_memory(static_cast<std::size_t>(state.range(0)));
  const int bytes = static_cast<int>(from.size());
  tasks::join_counter begun(1), ended(1);
  tasks::spawn([&ended, bytes, there, to = &begun] {
    call_task(1, [bytes, there, to] {
      messenger::here().send(0, [to] { to->complete(); });
      messenger::here().flush(0);  // the last that this core does for a while
      for (char more = 1; more;) {
        MPI_Recv(&more, 1, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request request;
        for (int k = 0; more && k < 10; ++k) {
          MPI_Irecv(there, bytes, MPI_BYTE, 0, tag + 1, MPI_COMM_WORLD, &request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
          MPI_Send(nullptr, 0, MPI_BYTE, 0, tag + 2, MPI_COMM_WORLD);
        }
      }
    });
    ended.complete();
  });
  begun.wait();
  int left = 0;
  char more = 1;
  for (auto _ : state) {
    if (left == 0) {
      MPI_Send(&more, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
      left = 10;
    }
    --left;
    MPI_Request request;
    MPI_Isend(from.data(), bytes, MPI_BYTE, 1, tag + 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag + 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (; left > 0; --left) {
    MPI_Send(from.data(), bytes, MPI_BYTE, 1, tag + 1, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag + 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  more = 0;
  MPI_Send(&more, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
  ended.wait();
  say_bytes(state);
}

void by_size(benchmark::internal::Benchmark* b) {
  b->ArgName("bytes")->UseRealTime();
  for (std::int64_t bytes :
       {8, 512, 4 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20}) {
    b->Arg(bytes);
  }
}
BENCHMARK(get_bytes)->Apply(by_size);
BENCHMARK(put_bytes)->Apply(by_size);
BENCHMARK(memcpy_bytes)->Apply(by_size);
BENCHMARK(mpi_bytes)->Apply(by_size);

}  // namespace
}  // namespace orujo::internal::delegates
