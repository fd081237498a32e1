#include "system/delegates/heap_call.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/global_heap.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::delegates {
namespace {

using word = std::uint64_t;

constexpr auto add_one = [](word& w) { ++w; };
static_assert(sizeof(detail::at_offset<word, decltype(add_one), std::uint32_t>) == 4);

// Each core increments words of all cores, by start(event, address of a word).
template <class Start>
void increments_all(std::size_t n, const Start& start) {
  constexpr std::size_t each = 30'000;
  const auto words = global_alloc<word>(n, 64);
  fill(words, n, 0);
  finish([&](event_ref event) {
    loops::on_all_cores([=] {
      random_stream random(7, static_cast<std::uint64_t>(my_core()));
      for (std::size_t k = 0; k < each; ++k)
        start(event, words + static_cast<std::ptrdiff_t>(random.below(n)));
    });
  });
  std::vector<word> expected(n), found(n);
  for (core_id c = 0; c < cores(); ++c) {
    random_stream random(7, static_cast<std::uint64_t>(c));
    for (std::size_t k = 0; k < each; ++k) ++expected[random.below(n)];
  }
  get(words, std::span(found));
  EXPECT_EQ(found, expected);
  global_free(words);
}

TEST(heap_call, increments_each_word_once_by_its_offset) {
  increments_all(1, [](event_ref event, auto at) { async_increment(event, at); });
  increments_all(5000, [](event_ref event, auto at) { async_increment(event, at); });
}

// The offset does not reach most words, which then travel by address.
TEST(heap_call, increments_words_that_offsets_do_not_reach) {
  increments_all(
      5000, [](event_ref event, auto at) { detail::async_call_at_offset<std::uint8_t>(event, at, add_one); });
}

struct record {
  std::uint32_t number;
  float share;
  std::uint64_t sum;
};

// By the address of a member, which is a multiple of its own alignment only.
TEST(heap_call, reaches_members_and_takes_values_along) {
  const std::size_t n = 100 * static_cast<std::size_t>(cores());
  const auto records = global_alloc<record>(n);
  fill(records, n, record{0, 0, 0});
  finish([&](event_ref event) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = records + static_cast<std::ptrdiff_t>(i);
      async_increment(event, at.member(&record::number), static_cast<std::uint32_t>(i));
      async_write(event, at.member(&record::share), static_cast<float>(i) / 2);
      async_call(event, at, [i](record& r) { r.sum += 10 * i + r.number; });
      async_increment(event, at.member(&record::number));
      async_increment(event, at.member(&record::sum), 3);
    }
  });
  std::vector<record> found(n);
  get(records, std::span(found));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(found[i].number, i + 1);
    EXPECT_EQ(found[i].share, static_cast<float>(i) / 2);
    EXPECT_EQ(found[i].sum, 11 * i + 3);  // in the order issued
  }
  global_free(records);
}

}  // namespace
}  // namespace orujo::internal::delegates
