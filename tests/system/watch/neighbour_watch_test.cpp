#include "system/watch/neighbour_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "system/base/last_word.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::watch {
namespace {

std::string this_host() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

// A folder of last words, in which locale 1 is a process that is stopped.
class neighbour_watch_death : public testing::Test {
 protected:
  neighbour_watch_death() : stopped_(fork()) {
    if (stopped_ == 0) {
      for (;;) raise(SIGSTOP);
    }
    int how = 0;
    waitpid(stopped_, &how, WUNTRACED);
    setenv("ORUJO_LAST_WORDS", folder_.path().c_str(), 1);
  }
  ~neighbour_watch_death() override {
    unsetenv("ORUJO_LAST_WORDS");
    kill(stopped_, SIGKILL);
    waitpid(stopped_, nullptr, 0);
  }
  void leave(const std::string& word, const std::string& host) {
    std::ofstream(folder_.path() / "1") << word << " 000 " << stopped_ << ' ' << host << '\n';
  }

  scratch_folder folder_;
  const pid_t stopped_;
};

TEST_F(neighbour_watch_death, names_the_next_locale_that_is_stopped) {
  const auto wait = [] {
    base::begin_last_word(0);
    const neighbour_watch beside(std::chrono::milliseconds(200), 0);
    for (;;) pause();
  };
  for (const char* word : {"begun ", "ended "}) {
    leave(word, this_host());
    EXPECT_EXIT(wait(), testing::ExitedWithCode(76),
                "^.locale 0. FATAL: no sign of life from locale 1 .process .*T .stopped.. for 0.2[0-9]* s");
  }
}

TEST_F(neighbour_watch_death, knows_processes_of_this_host_that_have_not_failed) {
  EXPECT_EXIT(
      {
        base::begin_last_word(0);
        leave("begun ", this_host());
        bool right = base::process_by_last_word(1) == stopped_ && base::process_by_last_word(0) == getpid();
        leave("failed", this_host());
        right &= base::process_by_last_word(1) == 0;
        leave("begun ", "elsewhere");
        right &= base::process_by_last_word(1) == 0 && base::process_by_last_word(2) == 0;
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orujo::internal::watch
