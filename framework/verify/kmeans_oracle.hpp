// K-means, one point after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orujo::internal::verify {

struct serial_clusters {
  std::vector<double> centers;  // row by row
  int iterations = 0;
  double inertia = 0;  // the sum of the squared distances to the nearest centres
};

// Any thread. Lloyd's iteration from these centres on. It ends after a number of iterations, when no point
// changes its cluster, or when centres hardly move. Then the sum of their squared moves is at most
// `tolerance` times the mean variance of the columns. A cluster without points gets the farthest point that
// shares its cluster, unless that point is on its centre.
serial_clusters cluster_serially(std::span<const double> points, std::size_t columns,
                                 std::vector<double> centers, int max_iterations, double tolerance);

// The fit of given clusters to the points.
struct cluster_check {
  std::uint64_t points = 0;
  std::uint64_t farther = 0;  // points whose centre is not the nearest, by more than a rounding
  double inertia = 0;         // with the nearest centres
};
cluster_check check_clusters(std::span<const double> points, std::size_t columns,
                             std::span<const double> centers, std::span<const std::uint32_t> labels);

}  // namespace orujo::internal::verify
