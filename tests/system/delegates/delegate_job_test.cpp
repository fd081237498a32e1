#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "system/containers/global_array.hpp"
#include "system/messages/identity.hpp"

namespace orujo::delegates {
namespace {

TEST(delegate, call_runs_at_the_core_it_names) {
  for (core_id c = 0; c < cores(); ++c) {
    EXPECT_EQ(call(c, [] { return my_core(); }), c);
    EXPECT_EQ(call(c, [] { return my_locale(); }), shape().locale_of(c));
  }
}

TEST(delegate, word_operations_act_on_the_owners_memory) {
  auto words = containers::global_array<std::int64_t>::create(97);
  for (std::size_t i = 0; i < words.size(); ++i) write(words[i], static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = static_cast<std::int64_t>(i);
    EXPECT_EQ(read(words[i]), value);
    EXPECT_EQ(fetch_and_add(words[i], 5), value);
    EXPECT_FALSE(compare_and_swap(words[i], value, -1));
    EXPECT_TRUE(compare_and_swap(words[i], value + 5, -1));
    EXPECT_EQ(read(words[i]), -1);
  }
  words.destroy();
}

TEST(delegate, concurrent_fetch_and_adds_of_one_word_return_every_value_once) {
  auto word = containers::global_array<std::uint64_t>::create(1);
  constexpr std::uint64_t per_core = 500;
  auto taken = containers::global_array<std::uint8_t>::create(per_core * static_cast<std::size_t>(cores()));
  loops::on_all_cores([=] {
    loops::forall_here({0, per_core}, [=](std::size_t) {
      const std::uint64_t ticket = fetch_and_add(word[0], 1);
      fetch_and_add(taken[ticket], 1);
    });
  });
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(read(taken[i]), 1) << "ticket " << i;
  word.destroy();
  taken.destroy();
}

TEST(delegate, asynchronous_increments_are_complete_when_the_event_is) {
  constexpr std::size_t words = 1000, rounds = 50;
  auto table = containers::global_array<std::uint64_t>::create(words);
  completion_event all;
  loops::on_all_cores([=, event = all.ref()] {
    for (std::size_t k = 0; k < words * rounds; ++k) async_increment(event, table[k * 7919 % words]);
  });
  all.wait();
  for (std::size_t i = 0; i < words; ++i) {
    EXPECT_EQ(read(table[i]), rounds * static_cast<std::uint64_t>(cores())) << "word " << i;
  }
  table.destroy();
}

TEST(delegate, call_task_may_suspend_where_it_runs) {
  auto words =
      containers::global_array<tasks::full_empty<std::uint64_t>>::create(static_cast<std::size_t>(cores()));
  completion_event all;
  for (core_id c = 0; c < cores(); ++c) {
    const auto word = words[static_cast<std::size_t>(c)];
    // The reader comes first and waits at the owner for the writer.
    tasks::full_empty<std::uint64_t> got;
    tasks::spawn([&got, word] {
      got.write_full(call_task(word.core(), [=] { return word.local()->take_when_full(); }));
    });
    tasks::yield();
    call_task(word.core(), [=] {
      tasks::yield();
      word.local()->write_when_empty(static_cast<std::uint64_t>(my_core()) + 1);
    });
    EXPECT_EQ(got.read_when_full(), static_cast<std::uint64_t>(c) + 1);
    EXPECT_FALSE(call(c, [=] { return word.local()->full(); }));
  }
  words.destroy();
}

TEST(delegate, get_and_put_move_more_than_a_block) {
  constexpr std::size_t per_core = 20'000;
  auto array = containers::global_array<std::uint32_t>::create(per_core * static_cast<std::size_t>(cores()));
  std::vector<std::uint32_t> out(per_core), in(per_core);
  for (core_id c = 0; c < cores(); ++c) {
    std::iota(out.begin(), out.end(), static_cast<std::uint32_t>(c) * 1000);
    const auto base = array[per_core * static_cast<std::size_t>(c)];
    completion_event written;
    async_put(written, base, std::span<const std::uint32_t>(out));
    written.wait();
    get(memory::global_address<const std::uint32_t>(c, base.local()), std::span(in));
    EXPECT_EQ(in, out);
  }
  array.destroy();
}

}  // namespace
}  // namespace orujo::delegates
