#include "framework/exchange/push_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/base/random.hpp"

namespace orujo::exchange {
namespace {

using push = pushed<std::uint32_t>;

// Ascending targets, each told some number.
std::vector<push> make_pushes(std::size_t count) {
  random_stream random(count);
  std::vector<push> edges;
  std::uint32_t target = 0;
  for (std::size_t k = 0; k < count; ++k) {
    target += 1 + static_cast<std::uint32_t>(random.below(100));
    edges.push_back({target, static_cast<std::uint32_t>(random.below(1u << 31))});
  }
  return edges;
}

bool same(std::span<const push> a, std::span<const push> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.target == y.target && x.value == y.value; });
}

// Bytes that the pushes take, or 0 where they come out otherwise than they went in.
std::size_t bytes_of(const codec_options& options, bool same_node, const std::vector<push>& edges) {
  std::vector<push> shuffled = edges;
  random_stream random(1);
  for (std::size_t k = shuffled.size(); k > 1; --k) std::swap(shuffled[k - 1], shuffled[random.below(k)]);
  push_buffers<std::uint32_t> here, there;
  const push_head head = encode_pushes(options, same_node, std::span<const push>(shuffled), here);
  if (head.targets_bytes == push_head::plain) return edges.size() * sizeof(push);
  return same(decode_pushes(head, here.payload, there), edges) ? here.payload.size() : 0;
}

TEST(push_message, comes_out_as_it_went_in_and_shorter) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : {1, 2, 100, 500}) {
      const std::size_t bytes = bytes_of({place_of(c), 0}, false, make_pushes(count));
      const std::size_t plain = count * sizeof(push);
      EXPECT_GT(bytes, 0u) << c->name << " " << count;
      EXPECT_LE(bytes, plain) << c->name;
      if (c->name == "bp128" && count == 500) {
        EXPECT_LT(bytes, plain * 5 / 8);
      }
    }
  }
}

TEST(push_message, stays_plain_within_a_node_and_where_targets_occur_twice) {
  std::vector<push> edges = make_pushes(500);
  EXPECT_EQ(bytes_of({-1, 0}, true, edges), edges.size() * sizeof(push));
  EXPECT_LT(bytes_of({-1, 0}, false, edges), edges.size() * sizeof(push));
  edges[7] = edges[8];
  EXPECT_EQ(bytes_of({-1, 0}, false, edges), edges.size() * sizeof(push));
}

// The values, in the order of their targets.
template <class Value>
void expect_same_values(std::span<const Value> values) {
  std::vector<pushed<Value>> pushes;
  for (std::size_t k = 0; k < values.size(); ++k)
    pushes.push_back({static_cast<std::uint32_t>(3 * ((k * 7) % values.size())), values[k]});
  const std::vector<pushed<Value>> before = pushes;
  push_buffers<Value> here, there;
  const push_head head = encode_pushes<Value>({-1, 0}, false, pushes, here);
  ASSERT_NE(head.targets_bytes, push_head::plain);
  EXPECT_LT(here.payload.size(), pushes.size() * sizeof(pushed<Value>) - pushes.size() * 2);
  const std::span<const pushed<Value>> all = decode_pushes<Value>(head, here.payload, there);
  ASSERT_EQ(all.size(), before.size());
  for (const pushed<Value>& p : before) {
    const pushed<Value>& other = all[p.target / 3];
    EXPECT_EQ(other.target, p.target);
    EXPECT_EQ(other.value, p.value);
  }
}

TEST(push_message, keeps_what_each_target_is_told) {
  std::vector<double> numbers;
  std::vector<std::uint8_t> bytes;
  for (int k = 0; k < 500; ++k) {
    numbers.push_back(k * 0.1);
    bytes.push_back(static_cast<std::uint8_t>(k));
  }
  expect_same_values(std::span<const double>(numbers));
  expect_same_values(std::span<const std::uint8_t>(bytes));
  expect_same_values(std::span<const no_value>(std::vector<no_value>(500)));
}

// In any order, far apart or close together, few and many.
TEST(push_message, sorts_targets_of_any_range) {
  random_stream random(3);
  for (const std::uint64_t range :
       {1ull, 2ull, 100ull, 1024ull, 1025ull, 1ull << 20, (1ull << 20) + 1, 1ull << 31, 1ull << 32}) {
    for (const std::size_t count : {0, 1, 2, 47, 48, 500, 3000}) {
      const std::uint64_t least = random.below((1ull << 32) - range + 1);
      std::vector<std::uint64_t> numbers(count), room;
      for (std::size_t k = 0; k < count; ++k) numbers[k] = (least + random.below(range)) << 32 | k;
      std::vector<std::uint64_t> expected = numbers;
      std::sort(expected.begin(), expected.end());
      detail::sort_by_target(numbers, room);
      EXPECT_EQ(numbers, expected) << range << " " << count;
    }
  }
}

// Another process's bytes are data, and end the job where they cannot be.
TEST(push_message, messages_of_other_sizes_end_the_job) {
  std::vector<pushed<double>> pushes;
  for (std::uint32_t k = 0; k < 300; ++k) pushes.push_back({k * 2, 1.5});
  push_buffers<double> here, there;
  const push_head head = encode_pushes<double>({-1, 0}, false, pushes, here);
  ASSERT_NE(head.targets_bytes, push_head::plain);
  const std::span<const std::byte> all(here.payload);
  EXPECT_DEATH(decode_pushes<double>(head, all.first(all.size() - 1), there), "values of pushes");
  EXPECT_DEATH(decode_pushes<double>({1u << 30}, all, there), "pushes");
  EXPECT_DEATH(decode_pushes<double>({head.targets_bytes - 1}, all, there), "pushes");
}

}  // namespace
}  // namespace orujo::exchange
