// How a job ends by what is thrown, and by what its main task returns; what a delegate may not do is among
// the mistakes (tests/system/runtime/mistakes_test.cpp). Each test is a job of its own.
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <span>
#include <stdexcept>
#include <string>

#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::delegates {
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

// Callers that are ready to catch: they hear as little of their own core's exceptions as of another core's.
template <core_id Core>
status try_all_ways() {
  const auto fail_there = [] { throw std::runtime_error("out of cheese"); };
  try {
    call(Core, fail_there);
  } catch (const std::runtime_error&) {
    return {exit_status::failed, "caught"};
  }
  return {};
}
template <core_id Core>
status try_with_a_value() {
  try {
    call(
        Core, [](std::string what) { throw std::runtime_error(what); }, std::string("out of cheese"));
  } catch (const std::runtime_error&) {
    return {exit_status::failed, "caught"};
  }
  return {};
}
template <core_id Core>
status try_asynchronously() {
  try {
    messenger::here().send(Core, [] { throw std::runtime_error("out of cheese"); });
    messenger::here().send_with_payload(
        Core, [](std::span<const std::byte>) { throw std::runtime_error("out of cheese"); }, {});
    messenger::here().flush_all();
    for (;;) tasks::yield();
  } catch (const std::runtime_error&) {
    return {exit_status::failed, "caught"};
  }
}

TEST(delegate_death, an_exception_ends_the_job_alike_at_every_core) {
  for (const auto job : {&try_all_ways<0>, &try_all_ways<1>, &try_with_a_value<0>, &try_with_a_value<1>,
                         &try_asynchronously<0>, &try_asynchronously<1>}) {
    EXPECT_EXIT(
        end_as_job(job), testing::ExitedWithCode(70),
        "FATAL: uncaught exception: out of cheese \\(in (a message handler|the task begun by main)\\)");
  }
}

TEST(run_loopback, ends_with_the_status_of_the_main_task) {
  const auto fail_politely = [] { return status(exit_status::bad_data, "graph.txt:3:1: what"); };
  EXPECT_EXIT(end_as_job(fail_politely), testing::ExitedWithCode(65), "graph.txt:3:1: what\n$");
}

}  // namespace
}  // namespace orujo::internal::delegates
