#include "system/messages/work_ledger.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "system/base/aligned_bytes.hpp"

namespace orujo::internal::messages {
namespace {

TEST(work_ledger, gives_different_numbers_and_takes_them_back) {
  work_ledger ledger(7);
  std::set<std::uint32_t> numbers;
  for (int k = 0; k < 1000; ++k) numbers.insert(ledger.take_number());
  EXPECT_EQ(numbers.size(), 1000u);
  for (std::uint32_t number : numbers) EXPECT_EQ(number >> 16, 7u);
  for (std::uint32_t number : numbers) ledger.give_back_number(number);
  for (int k = 0; k < 1000; ++k) EXPECT_TRUE(numbers.contains(ledger.take_number()));
}

TEST(work_ledger, counts_every_event_apart) {
  work_ledger ledger(0);
  constexpr std::uint32_t near = 0, far = 300 << 16 | 500;
  ledger.at(near).issue(1);
  ledger.at(far).issue(7);
  ledger.at(far).done(2);
  ledger.at(far).retract(2);
  EXPECT_EQ(ledger.at(near).read(), (work_counts{1, 0}));
  EXPECT_EQ(ledger.at(far).read(), (work_counts{5, 2}));
  EXPECT_EQ(ledger.at(300 << 16 | 499).read(), work_counts{});
}

TEST(work_ledger, gives_the_lowest_number_that_is_free) {
  work_ledger ledger(1);
  for (int k = 0; k < 40; ++k) ledger.take_number();
  for (const std::uint32_t slot : {30, 3, 17}) ledger.give_back_number(1 << 16 | slot);
  for (const std::uint32_t slot : {3, 17, 30, 40}) EXPECT_EQ(ledger.take_number(), 1 << 16 | slot);
}

// Cores 5 and 6 are those of a node, each of a locale of its own.
TEST(work_ledger, reads_the_counts_of_all_cores_of_its_node) {
  constexpr std::size_t bytes = node::work_table::bytes_for(2);
  const base::aligned_bytes memory = base::make_aligned_bytes(2 * bytes);
  std::memset(memory.get(), 0, 2 * bytes);
  node::work_tables shared{5, {}};
  for (const std::size_t locale : {0, 1}) shared.add(memory.get() + locale * bytes, 1, 2);
  work_ledger first(5), second(6);
  first.connect({&first}, shared);
  second.connect({&second}, shared);
  const std::uint32_t last_slot = node::work_table::slots - 1;
  for (const std::uint32_t number : {5u << 16, 5u << 16 | last_slot, 6u << 16, 6u << 16 | last_slot}) {
    ASSERT_TRUE(first.is_shared(number) && second.is_shared(number));
    first.at(number).issue(number);
    second.at(number).done(7);
    EXPECT_EQ(first.of_node(number), (work_counts{number, 7}));
    EXPECT_EQ(second.of_node(number), (work_counts{number, 7}));
  }
  for (const std::uint32_t number : {4u << 16, 7u << 16, 5u << 16 | (last_slot + 1)}) {
    EXPECT_FALSE(first.is_shared(number));
    first.at(number).issue(2);
    second.at(number).issue(3);
    EXPECT_EQ(first.of_locale(number), (work_counts{2, 0}));
  }
}

TEST(work_ledger_death, has_65536_numbers) {
  work_ledger ledger(65535);
  std::uint32_t last = 0;
  for (int k = 0; k < 65536; ++k) last = ledger.take_number();
  EXPECT_EQ(last, 0xffffffffu);
  EXPECT_EXIT(ledger.take_number(), testing::ExitedWithCode(78), "more than 65,536 completion events");
}

TEST(work_ledger_death, takes_no_number_of_another_core) {
  work_ledger ledger(1), other(2);
  EXPECT_EXIT(ledger.give_back_number(other.take_number()), testing::ExitedWithCode(78),
              "away from its core");
}

}  // namespace
}  // namespace orujo::internal::messages
