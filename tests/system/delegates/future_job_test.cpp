#include "system/delegates/future.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "system/base/identity.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::delegates {
namespace {

TEST(future, brings_the_result_of_a_delegate) {
  for (core_id c = 0; c < cores(); ++c) {
    auto there = async_call(c, [] { return my_core(); });
    auto done = async_call(c, [] {});
    EXPECT_EQ(there.get(), c);
    EXPECT_EQ(there.get(), c);
    EXPECT_TRUE(there.ready());
    done.get();
    EXPECT_TRUE(done.ready());
  }
}

TEST(future, of_a_promise_kept_by_a_task_elsewhere_later) {
  std::deque<future<std::uint64_t>> answers(200);
  completion_event all;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const auto core = static_cast<core_id>(k) % cores();
    async_spawn(all, core, [k, promise = answers[k].make_promise()] {
      for (std::size_t turn = 0; turn < k % 5; ++turn) tasks::yield();
      promise.keep(k * k);
    });
  }
  for (std::size_t k = answers.size(); k-- > 0;) EXPECT_EQ(answers[k].get(), k * k);
  all.wait();
}

TEST(future, lets_many_tasks_wait_for_one_value) {
  future<std::uint64_t> answer;
  const auto promise = answer.make_promise();
  std::uint64_t sum = 0;
  tasks::join_counter missing(100);
  for (int k = 0; k < 100; ++k) {
    tasks::spawn([&] {
      sum += answer.get();
      missing.complete();
    });
  }
  completion_event kept;
  async_call(kept, cores() - 1, [promise] { promise.keep(7); });
  missing.wait();
  kept.wait();
  EXPECT_EQ(sum, 700u);
}

TEST(future, waits_for_its_promise_before_it_ends) {
  auto word = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  const auto last = word[word.size() - 1];
  {
    const auto unused = async_call(last.core(), [=] { *last.local() = 5; });
  }
  EXPECT_EQ(call(last.core(), [=] { return *last.local(); }), 5u);
  word.destroy();
}

}  // namespace
}  // namespace orujo::delegates
