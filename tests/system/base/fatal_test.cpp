#include "system/base/fatal.hpp"

#include <glog/logging.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "system/base/identity.hpp"

namespace orujo::internal {
namespace {

using testing::Eq;
using testing::ExitedWithCode;

[[noreturn]] void fail_as(int locale, int core, exit_status code, const std::string& message) {
  base::set_identity(locale, core);
  base::fail(code, message);
}

// Matches one line that begins with the text and fits the buffer it is written from.
struct one_cut_line {
  using is_gtest_matcher = void;
  std::string begin;
  bool MatchAndExplain(const std::string& all, std::ostream*) const {
    return all.starts_with(begin) && all.size() <= 1024 && all.find('\n') == all.size() - 1;
  }
  void DescribeTo(std::ostream* out) const { *out << "one line of at most 1024 bytes from " << begin; }
  void DescribeNegationTo(std::ostream* out) const { *out << "not one such line"; }
};

// On a thread of its own with the handlers, because GoogleTest catches what the test's thread throws.
template <class F>
void with_handlers(F f) {
  base::install_fatal_handlers();
  std::thread([f] {
    base::set_identity(3, 1);
    f();
  }).join();
}

TEST(fail_death, prints_one_line_and_exits_with_the_status) {
  EXPECT_EXIT(fail_as(3, 1, exit_status::stack_overflow, "what, where, what to do"), ExitedWithCode(72),
              Eq("[locale 3 core 1] FATAL: what, where, what to do\n"));
  EXPECT_EXIT(fail_as(65535, 1048576, exit_status::peer_lost, "x"), ExitedWithCode(76),
              Eq("[locale 65535 core 1048576] FATAL: x\n"));
}

TEST(fail_death, leaves_out_who_it_is_where_nobody_knows) {
  EXPECT_EXIT(fail_as(0, -1, exit_status::hung, "x"), ExitedWithCode(75), Eq("[locale 0] FATAL: x\n"));
  EXPECT_EXIT(base::fail(exit_status::io_error, "x"), ExitedWithCode(74), Eq("FATAL: x\n"));
}

TEST(fail_death, cuts_a_very_long_message) {
  for (std::size_t size : {900u, 998u, 999u, 1000u, 100'000u}) {
    EXPECT_EXIT(fail_as(3, 1, exit_status::hung, std::string(size, 'a')), ExitedWithCode(75),
                one_cut_line{"[locale 3 core 1] FATAL: " + std::string(900, 'a')})
        << size;
  }
}

TEST(fail_death, shows_control_characters) {
  EXPECT_EXIT(base::fail(exit_status::io_error, "a\x1b[31m\nb"), ExitedWithCode(74),
              Eq("FATAL: a\\x1b[31m\\x0ab\n"));
}

TEST(fail_death, prints_one_line_when_many_threads_fail_at_once) {
  const auto all_fail = [] {
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) {
      threads.emplace_back([k] { fail_as(0, k, exit_status::hung, "only once"); });
    }
    for (std::thread& t : threads) t.join();
  };
  EXPECT_EXIT(all_fail(), ExitedWithCode(75), "^\\[locale 0 core [0-3]\\] FATAL: only once\n$");
}

TEST(fail_death, calls_the_abort_hook_with_the_status) {
  const auto fail_with_hook = [] {
    base::set_abort_hook([](int status) { ::_exit(status - 70); });
    base::fail(exit_status::bad_checkpoint, "x");
  };
  EXPECT_EXIT(fail_with_hook(), ExitedWithCode(7), Eq("FATAL: x\n"));
}

TEST(install_fatal_handlers_death, make_a_failed_check_a_broken_invariant) {
  EXPECT_EXIT(
      with_handlers([] { CHECK_EQ(1 + 1, 3) << "of all things"; }), ExitedWithCode(70),
      "\\[locale 3 core 1\\] FATAL: .*fatal_test.cpp:[0-9]+: Check failed: 1 \\+ 1 == 3 .*of all things.*"
      "report it");
  EXPECT_EXIT(with_handlers([] { LOG(FATAL) << "the reason"; }), ExitedWithCode(70), "FATAL: .*the reason");
}

TEST(install_fatal_handlers_death, make_an_uncaught_exception_a_broken_invariant) {
  EXPECT_EXIT(with_handlers([] { throw std::runtime_error("the reason"); }), ExitedWithCode(70),
              Eq("[locale 3 core 1] FATAL: uncaught exception: the reason\n"));
  EXPECT_EXIT(with_handlers([] { throw 7; }), ExitedWithCode(70),
              Eq("[locale 3 core 1] FATAL: std::terminate was called\n"));
  EXPECT_EXIT(with_handlers([] { std::terminate(); }), ExitedWithCode(70),
              Eq("[locale 3 core 1] FATAL: std::terminate was called\n"));
}

TEST(install_fatal_handlers_death, tell_when_memory_is_out) {
  EXPECT_EXIT(with_handlers([] { throw std::bad_alloc(); }), ExitedWithCode(71),
              "^\\[locale 3 core 1\\] FATAL: out of memory: use a smaller graph");
  const auto no_thread = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_EXIT(with_handlers([=] { throw std::system_error(no_thread); }), ExitedWithCode(71),
              "^\\[locale 3 core 1\\] FATAL: out of memory or threads: ");
  const auto another = std::make_error_code(std::errc::invalid_argument);
  EXPECT_EXIT(with_handlers([=] { throw std::system_error(another); }), ExitedWithCode(70),
              "^\\[locale 3 core 1\\] FATAL: uncaught exception: ");
}

}  // namespace
}  // namespace orujo::internal
