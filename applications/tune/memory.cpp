#include "applications/tune/memory.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::tune {
namespace {

constexpr std::uint64_t least_bytes = 16 << 10;
constexpr std::size_t loads_per_round = 1 << 17;
constexpr std::size_t windows = 16;  // of places, in turn
constexpr std::size_t prefetch_distance = 128;
constexpr int barriers = 20, batches_of_barriers = 10;

// CPU time of the calling thread, which may have to share its processor. A core that waits for another one
// needs the clock on the wall instead.
double cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}
double wall_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void keep(float value) { asm volatile("" : : "x"(value) : "memory"); }

// Loads as a pull does, with eight running sums.
template <bool Prefetch>
[[gnu::noinline]] float gather(const float* sources, std::span<const std::uint32_t> places,
                               std::uint32_t mask) {
  std::array<float, 8> sums{};
  for (std::size_t k = 0; k + prefetch_distance < places.size(); k += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) {
      if constexpr (Prefetch) __builtin_prefetch(sources + (places[k + lane + prefetch_distance] & mask));
      sums[lane] += sources[places[k + lane] & mask];
    }
  }
  float sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

// The measurements of a core.
struct tally {
  std::vector<machine::gather_rate> gathers;
  double barrier = 1e30;  // ns
};

// One of the cores that measure together.
class measuring_core {
 public:
  measuring_core(std::shared_ptr<machine::huge_array<float>> sources, std::uint64_t most_bytes)
      : sources_(std::move(sources)), places_(loads_per_round * windows) {
    random_stream random(static_cast<std::uint64_t>(my_core()) + 1);
    for (std::uint32_t& place : places_) place = static_cast<std::uint32_t>(random());
    const std::size_t each = sources_->size() / static_cast<std::size_t>(my_locales_cores());
    std::ranges::fill(sources_->part(each * static_cast<std::size_t>(my_core_of_locale()),
                                     each * static_cast<std::size_t>(my_core_of_locale() + 1)),
                      1.0f);  // and the pages are there
    for (std::uint64_t bytes = least_bytes; bytes <= most_bytes; bytes *= bytes == least_bytes ? 4 : 2)
      found_.gathers.push_back({bytes, 1e30, 1e30, 1e30});
  }

  // [task; suspends; collective over the job]
  void measure_once() {
    for (machine::gather_rate& rate : found_.gathers) {
      const auto mask = static_cast<std::uint32_t>(rate.bytes / sizeof(float) - 1);
      std::span<const std::uint32_t> places;
      const auto plainly = [&] { keep(gather<false>(sources_->data(), places, mask)); };
      const auto ahead = [&] { keep(gather<true>(sources_->data(), places, mask)); };
      constexpr double loads = loads_per_round - prefetch_distance;
      places = next_places();
      take_less(rate.together, time_of(plainly) / loads);
      places = next_places();
      take_less(rate.prefetched, time_of(ahead) / loads);
      places = next_places();
      take_less(rate.alone, time_alone(plainly) / loads);
    }
    for (int batch = 0; batch < batches_of_barriers; ++batch) {
      const double start = wall_ns();
      for (int k = 0; k < barriers; ++k) collectives::barrier(collectives::group::locale);
      take_less(found_.barrier, (wall_ns() - start) / barriers);
    }
  }

  const tally& found() const { return found_; }

 private:
  // Half a megabyte of indices, prefetched: edges are read in order, far ahead of the values that they refer
  // to.
  std::span<const std::uint32_t> next_places() {
    const std::size_t first = windows_used_++ % windows * loads_per_round;
    const std::span<const std::uint32_t> places = places_.part(first, first + loads_per_round);
    std::uint32_t sum = 0;
    for (const std::uint32_t place : places) sum += place;
    asm volatile("" : : "r"(sum) : "memory");
    return places;
  }
  static void take_less(double& least, double ns) { least = std::min(least, ns); }
  static double time_of(const std::function<void()>& work) {
    collectives::barrier();
    const double start = cpu_ns();
    work();
    return cpu_ns() - start;
  }
  // At core 0; elsewhere returns a time that is too long to count.
  static double time_alone(const std::function<void()>& work) {
    collectives::barrier();
    if (my_core() != 0) return 1e30;
    const double start = cpu_ns();
    work();
    return cpu_ns() - start;
  }

  std::shared_ptr<machine::huge_array<float>> sources_;
  machine::huge_array<std::uint32_t> places_;
  std::size_t windows_used_ = 0;
  tally found_;
};

// [task; suspends; collective over the locale] The mean of the locale's cores.
double mean_of_locale(double mine) {
  return collectives::all_reduce(mine, std::plus<>(), collectives::group::locale) / my_locales_cores();
}

// [task; suspends; collective over the locale]
machine::measures measures_of(const tally& found) {
  machine::measures m;
  m.measured = true;
  m.cores = cores();
  double slowest = 0, slowest_prefetched = 0, slowest_alone = 0;
  const auto least = [](double a, double b) { return std::min(a, b); };
  for (machine::gather_rate rate : found.gathers) {
    // Larger working sets are not faster; measurements that show this are noise.
    slowest = std::max(slowest, mean_of_locale(rate.together));
    slowest_prefetched = std::max(slowest_prefetched, mean_of_locale(rate.prefetched));
    slowest_alone =
        std::max(slowest_alone, collectives::all_reduce(rate.alone, least, collectives::group::locale));
    m.gathers.push_back({rate.bytes, slowest_alone, slowest, slowest_prefetched});
  }
  m.barrier = mean_of_locale(found.barrier);
  return m;
}

}  // namespace

machine::measures measure_memory(const extent& e) {
  return loops::on_all_cores([e] {
    const auto sources = collectives::share_on_locale<machine::huge_array<float>>(
        [&] { return std::make_shared<machine::huge_array<float>>(e.most_bytes / sizeof(float)); });
    measuring_core core(sources, e.most_bytes);
    for (int round = 0; round < e.rounds; ++round) core.measure_once();
    return measures_of(core.found());
  });
}

}  // namespace orujo::internal::tune
