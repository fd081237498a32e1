#include "framework/graph/degree_histogram.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orujo::internal::graph {
namespace {

TEST(degree_histogram, has_every_degree_in_the_entry_whose_bounds_hold_it) {
  for (const std::uint64_t degree :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4},
        std::uint64_t{1023}, std::uint64_t{1024}, std::numeric_limits<std::uint64_t>::max()}) {
    degree_histogram one;
    one.add(degree);
    EXPECT_EQ(one.most, degree);
    for (std::size_t k = 0; k < one.vertices.size(); ++k) {
      const bool within = degree_histogram::first_of(k) <= degree && degree <= degree_histogram::last_of(k);
      EXPECT_EQ(one.vertices[k], within ? 1u : 0u) << degree << " in entry " << k;
    }
  }
}

TEST(degree_histogram, adds_up) {
  degree_histogram a, b;
  a.add(5);
  b.add(7);
  b.add(0);
  a += b;
  EXPECT_EQ(a.most, 7u);
  EXPECT_EQ(a.vertices[0], 1u);
  EXPECT_EQ(a.vertices[3], 2u);
}

}  // namespace
}  // namespace orujo::internal::graph
