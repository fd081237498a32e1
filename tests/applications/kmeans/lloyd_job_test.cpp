#include "applications/kmeans/lloyd.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "applications/kmeans/points.hpp"
#include "framework/verify/kmeans_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::kmeans {
namespace {

// Synthetic points, several of them equal if `same`, and the results at core 0, in the order of the points.
struct clustering {
  outcome of;
  std::vector<double> points, start, centers;
  std::vector<std::uint32_t> labels;
};

struct wanted {
  made_points points;
  std::size_t clusters;
  bool random_start;
  std::uint64_t same;
  stop_rule stop = {};
};

clustering cluster(const wanted& w) {
  clustering found;
  const memory::global_address<clustering> to(my_core(), &found);
  loops::on_all_cores([w, to] {
    local_points mine = make_points(w.points);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (std::size_t j = 0; j < mine.columns; ++j)
        mine.values[i * mine.columns + j] = made_value(w.points, (mine.first + i) / w.same, j);
    }
    const std::vector<double> start = w.random_start ? random_centers(mine, w.clusters, w.points.seed)
                                                     : spread_centers(mine, w.clusters, w.points.seed);
    lloyd clusters(mine, start, machine::simd_from_flags());
    const outcome of = clusters.run(w.stop);
    const auto values = collectives::gather(std::vector<double>(mine.values.begin(), mine.values.end()), 0);
    const auto labels = collectives::gather(
        std::vector<std::uint32_t>(clusters.labels().begin(), clusters.labels().end()), 0);
    if (my_core() != to.core()) return;
    clustering& told = *to.local();
    told.of = of;
    told.start = start;
    told.centers.assign(clusters.centers().begin(), clusters.centers().end());
    for (const auto& part : values) told.points.insert(told.points.end(), part.begin(), part.end());
    for (const auto& part : labels) told.labels.insert(told.labels.end(), part.begin(), part.end());
  });
  return found;
}

// Lloyd's iteration from the same centres on, without bounds.
void expect_right(const wanted& w, const std::string& what) {
  const clustering found = cluster(w);
  const std::size_t columns = w.points.columns;
  ASSERT_EQ(found.labels.size(), w.points.rows) << what;
  const auto fit = verify::check_clusters(found.points, columns, found.centers, found.labels);
  EXPECT_EQ(fit.farther, 0u) << what;
  EXPECT_NEAR(fit.inertia, found.of.inertia, 1e-9 * fit.inertia) << what;
  const auto serial =
      verify::cluster_serially(found.points, columns, found.start, w.stop.max_iterations, w.stop.tolerance);
  EXPECT_EQ(found.of.iterations, serial.iterations) << what;
  EXPECT_NEAR(found.of.inertia, serial.inertia, 1e-9 * serial.inertia + 1e-12) << what;
  for (std::size_t at = 0; at < serial.centers.size(); ++at)
    ASSERT_NEAR(found.centers[at], serial.centers[at], 1e-9) << what << ", value " << at;
}

TEST(kmeans, finds_what_the_serial_oracle_finds) {
  for (const bool random_start : {true, false}) {
    const std::string start = random_start ? "random" : "kmeans++";
    expect_right({{2000, 3, 8, 1}, 8, random_start, 1}, "blobs, " + start);
    expect_right({{1500, 2, 0, 2}, 40, random_start, 1}, "a square, " + start);
    expect_right({{1500, 8, 5, 12}, 48, random_start, 1},
                 "so many distances that there are bounds, " + start);
    expect_right({{700, 9, 3, 3}, 17, random_start, 1, {7, 0}}, "a few iterations, " + start);
    expect_right({{300, 2, 4, 4}, 1, random_start, 1}, "one cluster, " + start);
    expect_right({{30, 2, 4, 5}, 30, random_start, 1}, "as many clusters as points, " + start);
    expect_right({{5, 1, 2, 6}, 3, random_start, 1}, "hardly any points, " + start);
  }
}

// With random rows, several of which are one point, all but one cluster begin empty.
TEST(kmeans, gives_empty_clusters_the_farthest_points) {
  for (const std::size_t columns : {2, 8}) {  // of 8 there are bounds
    const wanted w{{600, columns, 0, 7}, 40, true, 10};
    expect_right(w, "every point ten times");
    EXPECT_GT(cluster(w).of.refilled, 0u);
  }
  // More clusters than different points: some stay empty.
  expect_right({{60, 2, 0, 8}, 9, true, 10}, "fewer points than clusters");
  expect_right({{60, 2, 0, 9}, 5, false, 60}, "one point");
}

TEST(kmeans, looks_at_few_distances_of_blobs_where_there_are_many) {
  const clustering found = cluster({{20'000, 32, 10, 10}, 10, false, 1});
  EXPECT_LT(found.of.looked_at, 20'000u * static_cast<unsigned>(found.of.iterations) / 2 + 20'000u);
}

TEST(kmeans, begins_with_different_rows) {
  const clustering found = cluster({{100, 2, 0, 11}, 100, true, 1, {1, 0}});
  std::set<std::pair<double, double>> different;
  for (std::size_t k = 0; k < 100; ++k) different.insert({found.start[2 * k], found.start[2 * k + 1]});
  EXPECT_EQ(different.size(), 100u);
}

}  // namespace
}  // namespace orujo::internal::kmeans
