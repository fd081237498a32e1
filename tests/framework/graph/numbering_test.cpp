#include "framework/graph/numbering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace orujo::internal::graph {
namespace {

TEST(numbering, is_the_identity_unless_asked) {
  const numbering numbers;
  EXPECT_TRUE(numbers.is_identity());
  EXPECT_EQ(numbers.number(7), 7u);
  EXPECT_EQ(numbers.position(~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(numbering, scatters_by_a_bijection_with_its_inverse) {
  for (const std::uint64_t vertices : {1u, 2u, 3u, 5u, 8u, 9u, 64u, 100u, 127u, 129u, 1000u, 4097u}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const numbering numbers = numbering::scattered(vertices, seed);
      std::vector<bool> seen(vertices);
      for (std::uint64_t position = 0; position < vertices; ++position) {
        const std::uint64_t number = numbers.number(position);
        ASSERT_LT(number, vertices) << vertices << " vertices, seed " << seed;
        ASSERT_FALSE(seen[number]) << number << " of " << vertices << " twice, seed " << seed;
        seen[number] = true;
        ASSERT_EQ(numbers.position(number), position) << vertices << " vertices, seed " << seed;
      }
    }
  }
  EXPECT_TRUE(numbering::scattered(0).is_identity());
}

TEST(numbering, by_a_table_is_the_table_and_its_inverse) {
  // number    0 1 2 3 4
  // position  3 0 4 1 2
  index_array positions(5, 5);
  const std::uint64_t by_number[] = {3, 0, 4, 1, 2};
  for (std::uint64_t k = 0; k < 5; ++k) positions.set(k, by_number[k]);
  const numbering numbers = numbering::of_table(make_number_table(std::move(positions), "test").value());
  EXPECT_FALSE(numbers.is_identity());
  ASSERT_NE(numbers.table(), nullptr);
  const std::uint64_t by_position[] = {1, 3, 4, 0, 2};
  const numbering copy = numbers;
  EXPECT_EQ(copy.table(), numbers.table());
  for (std::uint64_t k = 0; k < 5; ++k) {
    EXPECT_EQ(copy.position(k), by_number[k]);
    EXPECT_EQ(copy.number(k), by_position[k]);
  }
  EXPECT_TRUE(numbering::of_table(make_number_table({}, "empty").value()).is_identity());
  EXPECT_EQ(numbering::scattered(5).table(), nullptr);
}

TEST(numbering, differs_by_seed_and_not_by_who_asks) {
  const numbering one = numbering::scattered(1000, 1), again = numbering::scattered(1000, 1),
                  other = numbering::scattered(1000, 2);
  int moved = 0;
  for (std::uint64_t position = 0; position < 1000; ++position) {
    EXPECT_EQ(one.number(position), again.number(position));
    moved += one.number(position) != other.number(position) ? 1 : 0;
  }
  EXPECT_GT(moved, 900);
}

// The purpose of random placement: neighbours, at any distance, are in different parts as often as by chance.
// The number of pairs in the same one of 8 parts, of n pairs, has the deviation sqrt(7 n) / 8.
TEST(numbering, scatters_neighbours_as_chance_would) {
  constexpr std::uint64_t parts = 8;
  for (const std::uint64_t vertices : {std::uint64_t{1} << 16, std::uint64_t{250'000}}) {
    const numbering numbers = numbering::scattered(vertices);
    for (const std::uint64_t distance : {1, 2, 16, 500, 1024}) {
      std::uint64_t same = 0;
      const std::uint64_t pairs = vertices - distance;
      for (std::uint64_t v = 0; v < pairs; ++v) {
        same += numbers.number(v) * parts / vertices == numbers.number(v + distance) * parts / vertices;
      }
      const double n = static_cast<double>(pairs);
      EXPECT_NEAR(static_cast<double>(same), n / parts, 5 * std::sqrt(7 * n) / 8)
          << "at distance " << distance << " of " << vertices;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
