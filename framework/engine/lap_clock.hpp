// A clock that measures lap after lap.
#pragma once

#include <chrono>
#include <utility>

namespace orujo::engine {

class lap_clock {
 public:
  void start() { last_ = clock::now(); }
  // Seconds since start() or the last lap.
  double lap() {
    const clock::time_point now = clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point last_ = clock::now();
};

}  // namespace orujo::engine
