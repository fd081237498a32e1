// K-means by Lloyd's iteration over points that are spread over all cores, and stay where they are.
//
// The iteration is from Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory
// 1982. With many distances, points are examined only if they may change their cluster, by two bounds for
// each. The bounds are from Hamerly, "Making k-means even faster", SIAM International Conference on Data
// Mining 2010. The clusters are the same as without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "applications/kmeans/nearest.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::kmeans {

using many_doubles = std::vector<double, memory::allocator_with_room<double>>;

// One core's points, row by row; they are numbered over the job, those of core 0 first.
struct local_points {
  many_doubles values;
  std::size_t columns = 0;
  std::uint64_t first = 0;  // number of the first
  std::uint64_t count = 0;  // over the job

  std::size_t size() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const double> operator[](std::size_t i) const {
    return std::span(values).subspan(i * columns, columns);
  }
};

struct stop_rule {
  int max_iterations = 300;
  // Stops if the sum of the squared moves of all centres is at most this part of the mean variance of the
  // columns.
  double tolerance = 1e-4;
};

struct times {
  double map = 0, reduce = 0, network = 0;  // seconds
};

// Plain, and the same at every core.
struct outcome {
  int iterations = 0;
  bool converged = false;
  std::uint64_t refilled = 0;   // clusters that had been empty
  std::uint64_t empty = 0;      // clusters that are, because there are fewer different points than clusters
  std::uint64_t looked_at = 0;  // points whose distances to all centres were computed, over the job
  double inertia = 0;           // the sum of the squared distances to the nearest centre
  times spent;                  // a core, in the mean
};

// One core's part.
class lloyd {
 public:
  // centers: row by row, the same at every core.
  lloyd(const local_points& points, std::vector<double> centers, machine::instruction_set set);

  // [task; suspends; collective over the job] In each iteration points go to the nearest centre, of equal
  // ones to the first. Then centres go to the mean of their points. A cluster without points gets a point of
  // a cluster that has others: the one farthest from its centre. Several empty clusters get different points.
  // If all points lie on their centres a cluster stays empty, and its centre stays. The labels are of the
  // last centres.
  outcome run(const stop_rule& rule);

  std::span<const double> centers() const { return centers_; }
  std::span<const std::uint32_t> labels() const { return labels_; }

 private:
  std::size_t clusters() const { return centers_.size() / points_.columns; }
  std::span<const double> center(std::size_t k) const {
    return std::span(centers_).subspan(k * points_.columns, points_.columns);
  }
  void assign();
  bool may_change(std::size_t i, double farthest);
  void look_at(std::span<const std::uint32_t> which);
  void move_point(std::size_t i, std::uint32_t to);
  void sum_up();
  void refill_empty_clusters();
  double move_centers();
  double mean_variance() const;
  double final_labels();

  const local_points& points_;
  const machine::instruction_set set_;
  const bool bounded_;
  std::vector<double> centers_;
  std::vector<std::uint32_t> labels_;
  // The least distance to the own centre, and the most to any other, if bounded_.
  std::vector<double> upper_, lower_;
  std::vector<double> moved_;    // by centre, how far in the last iteration
  std::vector<double> nearest_;  // by centre, half the distance to the nearest other one
  // By cluster: the sums of the columns and the number of points, first of the calling core, then over the
  // job.
  std::vector<double> local_sums_, sums_;
  std::uint64_t changed_ = 0;
  bool first_ = true;
  outcome told_;
};

}  // namespace orujo::internal::kmeans
