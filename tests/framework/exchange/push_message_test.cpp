#include "framework/exchange/push_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "system/base/random.hpp"

namespace orujo::exchange {
namespace {

// Ascending targets, each from one of so many sources.
std::vector<pushed_edge> make_pushes(std::size_t count, std::uint64_t sources) {
  random_stream random(count + sources);
  std::vector<pushed_edge> edges;
  std::uint32_t target = 0;
  for (std::size_t k = 0; k < count; ++k) {
    target += 1 + static_cast<std::uint32_t>(random.below(100));
    edges.push_back({target, static_cast<std::uint32_t>(random.below(sources) * 1000)});
  }
  return edges;
}

bool same(std::span<const pushed_edge> a, std::span<const pushed_edge> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.target == y.target && x.source == y.source;
  });
}

// Bytes that the pushes take, or 0 where they come out otherwise than they went in.
std::size_t bytes_of(const codec_options& options, bool same_node, const std::vector<pushed_edge>& edges) {
  std::vector<pushed_edge> shuffled = edges;
  random_stream random(1);
  for (std::size_t k = shuffled.size(); k > 1; --k) std::swap(shuffled[k - 1], shuffled[random.below(k)]);
  push_buffers here, there;
  const push_head head = encode_pushes(options, same_node, shuffled, here);
  if (head.targets_bytes == push_head::plain) return edges.size() * sizeof(pushed_edge);
  return same(decode_pushes(head, here.payload, there), edges) ? here.payload.size() : 0;
}

TEST(push_message, comes_out_as_it_went_in_and_shorter) {
  for (const codec* c : codecs()) {
    for (const std::uint64_t sources : {1, 40, 256, 257, 100'000}) {
      for (const std::size_t count : {1, 2, 100, 500}) {
        const std::size_t bytes = bytes_of({place_of(c), 0}, false, make_pushes(count, sources));
        const std::size_t plain = count * sizeof(pushed_edge);
        EXPECT_GT(bytes, 0u) << c->name << " " << sources << " " << count;
        EXPECT_LE(bytes, plain) << c->name;
        if (c->name == "bp128" && count == 500) {
          EXPECT_LT(bytes, sources <= 256 ? plain / 3 : plain * 3 / 4) << sources;
        }
      }
    }
  }
}

TEST(push_message, stays_plain_within_a_node_and_where_targets_occur_twice) {
  std::vector<pushed_edge> edges = make_pushes(500, 10);
  EXPECT_EQ(bytes_of({-1, 0}, true, edges), edges.size() * sizeof(pushed_edge));
  EXPECT_LT(bytes_of({-1, 0}, false, edges), edges.size() * sizeof(pushed_edge));
  edges[7] = edges[8];
  EXPECT_EQ(bytes_of({-1, 0}, false, edges), edges.size() * sizeof(pushed_edge));
}

}  // namespace
}  // namespace orujo::exchange
