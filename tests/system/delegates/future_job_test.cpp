#include "system/delegates/future.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "system/base/identity.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::delegates {
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

TEST(future, is_let_go_of_before_its_value_comes) {
  auto word = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  const auto last = word[word.size() - 1];
  for (std::uint64_t k = 1; k <= 50; ++k) async_call(last.core(), [=] { return *last.local() = k; });
  EXPECT_EQ(call(last.core(), [=] { return *last.local(); }), 50u);
  word.destroy();
}

TEST(future, is_stored_and_moved_while_its_value_is_on_its_way) {
  std::vector<future<core_id>> there;
  for (core_id c = 0; c < cores(); ++c) there.push_back(async_call(c, [] { return my_core(); }));
  std::vector<future<core_id>> moved = std::move(there);
  future<core_id> first = std::move(moved[0]);
  moved[0] = async_call(cores() - 1, [] { return core_id{-1}; });
  EXPECT_EQ(first.get(), 0);
  EXPECT_EQ(moved[0].get(), -1);
  for (core_id c = 1; c < cores(); ++c) EXPECT_EQ(moved[static_cast<std::size_t>(c)].get(), c);
}

TEST(future, hands_its_value_on) {
  for (core_id c = 0; c < cores(); ++c) {
    future<std::string> text = async_call(c, [] {
                                 return my_core();
                               }).then([](core_id& core) {
                                   return core + 1;
                                 }).then([](int& next) { return std::to_string(next); });
    EXPECT_EQ(text.get(), std::to_string(c + 1));
    // A second delegate once the first has answered, and something that is done in between.
    int heard = -1;
    future<core_id> back = async_call(c, [] { return my_core(); }).then([&heard](core_id& core) {
      heard = core;
      return async_call((core + 1) % cores(), [] { return my_core(); });
    });
    EXPECT_EQ(back.get(), (c + 1) % cores());
    EXPECT_EQ(heard, c);
    async_call(c, [] {}).then([&heard](nothing&) { heard = -2; }).get();
    EXPECT_EQ(heard, -2);
  }
}

TEST(future, of_all_values_comes_with_the_last) {
  for (const std::size_t n : {0u, 1u, 100u}) {
    std::vector<future<std::uint64_t>> squares;
    for (std::size_t k = 0; k < n; ++k) {
      const auto core = static_cast<core_id>(k) % cores();
      squares.push_back(async_call(core, [k] { return std::uint64_t{k * k}; }));
    }
    const std::vector<std::uint64_t> all = when_all(std::move(squares)).get();
    ASSERT_EQ(all.size(), n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(all[k], k * k);
  }
  auto [core, name] = when_all(async_call(cores() - 1, [] { return my_core(); }), async_call(0, [] {
                                                                                    return 7;
                                                                                  }).then([](int& x) {
                        return std::to_string(x);
                      })).get();
  EXPECT_EQ(core, cores() - 1);
  EXPECT_EQ(name, "7");
}

TEST(future, is_made_and_continued_in_handlers) {
  future<core_id> answer;
  const core_id me = my_core();
  call(cores() - 1, [promise = answer.make_promise(), me] {
    async_call(me, [] { return my_core(); }).then([promise](core_id& core) { promise.keep(core); });
  });
  EXPECT_EQ(answer.get(), me);
}

}  // namespace
}  // namespace orujo::internal::delegates
