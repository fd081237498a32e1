// Where a ring is missed, a sleeper sleeps for an hour: the test hangs then.
#include "system/node/alarms.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace orujo::internal::node {
namespace {

constexpr std::chrono::hours very_long{1};

template <int Cores>
struct alarm_memory {
  alignas(alarms::bytes_per_core) std::array<std::byte, alarms::bytes_for(Cores)> bytes{};
  alarms view() { return {bytes.data(), Cores}; }
};

TEST(alarms, ring_nothing_where_there_are_none) {
  const alarms none;
  EXPECT_FALSE(none);
  none.ring_one();
}

TEST(alarms, let_a_core_sleep_no_longer_than_it_may) {
  alarm_memory<1> memory;
  memory.view().sleep(0, std::chrono::milliseconds(2), [] { return false; });
}

TEST(alarms, do_not_let_a_core_sleep_that_has_something) {
  alarm_memory<1> memory;
  memory.view().sleep(0, very_long, [] { return true; });
}

TEST(alarms, do_not_keep_what_was_rung_at_a_core_that_was_awake) {
  alarm_memory<1> memory;
  const alarms all = memory.view();
  all.ring(0);
  all.ring_one();
  all.sleep(0, std::chrono::milliseconds(2), [] { return false; });
}

// Core 0 serves: each hears as many balls as there are rounds, and sleeps until the next one.
struct ping_pong {
  alarms all;
  std::array<std::atomic<int>, 2>& heard;
  int rounds;
  bool by_name;

  void play(int core) const {
    for (int round = 1; round <= rounds; ++round) {
      if (core == 1) wait_for(1, round);
      heard[static_cast<std::size_t>(1 - core)].fetch_add(1);
      by_name ? all.ring(1 - core) : all.ring_one();
      if (core == 0) wait_for(0, round);
    }
  }

 private:
  void wait_for(int core, int ball) const {
    const auto arrived = [&] { return heard[static_cast<std::size_t>(core)].load() >= ball; };
    while (!arrived()) all.sleep(core, very_long, arrived);
  }
};

TEST(alarms, wake_a_core_whenever_there_is_something_for_it) {
  for (const bool by_name : {true, false}) {
    alarm_memory<2> memory;
    std::array<std::atomic<int>, 2> heard{};
    const ping_pong game{memory.view(), heard, 5'000, by_name};
    std::thread other([&] { game.play(1); });
    game.play(0);
    other.join();
    EXPECT_EQ(heard[0], 5'000);
    EXPECT_EQ(heard[1], 5'000);
  }
}

// There are as many pieces of work as wake-ups, and any sleeper may do one.
TEST(alarms, wake_enough_cores_for_all_the_work) {
  constexpr int cores = 5, pieces = 30'000;
  alarm_memory<cores> memory;
  const alarms all = memory.view();
  std::atomic<int> waiting{0}, done{0};
  std::vector<std::thread> threads;
  for (int core = 0; core < cores; ++core) {
    threads.emplace_back([&, core] {
      while (done < pieces) {
        int left = waiting;
        while (left > 0 && !waiting.compare_exchange_weak(left, left - 1)) {
        }
        if (left > 0) {
          if (done.fetch_add(1) + 1 == pieces)
            for (int k = 0; k < cores; ++k) all.ring(k);
        } else {
          all.sleep(core, very_long, [&] { return waiting > 0 || done == pieces; });
        }
      }
    });
  }
  for (int k = 0; k < pieces; ++k) {
    waiting.fetch_add(1);
    all.ring_one();
    while (k % 8 == 0 && waiting > 0) std::this_thread::yield();  // so that they sleep now and then
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(done, pieces);
}

TEST(alarms, wake_other_processes) {
  struct shared {
    alarm_memory<2> memory;
    std::array<std::atomic<int>, 2> heard{};
  };
  void* place = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  auto* both = new (place) shared;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ping_pong{both->memory.view(), both->heard, 2000, false}.play(1);
    _exit(0);
  }
  ping_pong{both->memory.view(), both->heard, 2000, false}.play(0);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(both->heard[0], 2000);
  munmap(place, sizeof(shared));
}

}  // namespace
}  // namespace orujo::internal::node
