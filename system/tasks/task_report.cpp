#include "system/tasks/task_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "system/base/frames.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::tasks {
namespace {

constexpr std::size_t frames_per_task = 8, stacks_per_group = 2, most_frames = 64;

std::vector<std::string> frames_of(const worker& w) {
  std::array<const void*, most_frames> codes;
  const context::place at = w.saved.suspended_at();
  const std::size_t found = base::unwind(at.code, at.frame, w.stack.bottom, w.stack.top, codes);
  return describe_frames({codes.data(), found});
}

}  // namespace

std::vector<std::string> describe_frames(std::span<const void* const> codes) {
  constexpr std::string_view own[] = {"orujo::internal::tasks::scheduler::",
                                      "orujo::internal::tasks::context::", "jump_fcontext", "make_fcontext"};
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < codes.size() && lines.size() < frames_per_task; ++k) {
    // A return address may be the first byte after the function.
    const auto* code = static_cast<const char*>(codes[k]) - (k > 0 ? 1 : 0);
    std::string line = base::describe_code(code);
    const std::string_view text = line;
    const auto is_own = [&](std::string_view start) {
      return text.substr(0, text.find('(')).find(start) != std::string_view::npos;
    };
    if (std::none_of(std::begin(own), std::end(own), is_own)) lines.push_back(std::move(line));
  }
  return lines;
}

std::string core_prefix(std::int64_t locale, std::int64_t core) {
  return fmt::format("[locale {} core {}] ", locale, core);
}

void print_lines(const std::string& prefix, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += prefix + line + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::vector<std::string> scheduler::describe_tasks(std::size_t most_lines) const {
  // By the name of the wait and the origin.
  std::map<std::pair<std::string, std::string>, std::vector<const worker*>> groups;
  std::size_t tasks = 0;
  for (const worker* w : workers_) {
    if (w->running.empty()) continue;
    groups[{w->running.origin(), w == current_ ? "nothing: it runs" : w->waits_for}].push_back(w);
    ++tasks;
  }
  std::vector<std::string> lines;
  for (const auto& [of, members] : groups) {
    lines.push_back(fmt::format("  {} x {} waits for {}", members.size(), of.first, of.second));
    std::set<std::vector<std::string>> shown;
    for (std::size_t k = 0; k < std::min(members.size(), stacks_per_group); ++k) {
      if (members[k] == current_) continue;
      const auto [stack, is_new] = shown.insert(frames_of(*members[k]));
      for (const std::string& frame : is_new ? *stack : std::vector<std::string>{})
        lines.push_back("      " + frame);
    }
  }
  if (lines.size() > most_lines) {
    const std::size_t left_out = lines.size() - (most_lines - 1);
    lines.resize(most_lines - 1);
    lines.push_back(fmt::format("  and {} more lines", left_out));
  }
  lines.insert(lines.begin(),
               fmt::format("{} task{} begun, {} not begun", tasks, tasks == 1 ? "" : "s", tasks_.size()));
  return lines;
}

void scheduler::report() {
  const unsigned request = reports_requested_.load(std::memory_order_relaxed);
  print_lines(core_prefix(base::my_identity().locale, base::my_identity().core), describe_tasks());
  reports_given_.store(request, std::memory_order_release);
}

}  // namespace orujo::internal::tasks
