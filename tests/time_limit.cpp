// Ends the program of a unit test that hangs after five minutes, and names the test. ctest would name the
// program only.
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace orujo::internal {
namespace {

constexpr unsigned seconds_of_a_test = 300;
std::string running;  // made before the alarm is set: a signal handler may only write it

// A death test has a file for the other stream.
void say_and_end(int) {
  (void)!::write(STDOUT_FILENO, running.data(), running.size());
  ::_exit(1);
}

class time_limit : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    running =
        std::string("\n") + test.test_suite_name() + "." + test.name() + " takes more than five minutes\n";
    ::alarm(seconds_of_a_test);
  }
  void OnTestEnd(const testing::TestInfo&) override { ::alarm(0); }
};

// gtest_main has no other place to add a listener in.
class environment : public testing::Environment {
  void SetUp() override {
    std::signal(SIGALRM, &say_and_end);
    ::pthread_atfork(nullptr, nullptr,
                     [] { std::signal(SIGALRM, SIG_DFL); });  // death tests set alarms of their own
    testing::UnitTest::GetInstance()->listeners().Append(new time_limit);
  }
};
const testing::Environment* const added = testing::AddGlobalTestEnvironment(new environment);

}  // namespace
}  // namespace orujo::internal
