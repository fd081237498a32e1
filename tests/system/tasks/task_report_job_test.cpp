// Reports of a running job's cores; of one scheduler alone: task_report_test.cpp.
#include "system/tasks/task_report.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::tasks {
namespace {

TEST(task_report, is_given_by_every_core_of_the_process_once) {
  std::set<std::string> expected;
  for_each_running_core([&](const running_core& c) { expected.insert(core_prefix(c.locale, c.number)); });
  testing::internal::CaptureStderr();
  loops::on_all_cores([] {
    if (my_core() == 0) scheduler::request_reports();
    loops::barrier();
    while (!scheduler::here()->has_reported()) tasks::yield();
  });
  std::istringstream printed(testing::internal::GetCapturedStderr());
  std::set<std::string> seen;
  for (std::string line; std::getline(printed, line);) {
    if (line.find(" tasks begun, ") == std::string::npos) continue;
    const std::string prefix = line.substr(0, line.find("] ") + 2);
    EXPECT_TRUE(seen.insert(prefix).second) << line;
  }
  EXPECT_EQ(seen, expected);
  EXPECT_GE(expected.size(), static_cast<std::size_t>(my_locales_cores()));
}

}  // namespace
}  // namespace orujo::tasks
