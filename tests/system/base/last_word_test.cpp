#include "system/base/last_word.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "system/base/fatal.hpp"

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;
using testing::ExitedWithCode;

// In processes of their own: a process has one last word.
class last_word_death : public testing::Test {
 protected:
  last_word_death() {
    std::string name = testing::TempDir() + "last_word.XXXXXX";
    folder_ = mkdtemp(name.data());
    setenv("ORUJO_LAST_WORDS", folder_.c_str(), 1);
  }
  ~last_word_death() override {
    unsetenv("ORUJO_LAST_WORDS");
    fs::remove_all(folder_);
  }
  // The last word of locale 12, without process number and host.
  std::string left() const {
    std::ifstream file(folder_ / "12");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    return line.substr(0, 10);
  }
  fs::path folder_;
};

template <class F>
[[noreturn]] void after_beginning(F f) {
  base::begin_last_word(12);
  f();
  ::_exit(0);
}

TEST_F(last_word_death, is_that_it_has_begun_where_nothing_follows) {
  EXPECT_EXIT(after_beginning([] { ::_exit(3); }), ExitedWithCode(3), "");
  EXPECT_EQ(left(), "begun  000");
}

TEST_F(last_word_death, is_how_it_ended) {
  EXPECT_EXIT(after_beginning([] { base::leave_last_word(base::last_word::ended, exit_status::ok); }),
              ExitedWithCode(0), "");
  EXPECT_EQ(left(), "ended  000");
  EXPECT_EXIT(after_beginning([] { base::leave_last_word(base::last_word::ended, exit_status::bad_data); }),
              ExitedWithCode(0), "");
  EXPECT_EQ(left(), "ended  065");
}

TEST_F(last_word_death, is_that_it_failed) {
  EXPECT_EXIT(after_beginning([] { base::fail(exit_status::no_resource, "x"); }), ExitedWithCode(71),
              "FATAL");
  EXPECT_EQ(left(), "failed 071");
}

TEST_F(last_word_death, is_the_signal_that_ends_it_unless_it_has_said_more) {
  EXPECT_EXIT(after_beginning([] { base::leave_last_word_of_signal(15); }), ExitedWithCode(0), "");
  EXPECT_EQ(left(), "signal 015");
  const auto done_before = [] {
    base::leave_last_word(base::last_word::ended, exit_status::bad_data);
    base::leave_last_word_of_signal(15);
  };
  EXPECT_EXIT(after_beginning(done_before), ExitedWithCode(0), "");
  EXPECT_EQ(left(), "ended  065");
}

TEST_F(last_word_death, names_the_process_and_its_host) {
  const auto compare = [this] {
    std::ifstream file(folder_ / "12");
    std::string word, code, host;
    pid_t process = 0;
    file >> word >> code >> process >> host;
    char here[256] = {};
    gethostname(here, sizeof(here) - 1);
    ::_exit(process == getpid() && host == here ? 0 : 1);
  };
  EXPECT_EXIT(after_beginning(compare), ExitedWithCode(0), "");
}

TEST_F(last_word_death, is_not_a_child_s_to_say) {
  const auto child_fails = [] {
    if (fork() == 0) base::fail(exit_status::hung, "x");
    int status = 0;
    wait(&status);
    ::_exit(WEXITSTATUS(status) == 75 ? 0 : 1);
  };
  EXPECT_EXIT(after_beginning(child_fails), ExitedWithCode(0), "");
  EXPECT_EQ(left(), "begun  000");
}

TEST_F(last_word_death, of_a_process_is_that_of_its_last_job) {
  const auto run_two = [] {
    base::leave_last_word(base::last_word::ended, exit_status::failed);
    base::begin_last_word(12);
    base::leave_last_word_of_signal(SIGTERM);
    ::_exit(0);
  };
  EXPECT_EXIT(after_beginning(run_two), ExitedWithCode(0), "");
  EXPECT_EQ(left(), "signal 015");
}

TEST_F(last_word_death, is_nothing_where_no_launcher_asks) {
  unsetenv("ORUJO_LAST_WORDS");
  EXPECT_EXIT(after_beginning([] { base::leave_last_word(base::last_word::ended, exit_status::ok); }),
              ExitedWithCode(0), "");
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace orujo::internal
