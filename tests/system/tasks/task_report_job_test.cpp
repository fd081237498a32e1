// Reports of a running job's cores. task_report_test.cpp tests those of a single scheduler.
#include "system/tasks/task_report.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::tasks {
namespace {

TEST(task_report, is_given_by_every_core_of_the_process_once) {
  loops::on_all_cores([] {});  // until then a core may not have begun
  std::set<std::string> expected;
  for_each_running_core([&](const running_core& c) { expected.insert(core_prefix(c.locale, c.number)); });
  testing::internal::CaptureStderr();
  loops::on_all_cores([] {
    if (my_core() == 0) scheduler::request_reports();
    collectives::barrier();
    while (!scheduler::here()->has_reported()) tasks::yield();
  });
  std::istringstream printed(testing::internal::GetCapturedStderr());
  std::set<std::string> seen;
  for (std::string line; std::getline(printed, line);) {
    if (line.find(" begun, ") == std::string::npos) continue;
    const std::string prefix = line.substr(0, line.find("] ") + 2);
    EXPECT_TRUE(seen.insert(prefix).second) << line;
  }
  EXPECT_EQ(seen, expected);
  EXPECT_GE(expected.size(), static_cast<std::size_t>(my_locales_cores()));
}

TEST(task_report, names_what_operations_wait_for) {
  const auto gate = containers::global_array<std::uint64_t>::create(1);
  const core_id last = cores() - 1;
  const auto wait_at_gate = [word = gate[0]] {
    while (delegates::read(word) == 0) tasks::yield();
    return 0;
  };
  join_counter ended(3);
  tasks::spawn([&] {
    loops::on_all_cores([wait_at_gate] { wait_at_gate(); });
    ended.complete();
  });
  tasks::spawn([&] {
    delegates::completion_event event;
    delegates::async_spawn(event, last, [wait_at_gate] { wait_at_gate(); });
    event.wait();
    ended.complete();
  });
  tasks::spawn([&] {
    delegates::call_task(last, wait_at_gate);
    ended.complete();
  });
  std::set<std::string> awaited = {
      "waits for on_all_cores at task_report_job_test.cpp:",
      "waits for a completion event with 1 issued and 0 done at task_report_job_",
      "waits for the reply of a delegate"};
  for (int looks = 0; looks < 100'000 && !awaited.empty(); ++looks) {
    for (const std::string& line : scheduler::here()->describe_tasks(1000)) {
      std::erase_if(awaited, [&](const std::string& text) { return line.find(text) != std::string::npos; });
    }
    tasks::yield();
  }
  EXPECT_EQ(awaited, std::set<std::string>());
  delegates::write(gate[0], 1);
  ended.wait();
  gate.destroy();
}

}  // namespace
}  // namespace orujo::internal::tasks
