#include "system/base/task_name.hpp"

#include <atomic>

namespace orujo::internal::base {
namespace {
constinit std::atomic<task_namer> namer{nullptr};
}

std::string name_of_task() {
  const task_namer name = namer;
  return name ? name() : "";
}

void set_task_namer(task_namer name) { namer = name; }

}  // namespace orujo::internal::base
