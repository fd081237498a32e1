#include "system/messages/work_ledger.hpp"

#include <gtest/gtest.h>

#include <set>

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
