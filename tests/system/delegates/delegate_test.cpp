// How a job ends when a delegate does what it may not; each test is a job of its own.
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/future.hpp"
#include "system/loops/forall.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::delegates {
namespace {

using runtime::end_as_job;

TEST(delegate_death, a_delegate_that_would_block_is_refused_on_any_core) {
  const auto block_here = [] {
    call(0, [] { tasks::yield(); });
    return status();
  };
  EXPECT_EXIT(end_as_job(block_here), testing::ExitedWithCode(78),
              "\\[locale 0 core 0\\] FATAL: .*message handler");
  const auto block_there = [] {
    call(1, [] { call(0, [] { return 1; }); });
    return status();
  };
  EXPECT_EXIT(end_as_job(block_there), testing::ExitedWithCode(78),
              "\\[locale 1 core 1\\] FATAL: .*a message handler may not block");
}

TEST(delegate_death, a_core_that_is_not_there_is_refused_with_the_callers_place) {
  const auto called = [] {
    call(99, [] {});
    return status();
  };
  EXPECT_EXIT(end_as_job(called), testing::ExitedWithCode(78),
              "there is no such core.*delegate_test.cpp:[0-9]+");
  const auto sent = [] {
    completion_event done;
    async_call(done, -1, [] {});
    return status();
  };
  EXPECT_EXIT(end_as_job(sent), testing::ExitedWithCode(78),
              "there is no such core.*delegate_test.cpp:[0-9]+");
  const auto spawned = [] {
    completion_event done;
    async_spawn(done, cores(), [] {});
    return status();
  };
  EXPECT_EXIT(end_as_job(spawned), testing::ExitedWithCode(78),
              "there is no such core.*delegate_test.cpp:[0-9]+");
}

TEST(delegate_death, an_exception_of_a_delegate_ends_the_job_and_names_the_core) {
  const auto throw_there = [] {
    call(1, [] { throw std::runtime_error("out of cheese"); });
    return status();
  };
  EXPECT_EXIT(end_as_job(throw_there), testing::ExitedWithCode(70),
              "\\[locale 1 core 1\\] FATAL: uncaught exception: out of cheese");
}

// Calls f on a thread that is no core, in a process of its own.
template <class F>
[[noreturn]] void on_foreign_thread(F f) {
  install_fatal_handlers();
  std::thread(f).join();
  std::_Exit(0);
}

TEST(delegate_death, threads_that_are_no_cores_are_refused) {
  const char* const said = "FATAL: this thread is no core of a running job";
  const testing::ExitedWithCode misused(78);
  EXPECT_EXIT(on_foreign_thread([] { (void)my_core(); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { tasks::spawn([] {}); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { tasks::yield(); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { completion_event(); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { tasks::join_counter(1).wait(); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { loops::on_all_cores([] {}); }), misused, said);
  EXPECT_EXIT(on_foreign_thread([] { containers::global_array<int>::create(10); }), misused, said);
  const auto within_a_job = [] {
    std::thread([] { tasks::spawn([] {}); }).join();
    return status();
  };
  EXPECT_EXIT(end_as_job(within_a_job), misused, said);
}

TEST(delegate_death, arrays_that_are_gone_are_refused) {
  const auto use_after_destroy = [] {
    const auto array = containers::global_array<int>::create(10);
    array.destroy();
    return array.local()[0] == 0 ? status() : status();
  };
  EXPECT_EXIT(end_as_job(use_after_destroy), testing::ExitedWithCode(78),
              "that this core does not have: destroyed");
}

TEST(delegate_death, a_range_past_the_end_of_an_array_is_refused) {
  const auto get_too_much = [] {
    std::vector<int> values(4);
    containers::global_array<int>::create(10).get(7, values);
    return status();
  };
  EXPECT_EXIT(end_as_job(get_too_much), testing::ExitedWithCode(78),
              "elements 7 to 7 \\+ 4 of a global_array of 10: .*delegate_test.cpp:[0-9]+");
  const auto put_beyond = [] {
    containers::global_array<int>::create(10).put(11, {});
    return status();
  };
  EXPECT_EXIT(end_as_job(put_beyond), testing::ExitedWithCode(78), "elements 11 to 11 \\+ 0 of a");
}

#ifndef NDEBUG
TEST(delegate_death, an_index_past_the_end_is_refused) {
  const auto past_the_end = [] {
    const auto array = containers::global_array<int>::create(10);
    (void)array[10];
    return status();
  };
  EXPECT_EXIT(end_as_job(past_the_end), testing::ExitedWithCode(78),
              "an index past the end of a global_array");
}
#endif

TEST(completion_event_death, cannot_end_in_a_handler_with_work_to_wait_for) {
  const auto forget_there = [] {
    call(1, [] {
      completion_event forgotten;
      async_call(forgotten, 0, [] {});
    });
    return status();
  };
  EXPECT_EXIT(end_as_job(forget_there), testing::ExitedWithCode(78),
              "ends in a message handler.*delegate_test.cpp:[0-9]+");
}

TEST(future_death, is_not_waited_for_in_handlers) {
  const auto wait_there = [] {
    call(1, [] { async_call(0, [] { return 1; }).get(); });
    return status();
  };
  EXPECT_EXIT(end_as_job(wait_there), testing::ExitedWithCode(78), "the value of a future");
}

TEST(future_death, refuses_what_would_wait_for_ever_or_be_lost) {
  const auto wait_for_nothing = [] {
    future<int> f;
    f.get();
    return status();
  };
  EXPECT_EXIT(end_as_job(wait_for_nothing), testing::ExitedWithCode(78), "nobody has promised");
  const auto promise_twice = [] {
    future<int> f;
    f.make_promise();
    f.make_promise();
    return status();
  };
  EXPECT_EXIT(end_as_job(promise_twice), testing::ExitedWithCode(78), "one promise");
  const auto keep_twice = [] {
    future<int> f;
    const promise<int> p = f.make_promise();
    p.keep(1);
    p.keep(2);
    return status();
  };
  EXPECT_EXIT(end_as_job(keep_twice), testing::ExitedWithCode(78), "kept twice");
}

TEST(run_loopback, ends_with_the_status_of_the_main_task) {
  const auto fail_politely = [] { return status(exit_status::bad_data, "graph.txt:3:1: what"); };
  EXPECT_EXIT(end_as_job(fail_politely), testing::ExitedWithCode(65), "graph.txt:3:1: what\n$");
}

}  // namespace
}  // namespace orujo::delegates
