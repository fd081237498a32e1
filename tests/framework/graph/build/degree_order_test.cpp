#include "framework/graph/build/degree_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

std::vector<std::uint32_t> random_degrees(std::uint64_t seed, std::uint64_t most_vertices) {
  random_stream random(seed);
  std::vector<std::uint32_t> degrees(random.below(most_vertices));
  for (std::uint32_t& d : degrees) d = static_cast<std::uint32_t>(random.below(12));
  return degrees;
}

// By an algorithm of the standard library.
std::vector<std::uint64_t> sorted_by_degree(const std::vector<std::uint32_t>& degrees) {
  std::vector<std::uint64_t> sorted(degrees.size());
  for (std::uint64_t v = 0; v < sorted.size(); ++v) sorted[v] = v;
  std::ranges::stable_sort(sorted, [&](std::uint64_t a, std::uint64_t b) { return degrees[a] > degrees[b]; });
  return sorted;
}

TEST(by_degree, descends_and_breaks_ties_by_vertex) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::uint32_t> degrees = random_degrees(seed, 200);
    const index_array order = by_degree(degrees);
    const std::vector<std::uint64_t> expected = sorted_by_degree(degrees);
    ASSERT_EQ(order.size(), expected.size());
    for (std::uint64_t k = 0; k < expected.size(); ++k) EXPECT_EQ(order[k], expected[k]) << seed << " " << k;
  }
}

// 64 players each put what they are dealt behind what they have.
TEST(degree_order, deals_the_vertices_by_degree_to_ranges) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::uint32_t> degrees = random_degrees(seed, seed % 2 == 0 ? 1000 : 100);
    std::vector<std::vector<std::uint64_t>> dealt(64);
    const std::vector<std::uint64_t> sorted = sorted_by_degree(degrees);
    for (std::uint64_t k = 0; k < sorted.size(); ++k) dealt[k % 64].push_back(sorted[k]);
    const auto table = degree_order(degrees);
    ASSERT_EQ(table->positions.size(), degrees.size());
    std::uint64_t number = 0;
    for (const std::vector<std::uint64_t>& range : dealt) {
      for (const std::uint64_t v : range) {
        EXPECT_EQ(table->positions[number], v) << "seed " << seed;
        EXPECT_EQ(table->numbers[v], number++) << "seed " << seed;
      }
    }
  }
}

TEST(hubs, are_vertices_of_more_than_four_times_the_average) {
  EXPECT_EQ(hubs_of({}).share, 0);
  const std::uint32_t none[] = {0, 0}, same[] = {3, 3, 3};
  EXPECT_EQ(hubs_of(none).share, 0);
  EXPECT_EQ(hubs_of(same).share, 0);
  const std::uint32_t star[] = {10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // 4 times the average: 7.3
  EXPECT_EQ(hubs_of(star).share, 0.5);
  EXPECT_EQ(hubs_of(star).together, 1);
}

TEST(hubs, are_together_in_a_sixteenth_of_the_positions) {
  std::vector<std::uint32_t> degrees(6400, 1);
  for (std::size_t k = 0; k < 64; ++k) degrees[100 * k] = 100;
  EXPECT_EQ(hubs_of(degrees).together, 0.25) << "16 of 64, each in a part of its own";
  std::vector<std::uint32_t> in_order(6400, 1);
  for (std::size_t k = 0; k < 64; ++k) in_order[3000 + k] = 100;
  EXPECT_EQ(hubs_of(in_order).together, 1);
}

TEST(degree_order_pays, by_size_nearness_and_hubs) {
  EXPECT_FALSE(degree_order_pays({65'535, 14, {0.6, 0.1}})) << "too small";
  EXPECT_TRUE(degree_order_pays({65'536, 14, {0.6, 0.1}}));
  EXPECT_FALSE(degree_order_pays({10'000'000, 5, {0.6, 0.1}})) << "ids are near already";
  EXPECT_TRUE(degree_order_pays({10'000'000, 21, {0.13, 0.1}}));
  EXPECT_FALSE(degree_order_pays({10'000'000, 21, {0.05, 0.1}})) << "no hubs";
  EXPECT_FALSE(degree_order_pays({10'000'000, 21, {0.6, 0.6}})) << "hubs are together already";
  EXPECT_FALSE(degree_order_pays({100'000'000, 25, {0.6, 0.1}})) << "the tables take too much";
}

}  // namespace
}  // namespace orujo::internal::graph
