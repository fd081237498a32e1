#include "framework/tables/mapreduce/map_reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/tables/mapreduce/sorted_groups.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::mapreduce {
namespace {

using word_counts = global_groups<std::string_view, std::uint64_t>;
using expected_counts = std::map<std::string, std::uint64_t>;

// Few are frequent; some are empty, have a NUL, or do not fit a message.
std::string word_of(std::uint64_t i) {
  const std::uint64_t random = mix64(i);
  const std::uint64_t which = random % 3 == 0 ? random / 3 % 5000 : random / 3 % 5;
  if (which == 1) return "";
  if (which == 2) return std::string("nul\0nul", 7);
  std::string word = "word" + std::to_string(which);
  if (which % 50 == 7) word.append(which * 4, 'l');
  return word;
}
constexpr std::size_t words = 20'000;

expected_counts counted_words() {
  expected_counts counts;
  for (std::size_t i = 0; i < words; ++i) ++counts[word_of(i)];
  return counts;
}

// The calling core's part of the range.
struct emit_words {
  template <class Emit>
  void operator()(Emit& emit) const {
    const index_range mine = my_part_of_job({0, words});
    for (std::size_t i = mine.first; i < mine.last; ++i) emit(word_of(i), 1);
  }
};

map_summary count(word_counts into, std::size_t combined_keys) {
  map_summary summary;
  const memory::global_address<map_summary> to(my_core(), &summary);
  loops::on_all_cores([into, to, combined_keys] {
    const map_summary mine = map_reduce(into, emit_words(), {combined_keys});
    if (my_core() == to.core()) *to.local() = mine;
  });
  return summary;
}

// The counts of all cores, in the order of the cores.
std::vector<std::pair<std::string, std::uint64_t>> in_order(word_counts counts) {
  text_values<std::uint64_t> all;
  const memory::global_address<text_values<std::uint64_t>> to(my_core(), &all);
  loops::on_all_cores([counts, to] {
    const auto mine = sorted(counts);
    std::vector<char> packed;
    for (std::size_t k = 0; k < mine.values.size(); ++k) {
      append_text(packed, mine.texts[k]);
      append_value(packed, mine.values[k]);
    }
    for (const auto& of_core : collectives::gather(packed, 0)) to.local()->add_packed(of_core);
  });
  std::vector<std::pair<std::string, std::uint64_t>> pairs;
  for (std::size_t k = 0; k < all.values.size(); ++k) pairs.emplace_back(all.texts[k], all.values[k]);
  return pairs;
}

TEST(map_reduce, counts_texts_however_many_are_combined) {
  const expected_counts expected = counted_words();
  const std::vector<std::pair<std::string, std::uint64_t>> pairs(expected.begin(), expected.end());
  for (const std::size_t combined_keys : {0, 1, 16, 1 << 20}) {
    const word_counts counts = word_counts::create();
    const map_summary summary = count(counts, combined_keys);
    EXPECT_EQ(in_order(counts), pairs) << combined_keys;
    EXPECT_EQ(counts.size(), expected.size());
    EXPECT_EQ(summary.pairs, words);
    EXPECT_EQ(summary.crossing_pairs > 0, cores() > 1);
    if (combined_keys == 0) {
      EXPECT_EQ(summary.sent_pairs, summary.crossing_pairs);
      EXPECT_EQ(summary.saved_bytes(), 0u);
    } else if (combined_keys > 1 && cores() > 1) {
      EXPECT_LT(summary.sent_pairs, summary.crossing_pairs);
      EXPECT_GT(summary.saved_bytes(), 0u);
    }
    counts.destroy();
  }
}

TEST(map_reduce, adds_to_what_is_there_and_begins_anew) {
  const word_counts counts = word_counts::create();
  count(counts, 100);
  count(counts, 0);
  expected_counts twice = counted_words();
  for (auto& [word, n] : twice) n *= 2;
  const std::vector<std::pair<std::string, std::uint64_t>> pairs(twice.begin(), twice.end());
  EXPECT_EQ(in_order(counts), pairs);
  counts.clear();
  EXPECT_EQ(counts.size(), 0u);
  count(counts, 100);
  EXPECT_EQ(counts.lookup("word0"), counted_words()["word0"]);
  counts.destroy();
}

TEST(map_reduce, is_looked_up_and_gone_over_as_a_global_map) {
  const word_counts counts = word_counts::create();
  count(counts, 64);
  const expected_counts expected = counted_words();
  std::size_t looked_up = 0;
  for (const auto& [word, n] : expected) {
    if (looked_up++ == 200) break;
    EXPECT_EQ(counts.lookup(word), n) << word;
  }
  EXPECT_EQ(counts.lookup("no such word"), std::nullopt);
  EXPECT_EQ(counts.lookup(std::string(300, 'n')), std::nullopt);
  std::uint64_t sum = 0;
  const memory::global_address<std::uint64_t> to(my_core(), &sum);
  forall(counts, [to](std::string_view, std::uint64_t n) { delegates::fetch_and_add(to, n); });
  EXPECT_EQ(sum, words);
  counts.destroy();
}

TEST(map_reduce, names_the_largest) {
  const word_counts counts = word_counts::create();
  count(counts, 64);
  const expected_counts expected = counted_words();
  std::vector<std::pair<std::string, std::uint64_t>> by_count(expected.begin(), expected.end());
  std::stable_sort(by_count.begin(), by_count.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  using found_words = std::vector<std::pair<std::string, std::uint64_t>>;
  for (const std::size_t n : {std::size_t{0}, std::size_t{3}, std::size_t{200}, by_count.size() + 5}) {
    found_words found;
    const memory::global_address<found_words> to(my_core(), &found);
    loops::on_all_cores([counts, to, n] {
      auto mine = largest(counts, n);
      if (my_core() == to.core()) *to.local() = std::move(mine);
      check(my_core() == to.core() || mine.empty(), "the largest are told to core 0 alone");
    });
    const auto end = by_count.begin() + static_cast<std::ptrdiff_t>(std::min(n, by_count.size()));
    EXPECT_EQ(found, found_words(by_count.begin(), end));
  }
  counts.destroy();
}

struct largest_of {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return std::max(a, b); }
};

// Plain keys, from an array, and another combination.
TEST(map_reduce, groups_the_elements_of_an_array) {
  const std::size_t n = 5003;
  const auto numbers = containers::global_array<std::uint64_t>::create(n);
  loops::forall(numbers, [](std::size_t i, std::uint64_t& x) { x = mix64(i); });
  std::map<std::uint32_t, std::uint64_t> expected;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t& most = expected[static_cast<std::uint32_t>(mix64(i) % 97)];
    most = std::max(most, mix64(i));
  }
  for (const std::size_t combined_keys : {0, 10, 1000}) {
    const auto most = global_groups<std::uint32_t, std::uint64_t>::create();
    loops::on_all_cores([numbers, most, combined_keys] {
      map_reduce<largest_of>(most,
                             [&](auto& emit) {
                               for (const std::uint64_t x : numbers.local())
                                 emit(static_cast<std::uint32_t>(x % 97), x);
                             },
                             {combined_keys});
    });
    EXPECT_EQ(most.size(), expected.size());
    for (const auto& [key, value] : expected) EXPECT_EQ(most.lookup(key), value) << key;
    EXPECT_EQ(most.lookup(97), std::nullopt);
    most.destroy();
  }
  numbers.destroy();
}

}  // namespace
}  // namespace orujo::internal::mapreduce
