#include "framework/verify/kmeans_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

//   0 1 . . . . . . . . 10 . 12      centres begin at 0 and 1
const std::vector<double> line = {0, 1, 10, 12};

TEST(kmeans_oracle, finds_two_clusters_on_a_line) {
  const serial_clusters found = cluster_serially(line, 1, {0, 1}, 100, 0);
  EXPECT_EQ(found.centers, (std::vector<double>{0.5, 11}));
  EXPECT_DOUBLE_EQ(found.inertia, 2.5);
  EXPECT_EQ(cluster_serially(line, 1, {0, 1}, 1, 0).iterations, 1);
}

TEST(kmeans_oracle, fills_an_empty_cluster_with_the_farthest_point) {
  const serial_clusters found = cluster_serially(line, 1, {0.4, 0.4}, 1, 0);
  EXPECT_EQ(found.centers[1], 12);
}

TEST(kmeans_oracle, sees_a_wrong_label_and_one_that_is_missing) {
  const std::vector<double> centers = {0.5, 11};
  const std::vector<std::uint32_t> right = {0, 0, 1, 1}, wrong = {0, 1, 1, 1}, none = {0, 0, 1, 2},
                                   few = {0, 0, 1};
  EXPECT_EQ(check_clusters(line, 1, centers, right).farther, 0u);
  EXPECT_DOUBLE_EQ(check_clusters(line, 1, centers, right).inertia, 2.5);
  for (const auto& labels : {wrong, none, few})
    EXPECT_EQ(check_clusters(line, 1, centers, labels).farther, 1u);
}

}  // namespace
}  // namespace orujo::internal::verify
