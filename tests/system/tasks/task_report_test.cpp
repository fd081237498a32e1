#include "system/tasks/task_report.hpp"

#include <gtest/gtest.h>

#include "system/tasks/sync.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::tasks {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool holds(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

// Its frame is to be seen while it waits.
[[gnu::noinline]] void wait_in_a_function(semaphore& s) {
  s.acquire();
  asm volatile("");  // no tail call
}

TEST(task_report, groups_tasks_by_origin_and_what_they_wait_for) {
  lone_core core;
  semaphore none(0);
  join_counter counter(1);
  for (int k = 0; k < 3; ++k) core.scheduler.spawn(task([&] { wait_in_a_function(none); }, "first origin"));
  core.scheduler.spawn(task([&] { counter.wait(); }, "second origin"));
  std::string text;
  core.scheduler.spawn(task(
      [&] {
        while (text.empty()) tasks::yield();
      },
      "third origin"));
  core.scheduler.spawn(task(
      [&] {
        core.scheduler.spawn(task([] {}, "not begun"));
        text = joined(core.scheduler.describe_tasks());
        for (int k = 0; k < 3; ++k) none.release();
        counter.complete();
      },
      "the reporter"));
  core.run();
  EXPECT_EQ(text.rfind("6 tasks begun, 1 not begun\n", 0), 0u) << text;
  EXPECT_TRUE(holds(text, "  3 x first origin waits for a semaphore\n")) << text;
  EXPECT_TRUE(holds(text, "  1 x second origin waits for a join counter\n")) << text;
  EXPECT_TRUE(holds(text, "  1 x third origin waits for its turn\n")) << text;
  EXPECT_TRUE(holds(text, "  1 x the reporter waits for nothing: it runs\n")) << text;
#if defined(__x86_64__)
  EXPECT_TRUE(holds(text, "wait_in_a_function(")) << text;
#endif
  EXPECT_FALSE(holds(text, "scheduler::suspend")) << text;
}

TEST(task_report, of_a_woken_task_does_not_say_what_it_waited_for) {
  lone_core core;
  semaphore none(0);
  core.scheduler.spawn(task([&] { none.acquire(); }, "the woken"));
  std::string text;
  core.spawn([&] {
    none.release();
    text = joined(core.scheduler.describe_tasks());
  });
  core.run();
  EXPECT_TRUE(holds(text, "1 x the woken waits for its turn\n")) << text;
}

TEST(task_report, is_capped) {
  lone_core core;
  semaphore none(0);
  std::vector<std::string> names;
  for (int k = 0; k < 40; ++k) names.push_back("origin " + std::to_string(k));
  for (const std::string& name : names) core.scheduler.spawn(task([&] { none.acquire(); }, name.c_str()));
  std::vector<std::string> lines;
  core.spawn([&] {
    lines = core.scheduler.describe_tasks(10);
    for (int k = 0; k < 40; ++k) none.release();
  });
  core.run();
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_TRUE(lines.back().starts_with("  and ") && lines.back().ends_with(" more lines")) << lines.back();
}

TEST(task_report, forgets_tasks_that_have_ended) {
  lone_core core;
  for (int k = 0; k < 5; ++k) core.spawn([] { tasks::yield(); });
  core.run();
  EXPECT_EQ(core.scheduler.describe_tasks(), std::vector<std::string>{"0 tasks begun, 0 not begun"});
}

TEST(running_cores, are_those_whose_scheduler_runs) {
  const auto running = [] {
    int count = 0;
    for_each_running_core(
        [&](const running_core& c) { count += c.core == scheduler::here_if_any() ? 1 : 0; });
    return count;
  };
  lone_core core;
  int inside = -1;
  core.run([&] { inside = running(); });
  EXPECT_EQ(inside, 1);
  int any = 0;
  for_each_running_core([&](const running_core&) { ++any; });
  EXPECT_EQ(any, 0);
}

}  // namespace
}  // namespace orujo::internal::tasks
