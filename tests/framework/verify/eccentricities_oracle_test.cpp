// The oracle of eccentricities against distances known by hand.
#include "framework/verify/eccentricities_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using hops = std::vector<std::int32_t>;

//   1 -> 2 -> 3 -> 4     5 -> 3     6 -> 1
const simple_graph searched_graph({{1, 2}, {2, 3}, {3, 4}, {5, 3}, {6, 1}});

TEST(eccentricities_oracle, follows_edges_from_every_source) {
  const expected_eccentricities both = find_eccentricities(searched_graph, std::vector<std::size_t>{0, 4});
  EXPECT_EQ(both.of_source, (hops{3, 2}));
  EXPECT_EQ(both.farthest, (hops{0, 1, 2, 3, 0, -1}));
}

TEST(eccentricities_oracle, knows_no_distances_without_sources) {
  EXPECT_EQ(find_eccentricities(searched_graph, {}).farthest, hops(6, -1));
}

}  // namespace
}  // namespace orujo::internal::verify
