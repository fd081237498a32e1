// Exceptions that a task throws, handles and has in flight, across its waits.
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "system/tasks/scheduler.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::tasks {
namespace {

// Each task throws, waits within its handler, and goes on while the next one is still in its own; then each
// throws its exception once more.
TEST(exceptions_of_tasks, are_their_own) {
  lone_core core;
  std::vector<std::string> caught(10), thrown_again(10);
  const auto fail_twice = [&](std::size_t k) {
    try {
      throw std::runtime_error("of task " + std::to_string(k));
    } catch (const std::runtime_error& mine) {
      core.begin_together();
      try {
        throw std::logic_error("meanwhile");
      } catch (const std::logic_error&) {
        yield();
      }
      caught[k] = mine.what();
      throw;
    }
  };
  for (std::size_t k = 0; k < caught.size(); ++k) {
    core.spawn([&, k] {
      try {
        fail_twice(k);
      } catch (const std::exception& mine) {
        yield();
        thrown_again[k] = mine.what();
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    });
  }
  core.run();
  for (std::size_t k = 0; k < caught.size(); ++k) {
    EXPECT_EQ(caught[k], "of task " + std::to_string(k));
    EXPECT_EQ(thrown_again[k], "of task " + std::to_string(k));
  }
}

// Destructors ask for that, to see whether they run because of an exception.
TEST(exceptions_of_tasks, are_counted_by_task_while_in_flight) {
  struct waits_when_destroyed {
    lone_core& core;
    int& in_flight;
    ~waits_when_destroyed() {
      core.begin_together();
      in_flight = std::uncaught_exceptions();
    }
  };
  lone_core core;
  int of_the_thrower = -1, of_another = -1, of_a_later_one = -1;
  core.spawn([&] {
    try {
      const waits_when_destroyed last{core, of_the_thrower};
      throw std::runtime_error("to nobody");
    } catch (const std::runtime_error&) {
    }
  });
  core.spawn([&] {
    of_another = std::uncaught_exceptions();
    core.spawn([&] { of_a_later_one = std::uncaught_exceptions(); });
  });
  core.run();
  EXPECT_EQ(of_the_thrower, 1);
  EXPECT_EQ(of_another, 0);
  EXPECT_EQ(of_a_later_one, 0);
}

// A program may begin a job where it handles an exception of its own.
TEST(exceptions_of_tasks, are_not_those_of_the_thread) {
  std::string kept;
  try {
    throw std::runtime_error("the program's");
  } catch (const std::runtime_error&) {
    lone_core core;
    core.run([] {
      EXPECT_EQ(std::current_exception(), nullptr);
      try {
        throw std::logic_error("the task's");
      } catch (const std::logic_error&) {
        yield();
      }
    });
    try {
      throw;
    } catch (const std::exception& mine) {
      kept = mine.what();
    }
  }
  EXPECT_EQ(kept, "the program's");
}

}  // namespace
}  // namespace orujo::internal::tasks
