// How a job ends when a delegate does what it may not; each test is a job of its own.
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "system/delegates/future.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::delegates {
namespace {

using runtime::end_as_job;

TEST(delegate_death, a_delegate_that_would_block_is_refused_on_any_core) {
  const auto block_here = [] {
    call(0, [] { tasks::yield(); });
    return status();
  };
  EXPECT_EXIT(end_as_job(block_here), testing::ExitedWithCode(70),
              "\\[locale 0 core 0\\] FATAL: .*message handler");
  const auto block_there = [] {
    call(1, [] { call(0, [] { return 1; }); });
    return status();
  };
  EXPECT_EXIT(end_as_job(block_there), testing::ExitedWithCode(70),
              "\\[locale 1 core 1\\] FATAL: .*a message handler may not block");
}

TEST(delegate_death, an_exception_of_a_delegate_ends_the_job_and_names_the_core) {
  const auto throw_there = [] {
    call(1, [] { throw std::runtime_error("out of cheese"); });
    return status();
  };
  EXPECT_EXIT(end_as_job(throw_there), testing::ExitedWithCode(70),
              "\\[locale 1 core 1\\] FATAL: uncaught exception: out of cheese");
}

TEST(future_death, refuses_what_would_wait_for_ever_or_be_lost) {
  const auto wait_for_nothing = [] {
    future<int> f;
    f.get();
    return status();
  };
  EXPECT_EXIT(end_as_job(wait_for_nothing), testing::ExitedWithCode(70), "nobody has promised");
  const auto promise_twice = [] {
    future<int> f;
    f.make_promise();
    f.make_promise();
    return status();
  };
  EXPECT_EXIT(end_as_job(promise_twice), testing::ExitedWithCode(70), "one promise");
  const auto keep_twice = [] {
    future<int> f;
    const promise<int> p = f.make_promise();
    p.keep(1);
    p.keep(2);
    return status();
  };
  EXPECT_EXIT(end_as_job(keep_twice), testing::ExitedWithCode(70), "kept twice");
}

TEST(run_loopback, ends_with_the_status_of_the_main_task) {
  const auto fail_politely = [] { return status(exit_status::bad_data, "graph.txt:3:1: what"); };
  EXPECT_EXIT(end_as_job(fail_politely), testing::ExitedWithCode(65), "graph.txt:3:1: what\n$");
}

}  // namespace
}  // namespace orujo::delegates
