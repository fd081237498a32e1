#include "system/containers/flat_multi_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::containers {
namespace {

using word = std::uint64_t;
using table = flat_multi_table<word, word>;
using model = std::multimap<word, word>;

std::vector<word> values_of(table& of, word key) {
  std::vector<word> values;
  EXPECT_EQ(of.visit(key, [&](word value) { values.push_back(value); }), of.count(key));
  return values;
}
std::vector<word> values_of(const model& of, word key) {
  std::vector<word> values;
  for (auto [at, end] = of.equal_range(key); at != end; ++at) values.push_back(at->second);
  return values;
}

TEST(flat_multi_table, does_as_the_standard_multimap) {
  for (word seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    table t;
    model m;
    for (int step = 0; step < 3000; ++step) {
      const word key = random.below(seed * 10), value = random();
      if (random.below(8) == 0) {
        EXPECT_EQ(t.erase(key), m.erase(key));
      } else {
        t.add(key, value);
        m.emplace(key, value);
      }
      if (random.below(1000) == 0) t.clear(), m.clear();
      ASSERT_EQ(t.size(), m.size());
      ASSERT_EQ(values_of(t, key), values_of(m, key));
    }
    std::size_t seen = 0;
    std::map<word, std::vector<word>> by_key;
    for (std::size_t slot = 0; slot < t.slots(); ++slot) {
      t.visit_slot(slot, [&](word key, word value) { by_key[key].push_back(value), ++seen; });
    }
    EXPECT_EQ(seen, m.size());
    for (const auto& [key, values] : by_key) EXPECT_EQ(values, values_of(m, key));
  }
}

// A value of N bytes without a default constructor.
template <std::size_t N>
struct bytes {
  explicit bytes(word from) {
    for (std::size_t k = 0; k < N; ++k) content[k] = static_cast<unsigned char>((from >> k % 8 * 8) + k);
  }
  bool operator==(const bytes&) const = default;
  std::array<unsigned char, N> content;
};
struct alignas(64) line {
  explicit line(word from) : content(from) {}
  bool operator==(const line&) const = default;
  word content;
};

template <class V>
void expect_values(flat_multi_table<word, V>& of, word key, const std::vector<V>& expected) {
  std::vector<V> singly, by_spans;
  std::size_t spans = 0;
  ASSERT_EQ(of.count(key), expected.size());
  EXPECT_EQ(of.visit(key, [&](const V& value) { singly.push_back(value); }), expected.size());
  EXPECT_EQ(of.visit_with_key(key,
                              [&](word k, std::span<const V> values) {
                                EXPECT_EQ(k, key);
                                EXPECT_FALSE(values.empty());
                                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(V), 0u);
                                by_spans.insert(by_spans.end(), values.begin(), values.end());
                                ++spans;
                              }),
            expected.size());
  EXPECT_TRUE(singly == expected) << "key " << key;
  EXPECT_TRUE(by_spans == expected) << "key " << key;
  EXPECT_LE(spans, 2 + std::bit_width(expected.size()) + expected.size() * sizeof(V) / (32 << 10));
}

// Runs random operations of skewed keys: key 0 gets about half of the values, key 1 a quarter, and so on.
template <class V>
void compare_with_vectors(word seed, int steps) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", values of " << sizeof(V) << " bytes");
  random_stream random(seed);
  flat_multi_table<word, V> t;
  std::unordered_map<word, std::vector<V>> m;
  std::size_t size = 0;
  for (int step = 0; step < steps; ++step) {
    const word key = static_cast<word>(std::countr_zero(random() | word{1} << 40)) * 4 + random.below(4);
    if (random.below(500) == 0) {
      const std::size_t erased = m[key].size();
      EXPECT_EQ(t.erase(key), erased);
      m.erase(key);
      size -= erased;
    } else {
      const V value(random());
      t.add(key, value);
      m[key].push_back(value);
      ++size;
    }
    if (random.below(10'000) == 0) t.clear(), m.clear(), size = 0;
    ASSERT_EQ(t.size(), size);
    if (step % 500 == 0) expect_values(t, key, m[key]);
  }
  for (const auto& [key, values] : m) expect_values(t, key, values);
}

TEST(flat_multi_table, keeps_values_of_any_size_in_order) {
  for (word seed = 1; seed <= 3; ++seed) {
    compare_with_vectors<bytes<1>>(seed, 20'000);
    compare_with_vectors<bytes<3>>(seed, 20'000);
    compare_with_vectors<std::uint32_t>(seed, 20'000);
    compare_with_vectors<word>(seed, 20'000);
    compare_with_vectors<bytes<16>>(seed, 20'000);
    compare_with_vectors<bytes<17>>(seed, 20'000);
    compare_with_vectors<line>(seed, 20'000);
    compare_with_vectors<bytes<4000>>(seed, 2'000);
  }
}

TEST(flat_multi_table, hot_keys_are_read_by_long_spans_and_written_in_place) {
  flat_multi_table<word, std::uint32_t> t;
  constexpr std::uint32_t n = 100'000;
  for (std::uint32_t k = 0; k < n; ++k) {
    for (word key = 0; key < 3; ++key) t.add(key, k + static_cast<std::uint32_t>(key));
    t.add(1000 + k, k);
  }
  t.visit(1, [](std::uint32_t& value) { value += 1; });
  t.visit(2, [](std::span<std::uint32_t> values) {
    for (std::uint32_t& value : values) value *= 2;
  });
  std::vector<std::uint32_t> expected[3];
  for (std::uint32_t k = 0; k < n; ++k) {
    expected[0].push_back(k), expected[1].push_back(k + 2), expected[2].push_back(2 * (k + 2));
  }
  for (word key = 0; key < 3; ++key) expect_values(t, key, expected[key]);
  std::size_t seen = 0;
  word sum = 0;
  for (std::size_t slot = 0; slot < t.slots(); ++slot) {
    t.visit_slot(slot, [&](word key, std::span<const std::uint32_t> values) {
      seen += values.size();
      if (key >= 1000) sum += key - 1000 - values[0];
    });
  }
  EXPECT_EQ(seen, t.size());
  EXPECT_EQ(sum, 0u);
}

// Blocks of erased keys are used again, those of a hot key also for many keys of few values.
TEST(flat_multi_table, memory_of_erased_keys_is_used_again) {
  table t;
  constexpr word n = 200'000;
  const auto fill_and_erase = [&](word keys, word each) {
    for (word k = 0; k < keys * each; ++k) t.add(k % keys, k);
    for (word key = 0; key < keys; ++key) EXPECT_EQ(t.erase(key), each);
    EXPECT_EQ(t.size(), 0u);
  };
  fill_and_erase(1, n);
  const std::size_t needed = t.block_bytes();
  EXPECT_GE(needed, n * sizeof(word));
  for (int round = 0; round < 5; ++round) fill_and_erase(1, n);
  EXPECT_EQ(t.block_bytes(), needed);
  // 4 values take 5 words.
  for (int round = 0; round < 5; ++round) fill_and_erase(n / 8, 4);
  EXPECT_EQ(t.block_bytes(), needed);
  t.clear();
  EXPECT_EQ(t.block_bytes(), 0u);
  fill_and_erase(10, n / 10);
}

}  // namespace
}  // namespace orujo::internal::containers
