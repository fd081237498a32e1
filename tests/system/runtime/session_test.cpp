#include "system/runtime/session.hpp"

#include <gflags/gflags.h>
#include <glog/logging.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/future.hpp"
#include "system/runtime/runtime.hpp"

DECLARE_uint64(stack_bytes);
DECLARE_int32(cores);

namespace orujo::internal {
namespace {

// The constructor's error, or nothing if there is a job.
std::pair<exit_status, std::string> refusal_of(const std::vector<std::string>& flags) {
  try {
    session job(flags);
    return {exit_status::ok, ""};
  } catch (const job_error& e) {
    return {e.code(), e.what()};
  }
}

void expect_refusal(const std::vector<std::string>& flags, exit_status code, const std::string& words) {
  const auto [said_code, said] = refusal_of(flags);
  EXPECT_EQ(said_code, code) << said;
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

class sessions : public testing::TestWithParam<std::vector<std::string>> {};
INSTANTIATE_TEST_SUITE_P(splits, sessions,
                         testing::Values(std::vector<std::string>{"--cores=1"},
                                         std::vector<std::string>{"--cores=2"},
                                         std::vector<std::string>{"--cores=1", "--locales=2"}));

TEST_P(sessions, run_what_any_thread_brings) {
  session job(GetParam());
  const auto sums = job.run([] { return containers::global_array<int>::create(3); });
  const auto bring = [&](std::size_t k) {
    for (int n = 0; n < 20; ++n) {
      const int core = job.run([&] {
        delegates::increment(sums[k], n);
        return my_core();
      });
      EXPECT_EQ(core, 0);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 3; ++k) threads.emplace_back(bring, k);
  for (std::thread& t : threads) t.join();
  std::vector<int> found(3);
  job.run([&] {
    sums.get(0, found);
    sums.destroy();
  });
  EXPECT_EQ(found, std::vector<int>(3, 190));
  EXPECT_TRUE(job.stop().ok());
}

TEST_P(sessions, finish_what_has_begun_before_they_stop) {
  session job(GetParam());
  std::vector<std::future<int>> sums;
  for (int k = 0; k < 10; ++k) {
    sums.push_back(job.async_run([k] {
      for (int n = 0; n < 10; ++n) tasks::yield();
      return delegates::call(cores() - 1, [k] { return k * k; });
    }));
  }
  EXPECT_TRUE(job.stop().ok());
  EXPECT_TRUE(job.stop().ok());  // there is nothing left to stop
  for (int k = 0; k < 10; ++k) EXPECT_EQ(sums[static_cast<std::size_t>(k)].get(), k * k);
}

TEST(session, runs_that_wait_for_each_other_overlap) {
  session job({"--cores=1"});
  delegates::future<int> answer = job.run([] { return delegates::future<int>(); });
  const auto promised = job.run([&] { return answer.make_promise(); });
  std::future<int> first = job.async_run([&] { return answer.get(); });
  job.run([&] { promised.keep(42); });
  EXPECT_EQ(first.get(), 42);
  job.run([&] { delegates::future<int>(std::move(answer)); });  // ends where it began
}

TEST(session, throws_what_its_tasks_throw) {
  session job({"--cores=1"});
  EXPECT_THROW(job.run([]() -> int { throw std::out_of_range("what"); }), std::out_of_range);
  EXPECT_EQ(job.run([] { return 1; }), 1);  // it goes on
}

TEST(session, refuses_in_words_and_can_be_tried_again) {
  expect_refusal({"--corse=2"}, exit_status::usage, "unknown flag --corse, did you mean --cores?");
  expect_refusal({"--cores=many"}, exit_status::usage, "--cores=many: expected an integer");
  expect_refusal({"--stack_bytes=1"}, exit_status::usage, "--stack_bytes=1: must be");
  expect_refusal({"4"}, exit_status::usage, "unexpected argument '4'");
  expect_refusal({"--help"}, exit_status::usage, "prints no help");
  expect_refusal({"--cores=2", "--memory_budget_bytes=100"}, exit_status::no_resource, "messages need up to");
  expect_refusal({"--cores=1", "--memory_budget_bytes=100000000", "--global_heap_bytes=200000000"},
                 exit_status::no_resource, "--global_heap_bytes=200000000 is more than");
  expect_refusal({"--cores=1", "--metrics_json=/nowhere/at/all"}, exit_status::io_error, "/nowhere/at/all");
  expect_refusal({"--cores=1"}, exit_status::ok, "");
}

TEST(session, is_the_only_job_of_its_process) {
  session job({"--cores=1"});
  expect_refusal({"--cores=1"}, exit_status::misuse, "a process that has one already");
  job.run([&] {
    expect_refusal({}, exit_status::misuse, "a process that has one already");
    EXPECT_THROW(job.run([] {}), job_error);
    EXPECT_THROW(static_cast<void>(job.stop()), job_error);
  });
  EXPECT_TRUE(job.stop().ok());
  EXPECT_THROW(job.run([] {}), job_error);
}

TEST(session, leaves_the_program_as_it_was) {
  const auto stack_bytes = FLAGS_stack_bytes;
  const bool logs_to_stderr = FLAGS_logtostderr, logs = google::IsGoogleLoggingInitialized();
  const auto terminate = std::get_terminate();
  struct sigaction before[NSIG] = {}, now = {};
  for (int s = 1; s < NSIG; ++s) sigaction(s, nullptr, &before[s]);
  {
    session job({"--cores=1", "--stack_bytes=65536", "--stack_bytes=32768"});
    EXPECT_EQ(FLAGS_stack_bytes, 32768u);
    sigset_t blocked;
    job.run([&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); });
    EXPECT_TRUE(sigismember(&blocked, SIGTERM));
    EXPECT_EQ(std::get_terminate(), terminate);
    for (int s = 1; s < NSIG; ++s) {
      if (sigaction(s, nullptr, &now) == 0) {
        EXPECT_EQ(now.sa_handler, before[s].sa_handler) << s;
      }
    }
  }
  EXPECT_EQ(FLAGS_stack_bytes, stack_bytes);
  EXPECT_EQ(FLAGS_logtostderr, logs_to_stderr);
  EXPECT_EQ(google::IsGoogleLoggingInitialized(), logs);
  expect_refusal({"--stack_bytes=32768", "--corse"}, exit_status::usage, "unknown flag");
  EXPECT_EQ(FLAGS_stack_bytes, stack_bytes);
}

// A watchdog looks at this number.
TEST(session, without_work_is_none_that_hangs) {
  session job({"--cores=1"});
  const tasks::scheduler* const core = job.run([] {
    EXPECT_EQ(tasks::scheduler::here()->signs().pausing, 0u);
    return tasks::scheduler::here();
  });
  while (core->signs().pausing != 1) std::this_thread::yield();
}

TEST(session_death, may_take_the_programs_handlers) {
  const auto terminate = [] {
    session job({"--cores=1"}, session::handlers::all);
    job.run([] { tasks::spawn([] { throw std::runtime_error("out of cheese"); }); });
    job.run([] { tasks::yield(); });
  };
  EXPECT_EXIT(terminate(), testing::ExitedWithCode(70), "uncaught exception: out of cheese");
}

}  // namespace
}  // namespace orujo::internal
