#include "system/loops/forall.hpp"

#include <gtest/gtest.h>

#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::loops {
namespace {

TEST(part_of, cuts_a_range_into_nearly_equal_parts) {
  for (std::size_t n : {1u, 2u, 3u, 7u}) {
    for (std::size_t size : {0u, 1u, 2u, 6u, 7u, 8u, 100u}) {
      std::size_t next = 10;
      for (std::size_t k = 0; k < n; ++k) {
        const index_range part = part_of({10, 10 + size}, k, n);
        EXPECT_EQ(part.first, next);
        EXPECT_GE(part.size(), size / n);
        EXPECT_LE(part.size(), size / n + 1);
        next = part.last;
      }
      EXPECT_EQ(next, 10 + size);
    }
  }
}

TEST(forall, runs_every_index_once) {
  for (std::size_t size : {0u, 1u, 5u, 1000u}) {
    for (bool may_suspend : {false, true}) {
      auto count = containers::global_array<int>::create(size + 1);
      delegates::completion_event all;
      forall({0, size},
             [=, event = all.ref()](std::size_t i) { delegates::async_increment(event, count[i]); },
             {may_suspend, 0});
      all.wait();
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(delegates::read(count[i]), 1) << i;
      EXPECT_EQ(delegates::read(count[size]), 0);
      count.destroy();
    }
  }
}

TEST(forall, bodies_may_suspend_in_delegates) {
  auto words = containers::global_array<std::uint64_t>::create(3000);
  forall({0, words.size()}, [=](std::size_t i) { delegates::fetch_and_add(words[words.size() - 1 - i], i); });
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(delegates::read(words[i]), words.size() - 1 - i);
  words.destroy();
}

TEST(forall, over_an_array_visits_each_element_at_its_owner) {
  auto owners = containers::global_array<core_id>::create(101);
  forall(owners,
         [](std::size_t i, core_id& element) { element = my_core() + static_cast<core_id>(i) * 1000; });
  for (std::size_t i = 0; i < owners.size(); ++i) {
    EXPECT_EQ(delegates::read(owners[i]), owners.owner(i) + static_cast<core_id>(i) * 1000);
  }
  owners.destroy();
}

}  // namespace
}  // namespace orujo::loops
