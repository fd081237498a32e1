#include "system/runtime/core_threads.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "system/base/fatal.hpp"

namespace orujo::internal::runtime {

core_threads::core_threads(std::size_t cores, std::function<void(std::size_t)> run_core)
    : run_core_(std::move(run_core)) {
  try {
    for (std::size_t k = 1; k < cores; ++k) threads_.emplace_back([this, k] { wait_and_run(k); });
  } catch (const std::system_error& refused) {
    const std::size_t made = threads_.size();
    tell_and_join(word::give_up);
    base::fail(
        exit_status::no_resource,
        fmt::format("no thread for core {} of the {} of this locale ({}): use fewer --cores, or raise the "
                    "limit of threads (ulimit -u)",
                    made + 1, cores, refused.what()));
  }
}

void core_threads::wait_and_run(std::size_t core) {
  word_.wait(word::none);
  if (word_ == word::begin) run_core_(core);
}

void core_threads::join() {
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

void core_threads::tell(word what) {
  word_ = what;
  word_.notify_all();
}

void core_threads::tell_and_join(word what) {
  if (threads_.empty()) return;
  tell(what);
  join();
}

}  // namespace orujo::internal::runtime
