// How a job ends by what is thrown, and by what its main task returns; what a delegate may not do is among
// the mistakes (tests/system/runtime/mistakes_test.cpp). Each test is a job of its own.
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/system/runtime/one_job.hpp"

namespace orujo::delegates {
namespace {

using runtime::end_as_job;

TEST(delegate_death, an_exception_of_a_delegate_ends_the_job_and_names_the_core) {
  const auto throw_there = [] {
    call(1, [] { throw std::runtime_error("out of cheese"); });
    return status();
  };
  EXPECT_EXIT(end_as_job(throw_there), testing::ExitedWithCode(70),
              "\\[locale 1 core 1\\] FATAL: uncaught exception: out of cheese");
}

TEST(run_loopback, ends_with_the_status_of_the_main_task) {
  const auto fail_politely = [] { return status(exit_status::bad_data, "graph.txt:3:1: what"); };
  EXPECT_EXIT(end_as_job(fail_politely), testing::ExitedWithCode(65), "graph.txt:3:1: what\n$");
}

}  // namespace
}  // namespace orujo::delegates
