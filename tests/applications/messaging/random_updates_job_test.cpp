// The kernels of gups, histogram and index_gather, and that their checks notice what is wrong.
#include "applications/messaging/random_updates.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>

#include "applications/messaging/index_gather.hpp"
#include "system/containers/symmetric.hpp"

namespace orujo::internal::messaging {
namespace {

constexpr std::size_t words = 5'000;
constexpr draws some{.seed = 20'240'229, .count = 20'001};

// A table of which word i is i.
class updates : public testing::Test {
 protected:
  updates() : table(word_table::create(words)) {
    table.fill([](std::size_t i) { return i; });
  }
  ~updates() override { table.destroy(); }

  template <class Send>
  void run(const Send& send) {
    delegates::completion_event updated;
    loops::on_all_cores([send, table = table, event = updated.ref()] { send(event, table); });
    updated.wait();
  }
  void increment_by(const draws& d) {
    run([d](delegates::event_ref event, word_table to) {
      send_increments<smallest_increment>(event, to, d);
    });
  }

  word_table table;
};

TEST_F(updates, increments_are_done_once_and_can_be_undone) {
  increment_by(some);
  const update_check check = check_by_undoing(table, operation::increment, some);
  EXPECT_TRUE(check.agrees()) << check.describe();
  EXPECT_EQ(check.changed, some.count);
}

TEST_F(updates, padded_updates_do_the_same) {
  run([](delegates::event_ref event, word_table to) { send_increments<8>(event, to, some); });
  EXPECT_TRUE(check_by_undoing(table, operation::increment, some).agrees());
}
TEST_F(updates, updates_of_256_bytes_do_the_same) {
  run([](delegates::event_ref event, word_table to) { send_increments<256>(event, to, some); });
  EXPECT_TRUE(check_by_undoing(table, operation::increment, some).agrees());
}

TEST_F(updates, exclusive_ors_are_done_once_and_can_be_undone) {
  for (const bool padded : {false, true}) {
    run([padded](delegates::event_ref event, word_table to) {
      padded ? send_exclusive_ors<64>(event, to, some) : send_exclusive_ors<16>(event, to, some);
    });
    const update_check check = check_by_undoing(table, operation::exclusive_or, some);
    EXPECT_TRUE(check.agrees()) << check.describe();
  }
}

TEST_F(updates, fetch_and_increment_returns_each_value_once) {
  word returned = 0;
  const memory::global_address<word> sum(my_core(), &returned);
  run([sum](delegates::event_ref, word_table to) {
    delegates::increment(sum, fetch_and_increment<8>(to, some, 20));
  });
  const update_check check = check_by_undoing(table, operation::fetch_add, some, returned);
  EXPECT_TRUE(check.agrees()) << check.describe();
}

TEST_F(updates, places_counted_are_increments) {
  run([](delegates::event_ref event, word_table to) { count(event, to, drawn_places(some, to.size())); });
  EXPECT_TRUE(check_by_undoing(table, operation::increment, some).agrees());
}

TEST_F(updates, the_check_notices_a_lost_update) {
  increment_by(some);
  delegates::increment(table[words / 2], ~word{0});
  const update_check check = check_by_undoing(table, operation::increment, some);
  EXPECT_FALSE(check.agrees());
  EXPECT_EQ(check.changed + 1, check.expected_change);
  EXPECT_EQ(check.wrong_words, 1u);
}

TEST_F(updates, the_check_notices_an_update_of_another_word) {
  increment_by(some);
  delegates::increment(table[7], ~word{0});
  delegates::increment(table[words - 1]);
  const update_check check = check_by_undoing(table, operation::increment, some);
  EXPECT_FALSE(check.agrees());
  EXPECT_EQ(check.changed, check.expected_change);
  EXPECT_EQ(check.wrong_words, 2u);
  EXPECT_NE(check.describe().find("2 wrong words"), std::string::npos) << check.describe();
}

TEST_F(updates, the_check_notices_a_flipped_bit) {
  run([](delegates::event_ref event, word_table to) { send_exclusive_ors<16>(event, to, some); });
  delegates::call(table[words - 1], [](word& w) { w ^= word{1} << 63; });
  const update_check check = check_by_undoing(table, operation::exclusive_or, some);
  EXPECT_FALSE(check.agrees());
  EXPECT_EQ(check.wrong_words, 1u);
}

TEST_F(updates, the_check_notices_a_value_that_nobody_can_have_seen) {
  word returned = 0;
  const memory::global_address<word> sum(my_core(), &returned);
  run([sum](delegates::event_ref, word_table to) {
    delegates::increment(sum, fetch_and_increment<8>(to, some, 3));
  });
  EXPECT_FALSE(check_by_undoing(table, operation::fetch_add, some, returned + 1).agrees());
}

TEST(returned_by, is_the_sum_of_the_values_before) {
  for (const word start : {word{0}, word{3}, ~word{0} - 2}) {
    word sum = 0;
    for (word n = 0; n < 9; ++n) {
      EXPECT_EQ(returned_by(start, start + n), sum);
      sum += start + n;
    }
  }
}

struct arrays {
  machine::huge_array<word> places, values;
};

// Number of wrong values over the cores, after `break_it` has changed each core's arrays.
template <class Gather, class Break>
std::uint64_t wrong_after(const Gather& gather_here, const Break& break_it) {
  const auto table = word_table::create(words);
  table.fill([](std::size_t i) { return value_at(i); });
  const auto mine = containers::symmetric<arrays>::reserve();
  delegates::completion_event gathered;
  std::uint64_t wrong = 0;
  const memory::global_address<std::uint64_t> sum(my_core(), &wrong);
  loops::on_all_cores([=, event = gathered.ref()] {
    auto places = drawn_places(some, words);
    machine::huge_array<word> values(places.size());
    const arrays& a = mine.emplace_here(arrays{std::move(places), std::move(values)});
    gather_here(event, table, a.places, a.values);
  });
  gathered.wait();
  loops::on_all_cores([=] {
    const arrays& a = mine.here();
    break_it(a.values);
    delegates::increment(sum, count_wrong(a.places, a.values));
    mine.erase_here();
  });
  table.destroy();
  return wrong;
}
constexpr auto break_nothing = [](std::span<word>) {};

TEST(gather, brings_the_word_of_each_place) {
  EXPECT_EQ(wrong_after([](delegates::event_ref, word_table table, std::span<const word> places,
                           std::span<word> values) { gather(table, places, values); },
                        break_nothing),
            0u);
  EXPECT_EQ(wrong_after([](delegates::event_ref event, word_table table, std::span<const word> places,
                           std::span<word> values) { gather_by_reads(event, table, places, values); },
                        break_nothing),
            0u);
  EXPECT_EQ(wrong_after([](delegates::event_ref, word_table table, std::span<const word> places,
                           std::span<word> values) { gather_blocking(table, places, values, 50); },
                        break_nothing),
            0u);
}

TEST(gather, the_check_notices_values_that_are_missing_or_swapped) {
  const auto all = [](delegates::event_ref, word_table table, std::span<const word> places,
                      std::span<word> values) { gather(table, places, values); };
  const auto most = [](delegates::event_ref, word_table table, std::span<const word> places,
                       std::span<word> values) { gather(table, places.subspan(1), values.subspan(1)); };
  EXPECT_EQ(wrong_after(most, break_nothing), static_cast<std::uint64_t>(cores()));
  EXPECT_EQ(wrong_after(all,
                        [](std::span<word> values) {
                          if (my_core() == cores() - 1) std::swap(values[0], values[values.size() - 1]);
                        }),
            2u);
}

}  // namespace
}  // namespace orujo::internal::messaging
