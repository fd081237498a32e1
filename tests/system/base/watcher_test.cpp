#include "system/base/watcher.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

namespace orujo::internal::base {
namespace {

using namespace std::chrono_literals;

TEST(watcher, checks_until_it_is_destroyed) {
  std::atomic<int> begun{0}, ended{0};
  {
    const watcher often(3, 0ms, [&] {
      EXPECT_EQ(my_identity().locale, 3) << "whose failures are told in its name";
      ++begun;
      for (int k = 0; k < 1000; ++k) std::this_thread::yield();
      ++ended;
      return 0ms;
    });
    while (begun < 3) std::this_thread::yield();
  }
  EXPECT_EQ(begun, ended) << "it waits for a check that is under way";
}

TEST(watcher, ends_at_once_in_the_middle_of_a_pause) {
  const auto begun = std::chrono::steady_clock::now();
  {
    std::atomic<bool> checked{false};
    const watcher seldom(-1, 0h, [&] {
      checked = true;
      return 1h;
    });
    while (!checked) std::this_thread::yield();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 30min);
}

TEST(watcher, takes_no_signals) {
  sigset_t blocked;
  sigemptyset(&blocked);
  std::thread looks = thread_without_signals([&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); });
  looks.join();
  EXPECT_TRUE(sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGUSR1));
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, nullptr, &mine);
  EXPECT_FALSE(sigismember(&mine, SIGINT)) << "the caller takes them as before";
}

}  // namespace
}  // namespace orujo::internal::base
