#include "system/tasks/sync.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::tasks {
namespace {

// Runs the body once without and many times with shuffled tasks.
template <class Body>
void under_chaos(Body body) {
  for (std::uint64_t seed = 0; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << seed);
    lone_core core(seed);
    body(core);
  }
}

TEST(join_counter, does_not_wait_for_nothing) {
  lone_core core;
  bool ended = false;
  core.run([&] {
    join_counter none;
    none.wait();
    ended = true;
  });
  EXPECT_TRUE(ended);
}

TEST(join_counter, wakes_all_waiters_at_zero) {
  under_chaos([](lone_core& core) {
    join_counter missing(10);
    int completed = 0, woken = 0;
    for (int k = 0; k < 5; ++k) {
      core.spawn([&] {
        missing.wait();
        EXPECT_EQ(completed, 10);
        ++woken;
      });
    }
    for (int k = 0; k < 8; ++k) {
      core.spawn([&] {
        yield();
        EXPECT_EQ(woken, 0);
        ++completed;
        missing.complete();
      });
    }
    core.spawn([&] {
      completed += 2;
      missing.complete(2);
    });
    core.run();
    EXPECT_EQ(woken, 5);
  });
}

TEST(join_counter, can_be_raised_and_used_again) {
  lone_core core;
  int rounds = 0;
  core.run([&] {
    join_counter missing;
    for (; rounds < 10; ++rounds) {
      int done = 0;
      for (int k = 0; k < 20; ++k) {
        missing.add();
        spawn([&] {
          ++done;
          missing.complete();
        });
      }
      missing.wait();
      EXPECT_EQ(done, 20);
    }
  });
  EXPECT_EQ(rounds, 10);
}

TEST(full_empty, is_empty_at_first_and_full_when_written) {
  lone_core core;
  core.run([] {
    full_empty<int> word;
    EXPECT_FALSE(word.full());
    word.write_full(7);
    EXPECT_TRUE(word.full());
    EXPECT_EQ(word.read_when_full(), 7);
    EXPECT_TRUE(word.full());
    word.write_full(8);
    EXPECT_EQ(word.take_when_full(), 8);
    EXPECT_FALSE(word.full());
  });
}

TEST(full_empty, is_updated_in_place_only_while_full) {
  under_chaos([](lone_core& core) {
    full_empty<int> word;
    bool updated = false;
    core.spawn([&] {
      word.write_when_full(9);
      updated = true;
    });
    core.run([&] {
      core.begin_together();
      EXPECT_FALSE(updated);
      word.write_full(7);
      EXPECT_EQ(word.read(), 7);
      core.begin_together();
      EXPECT_TRUE(updated);
      EXPECT_TRUE(word.full());
      EXPECT_EQ(word.read(), 9);
    });
  });
}

TEST(full_empty, lets_writers_go_on_when_it_is_emptied) {
  under_chaos([](lone_core& core) {
    full_empty<int> word;
    core.spawn([&] {
      word.write_full(1);
      word.write_when_empty(2);
    });
    core.run([&] {
      core.begin_together();
      EXPECT_EQ(word.read(), 1);
      word.make_empty();
      EXPECT_FALSE(word.full());
      EXPECT_EQ(word.take_when_full(), 2);
    });
  });
}

TEST(barrier, lets_its_members_go_on_together_time_after_time) {
  under_chaos([](lone_core& core) {
    constexpr int members = 7, rounds = 20;
    barrier all(members);
    std::vector<int> arrived(rounds);
    int wrong = 0;
    for (int m = 0; m < members; ++m) {
      core.spawn([&, m] {
        for (int r = 0; r < rounds; ++r) {
          for (int turn = 0; turn < (m + r) % 3; ++turn) yield();
          ++arrived[static_cast<std::size_t>(r)];
          all.arrive_and_wait();
          wrong += arrived[static_cast<std::size_t>(r)] != members;
        }
      });
    }
    core.run();
    EXPECT_EQ(arrived.back(), members);
    EXPECT_EQ(wrong, 0);
  });
}

TEST(full_empty, wakes_every_reader) {
  under_chaos([](lone_core& core) {
    full_empty<int> word;
    int sum = 0;
    for (int k = 0; k < 10; ++k) core.spawn([&] { sum += word.read_when_full(); });
    core.run([&] {
      EXPECT_EQ(sum, 0);
      word.write_full(7);
    });
    EXPECT_EQ(sum, 70);
  });
}

TEST(full_empty, hands_every_value_to_exactly_one_taker) {
  under_chaos([](lone_core& core) {
    full_empty<std::unique_ptr<int>> word;
    std::vector<int> times(300);
    for (int writer = 0; writer < 3; ++writer) {
      core.spawn([&, writer] {
        for (int k = 0; k < 100; ++k) {
          word.write_when_empty(std::make_unique<int>(100 * writer + k));
          if (k % 7 == writer) yield();
        }
      });
    }
    for (int taker = 0; taker < 4; ++taker) {
      core.spawn([&] {
        for (int k = 0; k < 75; ++k) ++times[static_cast<std::size_t>(*word.take_when_full())];
      });
    }
    core.run();
    EXPECT_EQ(times, std::vector<int>(300, 1));
    EXPECT_FALSE(word.full());
  });
}

TEST(mutex, excludes_across_suspensions) {
  under_chaos([](lone_core& core) {
    mutex m;
    int inside = 0, times = 0;
    for (int k = 0; k < 20; ++k) {
      core.spawn([&] {
        core.begin_together();
        for (int round = 0; round < 10; ++round) {
          m.lock();
          EXPECT_EQ(++inside, 1);
          yield();
          EXPECT_EQ(--inside, 0);
          ++times;
          m.unlock();
        }
      });
    }
    core.run();
    EXPECT_EQ(times, 200);
  });
}

TEST(mutex, lets_in_whoever_came_first) {
  lone_core core;
  mutex m;
  std::vector<int> order;
  core.spawn([&] {
    m.lock();
    core.begin_together();  // the others wait for the mutex
    m.unlock();
    m.lock();  // after those that wait already
    order.push_back(10);
    m.unlock();
  });
  for (int k = 0; k < 10; ++k) {
    core.spawn([&, k] {
      m.lock();
      yield();
      order.push_back(k);
      m.unlock();
    });
  }
  core.run();
  EXPECT_EQ(order, numbers_below(11));
}

TEST(semaphore, admits_as_many_as_it_has_permits) {
  under_chaos([](lone_core& core) {
    constexpr int permits = 3;
    semaphore s(permits);
    int inside = 0, most = 0, times = 0;
    for (int k = 0; k < 20; ++k) {
      core.spawn([&] {
        core.begin_together();
        for (int round = 0; round < 10; ++round) {
          s.acquire();
          most = std::max(most, ++inside);
          yield();
          --inside;
          ++times;
          s.release();
        }
      });
    }
    core.run();
    EXPECT_EQ(most, permits);
    EXPECT_EQ(times, 200);
  });
}

TEST(semaphore, without_permits_waits_for_releases) {
  lone_core core;
  semaphore s(0);
  int acquired = 0;
  for (int k = 0; k < 5; ++k) {
    core.spawn([&] {
      s.acquire();
      ++acquired;
    });
  }
  core.run([&] {
    EXPECT_EQ(acquired, 0);
    s.release();
    s.release();
    s.release();
  });
  EXPECT_EQ(acquired, 3);
}

TEST(condition_variable, wakes_one_or_all) {
  lone_core core;
  condition_variable changed;
  int woken = 0;
  for (int k = 0; k < 10; ++k) {
    core.spawn([&] {
      changed.wait();
      ++woken;
    });
  }
  core.run([&] {
    changed.notify_one();
    changed.notify_one();
    yield();
    EXPECT_EQ(woken, 2);
    changed.notify_all();
    yield();
    EXPECT_EQ(woken, 10);
    changed.notify_one();  // nobody waits
    changed.notify_all();
  });
  EXPECT_EQ(woken, 10);
}

TEST(condition_variable, passes_values_through_a_bounded_queue) {
  under_chaos([](lone_core& core) {
    condition_variable changed;
    std::vector<int> queue, got;
    core.spawn([&] {
      for (int k = 0; k < 100; ++k) {
        while (queue.size() == 3) changed.wait();
        queue.push_back(k);
        changed.notify_all();
      }
    });
    core.spawn([&] {
      while (got.size() < 100) {
        while (queue.empty()) changed.wait();
        got.push_back(queue.front());
        queue.erase(queue.begin());
        changed.notify_all();
      }
    });
    core.run();
    EXPECT_EQ(got, numbers_below(100));
  });
}

}  // namespace
}  // namespace orujo::internal::tasks
