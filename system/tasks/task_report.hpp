// The texts of reports of all tasks, which cores print on request.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/tasks/scheduler.hpp"

namespace orujo::internal::tasks {

// Lines for people that describe a stack: its functions, innermost first, without the scheduler's own.
std::vector<std::string> describe_frames(std::span<const void* const> codes);

// [any thread] Returns "[locale 3 core 1] ", or prints lines with that prefix by one write(2).
std::string core_prefix(std::int64_t locale, std::int64_t core);
void print_lines(const std::string& prefix, const std::vector<std::string>& lines);

}  // namespace orujo::internal::tasks
