// A clock that measures lap after lap.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace orujo::internal::base {

class lap_clock {
 public:
  void start() { last_ = clock::now(); }
  // Seconds since start() or the last lap.
  double lap() { return std::chrono::duration<double>(next()).count(); }
  // The same in nanoseconds.
  std::uint64_t lap_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(next()).count());
  }

 private:
  using clock = std::chrono::steady_clock;

  clock::duration next() {
    const clock::time_point now = clock::now();
    return now - std::exchange(last_, now);
  }

  clock::time_point last_ = clock::now();
};

}  // namespace orujo::internal::base
