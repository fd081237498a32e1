#include "system/base/check.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <string>

#include "system/base/fatal.hpp"
#include "system/base/task_name.hpp"

namespace orujo::internal::base {

void detail::check_failed(const char* claim, const call_site& at) {
  google::LogMessageFatal(at.file_name(), static_cast<int>(at.line())).stream() << "Check failed: " << claim;
  __builtin_unreachable();
}

void detail::refuse_index(std::size_t index, std::size_t size, const char* of, const call_site& at) {
  misuse(fmt::format("index {} of {} of {} elements: the last index is size() - 1", index, of, size), at);
}

void misuse(std::string_view what, const call_site& at) {
  fail(exit_status::misuse,
       fmt::format("{} ({}:{}, in {})", what, at.file_name(), at.line(), at.function_name()));
}

void misuse(std::string_view what) {
  const std::string task = name_of_task();
  fail(exit_status::misuse, task.empty() ? std::string(what) : fmt::format("{} ({})", what, task));
}

}  // namespace orujo::internal::base
