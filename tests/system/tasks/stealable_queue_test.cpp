#include "system/tasks/stealable_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::tasks {
namespace {

using queue = stealable_queue<std::uint64_t>;

TEST(stealable_queue, agrees_with_a_deque) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    queue q;
    std::deque<std::uint64_t> model;
    for (int step = 0; step < 2000; ++step) {
      const std::uint64_t choice = random.below(seed % 2 ? 8 : 3);
      if (choice == 0) {
        std::uint64_t got = 0;
        ASSERT_EQ(q.pop(got), !model.empty());
        if (model.empty()) continue;
        ASSERT_EQ(got, model.back());
        model.pop_back();
      } else if (choice == 1) {
        const std::size_t most = random.below(2) ? queue::largest_theft : 1 + random.below(5);
        std::vector<std::uint64_t> stolen{7};
        const std::size_t count = q.steal(stolen, most);
        ASSERT_EQ(count, std::min({most, queue::largest_theft, (model.size() + 1) / 2}));
        ASSERT_EQ(stolen.size(), count + 1);
        for (std::size_t k = 1; k < stolen.size(); ++k) {
          ASSERT_EQ(stolen[k], model.front());
          model.pop_front();
        }
      } else {
        model.push_back(random());
        q.push(model.back());
      }
      ASSERT_EQ(q.size(), model.size());
    }
  }
}

TEST(stealable_queue, moves_no_more_at_a_time_than_it_says) {
  queue q;
  for (std::uint64_t k = 0; k < 10 * queue::largest_theft; ++k) q.push(k);
  std::vector<std::uint64_t> stolen;
  EXPECT_EQ(q.steal(stolen), queue::largest_theft);
}

TEST(stealable_queue, gives_every_value_once_to_owner_and_thieves) {
  constexpr std::uint64_t values = 100'000;
  queue q;
  std::vector<std::atomic<int>> taken(values);
  std::atomic<bool> done{false};
  std::vector<std::thread> thieves;
  std::atomic<std::uint64_t> thefts{0};
  for (int t = 0; t < 3; ++t) {
    thieves.emplace_back([&] {
      std::vector<std::uint64_t> mine;
      while (!done.load()) {
        mine.clear();
        if (q.steal(mine) == 0) std::this_thread::yield();
        for (const std::uint64_t v : mine) taken[v].fetch_add(1);
        thefts += mine.size();
      }
    });
  }
  std::uint64_t next = 0, got;
  random_stream random(9);
  while (next < values) {
    for (std::uint64_t n = random.below(100); n > 0 && next < values; --n) q.push(next++);
    for (std::uint64_t n = random.below(50); n > 0 && q.pop(got); --n) taken[got].fetch_add(1);
  }
  while (thefts.load() == 0 && q.size() > 0) std::this_thread::yield();
  while (q.pop(got)) taken[got].fetch_add(1);
  done = true;
  for (std::thread& t : thieves) t.join();
  while (q.pop(got)) taken[got].fetch_add(1);
  for (std::uint64_t v = 0; v < values; ++v) ASSERT_EQ(taken[v].load(), 1) << v;
}

}  // namespace
}  // namespace orujo::internal::tasks
