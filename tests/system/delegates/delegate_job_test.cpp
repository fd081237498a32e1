#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include "system/base/identity.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/global_heap.hpp"

namespace orujo::internal::delegates {
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

TEST(delegate, word_operations_act_on_linear_addresses_too) {
  constexpr std::size_t n = 97;
  for (const std::size_t block : {8u, 64u, 1024u}) {
    const auto words = global_alloc<std::int64_t>(n, block);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = words + static_cast<std::ptrdiff_t>(i);
      const auto value = static_cast<std::int64_t>(i);
      write(at, value);
      EXPECT_EQ(fetch_and_add(at, 5), value);
      EXPECT_FALSE(compare_and_swap(at, value, -1));
      EXPECT_TRUE(compare_and_swap(at, value + 5, -1));
      increment(at);
      increment(at, 10);
      EXPECT_EQ(read(at), 10);
      EXPECT_EQ(read(at.resolve()), 10);
      increment(at.resolve(), -3);
      EXPECT_EQ(read(memory::linear_address<const std::int64_t>(at)), 7);
    }
    completion_event all;
    for (std::size_t i = 0; i < n; ++i) async_write(all, words + static_cast<std::ptrdiff_t>(i), 1);
    all.wait();
    loops::on_all_cores([=, event = all.ref()] {
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(n); ++i) {
        async_increment(event, words + i);
        async_increment(event, words + i, i);
      }
    });
    all.wait();
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(read(words + static_cast<std::ptrdiff_t>(i)), 1 + static_cast<std::int64_t>(i + 1) * cores());
    }
    global_free(words);
  }
}

TEST(delegate, calls_run_with_the_object_at_its_owner) {
  struct counter {
    std::int64_t total;
    core_id last;
    std::int32_t unused;
  };
  const std::size_t n = 4 * static_cast<std::size_t>(cores());
  const auto counters = global_alloc<counter>(n, sizeof(counter));
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = counters + static_cast<std::ptrdiff_t>(i);
    write(at, counter{5, -1, 0});
    const std::int64_t doubled = call(at, [i](counter& c) {
      c.total += static_cast<std::int64_t>(i);
      c.last = my_core();
      return 2 * c.total;
    });
    EXPECT_EQ(doubled, 2 * (5 + static_cast<std::int64_t>(i)));
    completion_event later;
    async_call(later, at.resolve(), [](counter& c) { c.total = -c.total; });
    later.wait();
    EXPECT_EQ(read(at.member(&counter::total)), -5 - static_cast<std::int64_t>(i));
    EXPECT_EQ(read(at.member(&counter::last)), at.core());
    EXPECT_EQ(at.core(), (counters.core() + static_cast<core_id>(i)) % cores());
  }
  global_free(counters);
}

}  // namespace
}  // namespace orujo::internal::delegates
