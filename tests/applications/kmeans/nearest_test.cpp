#include "applications/kmeans/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "system/base/random.hpp"

namespace orujo::internal::kmeans {
namespace {

// Small whole numbers, so that there are ties.
std::vector<double> random_rows(std::uint64_t seed, std::size_t values) {
  random_stream random(seed);
  std::vector<double> rows(values);
  for (double& x : rows) x = static_cast<double>(random.below(7)) - 3;
  return rows;
}

TEST(kmeans_nearest, is_the_first_of_the_nearest_on_every_instruction_set) {
  using enum machine::instruction_set;
  for (const auto set : {scalar, avx2, avx512}) {
    if (!machine::runs(set)) continue;
    for (const std::size_t columns : {1, 2, 3, 8, 13}) {
      for (const std::size_t clusters : {1, 2, 7, 8, 9, 33, 70}) {
        const std::vector<double> centers = random_rows(columns * 100 + clusters, clusters * columns);
        const std::vector<double> points = random_rows(columns, 50 * columns);
        std::vector<std::uint32_t> which = {49, 0, 17, 3};
        for (std::uint32_t i = 0; i < 39; ++i) which.push_back(i);  // more than are looked at together
        std::vector<two_nearest> found(which.size());
        find_nearest(set, centers, columns, points, which, found);
        for (std::size_t i = 0; i < which.size(); ++i) {
          std::vector<std::pair<double, std::uint32_t>> all = {{std::numeric_limits<double>::infinity(), 0}};
          for (std::uint32_t k = 0; k < clusters; ++k)
            all.push_back({squared_distance(std::span(points).subspan(which[i] * columns, columns),
                                            std::span(centers).subspan(k * columns, columns)),
                           k});
          std::sort(all.begin(), all.end());
          EXPECT_EQ(found[i].nearest, all[0].second) << columns << " columns, " << clusters << " clusters";
          EXPECT_EQ(found[i].distance, all[0].first);
          EXPECT_EQ(found[i].second_distance, all[1].first);
        }
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::kmeans
