#include "framework/graph/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t alpha = 4;

// Every vertex has one owner, in whose range it is, and the ranges follow each other.
void expect_sound(const partition& p, std::uint64_t vertices, int cores) {
  ASSERT_EQ(p.vertices(), vertices);
  std::uint64_t next = 0;
  for (core_id c = 0; c < cores; ++c) {
    ASSERT_EQ(p.first_of(c), next);
    ASSERT_GE(p.last_of(c), next);
    for (std::uint64_t v = next; v < p.last_of(c); ++v) ASSERT_EQ(p.owner(v), c);
    next = p.last_of(c);
  }
  ASSERT_EQ(next, vertices);
}

std::vector<std::uint64_t> loads(const partition& p, const std::vector<std::uint64_t>& in_edges,
                                 std::uint64_t bucket, int cores) {
  std::vector<std::uint64_t> sums;
  for (core_id c = 0; c < cores; ++c) {
    std::uint64_t sum = alpha * (p.last_of(c) - p.first_of(c));
    for (std::size_t b = 0; b < in_edges.size(); ++b) {
      if (p.first_of(c) <= b * bucket && b * bucket < p.last_of(c)) sum += in_edges[b];
    }
    sums.push_back(sum);
  }
  return sums;
}

TEST(partition, gives_every_vertex_one_owner_and_no_core_much_more_than_its_share) {
  random_stream random(5);
  for (int round = 0; round < 300; ++round) {
    const int cores = 1 + static_cast<int>(random.below(9));
    const std::uint64_t vertices = random.below(round % 2 ? 5000 : 20);
    SCOPED_TRACE(testing::Message() << vertices << " vertices, " << cores << " cores, round " << round);
    const std::uint64_t bucket = bucket_size(vertices, cores);
    ASSERT_GE(bucket, 1u);
    std::vector<std::uint64_t> in_edges((vertices + bucket - 1) / bucket);
    for (std::uint64_t& edges : in_edges) edges = random.below(1 + random.below(100));
    const partition p = balance(vertices, in_edges, bucket, cores, alpha);
    expect_sound(p, vertices, cores);
    const std::vector<std::uint64_t> got = loads(p, in_edges, bucket, cores);
    const std::uint64_t total = std::accumulate(got.begin(), got.end(), std::uint64_t{0});
    const std::uint64_t heaviest_bucket = 100 + alpha * bucket;
    EXPECT_LE(*std::max_element(got.begin(), got.end()),
              total / static_cast<std::uint64_t>(cores) + heaviest_bucket + 1);
  }
}

TEST(partition, of_nothing_gives_everyone_nothing) {
  const partition p = balance(0, {}, bucket_size(0, 3), 3, 4);
  expect_sound(p, 0, 3);
}

TEST(partition, of_fewer_vertices_than_cores_gives_one_each_at_most) {
  const std::vector<std::uint64_t> in_edges{1, 1, 1};
  const partition p = balance(3, in_edges, bucket_size(3, 8), 8, 4);
  expect_sound(p, 3, 8);
  for (core_id c = 0; c < 8; ++c) EXPECT_LE(p.last_of(c) - p.first_of(c), 1u);
}

TEST(partition, leaves_a_hub_nearly_alone) {
  std::vector<std::uint64_t> in_edges(100, 1);
  in_edges[40] = 100'000;
  const partition p = balance(100, in_edges, 1, 4, 4);
  expect_sound(p, 100, 4);
  const core_id owner = p.owner(40);
  EXPECT_EQ(loads(p, in_edges, 1, 4)[static_cast<std::size_t>(owner)] / 100'000, 1u);
}

TEST(partition, makes_buckets_of_whole_cache_lines_where_there_are_many_vertices) {
  EXPECT_EQ(bucket_size(100, 4), 1u);
  EXPECT_EQ(bucket_size(100'000, 4) % 16, 0u);
  for (const std::uint64_t vertices : {std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
    EXPECT_LE((vertices + bucket_size(vertices, 4) - 1) / bucket_size(vertices, 4), 1u << 14);
  }
}

}  // namespace
}  // namespace orujo::internal::graph
