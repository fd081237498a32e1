#include "system/delegates/combiner.hpp"

#include <gtest/gtest.h>

#include "tests/system/cores_where.hpp"

namespace orujo::internal::delegates {
namespace {

TEST(combiner, operations_that_wait_at_a_time_share_a_batch) {
  struct batch {
    int operations = 0;
  };
  constexpr int everyone = 250;
  int joined = 0, batches = 0, performed = 0, under_way = 0;
  const auto join = [&](batch& b) {
    ++b.operations;
    ++joined;
  };
  combiner<batch> combined([&](batch& b) {
    EXPECT_EQ(++under_way, 1) << "two batches at a time";
    call(cores() - 1, [] {});
    while (joined < everyone) tasks::yield();  // all others join while the first batch is under way
    --under_way;
    ++batches;
    performed += b.operations;
  });
  loops::forall_here({0, everyone},
                     [&](std::size_t) {
                       const int before = performed;
                       combined.perform(join);
                       EXPECT_GT(performed, before) << "returned before its batch had run";
                     },
                     {true, 1});
  EXPECT_EQ(performed, everyone);
  EXPECT_EQ(batches, 2);
  completion_event done;
  for (int k = 0; k < everyone; ++k) combined.async_perform(done, join);
  done.wait();
  EXPECT_EQ(performed, 2 * everyone);
  EXPECT_EQ(batches, 3) << "all joined before the task of the first could run";
}

TEST(hot_word, fetch_and_add_returns_each_value_once) {
  constexpr std::size_t per_core = 200;
  const std::size_t n = per_core * static_cast<std::size_t>(cores());
  auto word = containers::global_array<std::uint64_t>::create(1);
  auto times = containers::global_array<int>::create(n);
  completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    hot_word<std::uint64_t> hot(word[0]);
    loops::forall_here({0, per_core},
                       [&](std::size_t) { async_increment(event, times[hot.fetch_and_add(1)]); }, {true, 1});
  });
  done.wait();
  EXPECT_EQ(read(word[0]), n);
  EXPECT_EQ(elements_other_than(times, 1), 0u);
  times.destroy();
  word.destroy();
}

TEST(hot_word, asynchronous_increments_are_done_when_their_event_is) {
  auto word = containers::global_array<std::int64_t>::create(static_cast<std::size_t>(cores()));
  const containers::symmetric<hot_word<std::int64_t>> hot =
      containers::symmetric<hot_word<std::int64_t>>::reserve();
  const auto last = word[word.size() - 1];
  completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    hot.emplace_here(last);
    for (int k = 1; k <= 100; ++k) hot.here().async_increment(event, k);
  });
  done.wait();
  EXPECT_EQ(read(last), 5050 * cores());
  hot.destroy();
  word.destroy();
}

}  // namespace
}  // namespace orujo::internal::delegates
