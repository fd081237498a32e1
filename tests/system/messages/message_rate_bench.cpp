// Messages per second from core 0 to the job's last core, by size. They are gathered into blocks, or each is
// in a block of its own. items_per_second counts messages, bytes_per_second the bytes of their closures.
//   bin/orujo bench -c 2 --filter=messages_
//   bin/orujo bench -n 2 -c 1 --filter='messages_gathered<64>' --parcel_bytes=16384
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "system/delegates/delegate.hpp"

namespace orujo::internal::messages {
namespace {

// Does next to nothing where it arrives, but reads all of itself.
template <std::size_t Bytes>
struct numbers {
  std::array<std::uint64_t, Bytes / 8> values;
  void operator()() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t v : values) sum += v;
    benchmark::DoNotOptimize(sum);
  }
};

template <std::size_t Bytes>
void send_messages(benchmark::State& state, std::size_t count, bool gathered) {
  if (cores() < 2) return state.SkipWithError("needs two cores: -c 2 or -n 2");
  const core_id to = cores() - 1;
  numbers<Bytes> message;
  message.values.fill(1);
  delegates::completion_event all;
  for (auto _ : state) {
    for (std::size_t k = 0; k < count; ++k) {
      message.values[0] = k;
      delegates::async_call(all, to, message);
      if (!gathered) messenger::here().flush(to);
    }
    all.wait();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(count * Bytes));
}

template <std::size_t Bytes>
void messages_gathered(benchmark::State& state) {
  send_messages<Bytes>(state, 1'000'000, true);
}
template <std::size_t Bytes>
void messages_one_by_one(benchmark::State& state) {
  send_messages<Bytes>(state, 100'000, false);
}

#define ORUJO_SIZES(name)                       \
  BENCHMARK_TEMPLATE(name, 8)->UseRealTime();   \
  BENCHMARK_TEMPLATE(name, 16)->UseRealTime();  \
  BENCHMARK_TEMPLATE(name, 32)->UseRealTime();  \
  BENCHMARK_TEMPLATE(name, 64)->UseRealTime();  \
  BENCHMARK_TEMPLATE(name, 128)->UseRealTime(); \
  BENCHMARK_TEMPLATE(name, 256)->UseRealTime()
ORUJO_SIZES(messages_gathered);
ORUJO_SIZES(messages_one_by_one);
#undef ORUJO_SIZES

}  // namespace
}  // namespace orujo::internal::messages
