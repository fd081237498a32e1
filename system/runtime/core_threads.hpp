// The threads of a locale's cores. The first core runs on its caller's thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace orujo::internal::runtime {

// Cores run from begin() on only, so that either all of them have a thread or none runs.
class core_threads {
 public:
  // Calls run_core(k) on a thread each, for k of 1 to cores - 1. no_resource if the system has no more
  // threads.
  core_threads(std::size_t cores, std::function<void(std::size_t)> run_core);
  ~core_threads() { tell_and_join(word::give_up); }
  core_threads(const core_threads&) = delete;

  void begin() { tell(word::begin); }
  void join();

 private:
  enum class word { none, begin, give_up };
  void wait_and_run(std::size_t core);
  void tell(word what);
  void tell_and_join(word what);

  const std::function<void(std::size_t)> run_core_;
  std::atomic<word> word_{word::none};
  std::vector<std::thread> threads_;
};

}  // namespace orujo::internal::runtime
