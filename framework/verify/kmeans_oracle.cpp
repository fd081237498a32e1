#include "framework/verify/kmeans_oracle.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace orujo::internal::verify {
namespace {

using point_row = std::span<const double>;

point_row row_of(point_row all, std::size_t columns, std::size_t k) {
  return all.subspan(k * columns, columns);
}

double distance(point_row a, point_row b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

std::pair<std::size_t, double> nearest(point_row point, point_row centers) {
  std::size_t best = 0;
  double least = distance(point, row_of(centers, point.size(), 0));
  for (std::size_t k = 1; k < centers.size() / point.size(); ++k) {
    const double d = distance(point, row_of(centers, point.size(), k));
    if (d < least) best = k, least = d;
  }
  return {best, least};
}

double mean_variance(point_row points, std::size_t columns) {
  const std::size_t rows = points.size() / columns;
  const auto n = static_cast<double>(rows);
  double all = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0, variance = 0;
    for (std::size_t at = j; at < points.size(); at += columns) mean += points[at] / n;
    for (std::size_t at = j; at < points.size(); at += columns)
      variance += (points[at] - mean) * (points[at] - mean) / n;
    all += variance;
  }
  return all / static_cast<double>(columns);
}

class serial_lloyd {
 public:
  serial_lloyd(point_row points, std::size_t columns, std::vector<double> centers)
      : points_(points),
        columns_(columns),
        centers_(std::move(centers)),
        labels_(points.size() / columns, ~std::size_t{0}),
        counts_(centers_.size() / columns) {}

  // Returns how many points changed.
  std::size_t assign() {
    std::size_t changed = 0;
    std::fill(counts_.begin(), counts_.end(), std::size_t{0});
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const std::size_t k = nearest(row_of(points_, columns_, i), centers_).first;
      changed += labels_[i] != k ? 1 : 0;
      labels_[i] = k;
      ++counts_[k];
    }
    return changed + refill();
  }

  double move_centers() {
    std::vector<double> sums(centers_.size(), 0);
    for (std::size_t at = 0; at < points_.size(); ++at)
      sums[labels_[at / columns_] * columns_ + at % columns_] += points_[at];
    double moved = 0;
    for (std::size_t at = 0; at < sums.size(); ++at) {
      if (counts_[at / columns_] == 0) continue;
      const double mean = sums[at] / static_cast<double>(counts_[at / columns_]);
      moved += (mean - centers_[at]) * (mean - centers_[at]);
      centers_[at] = mean;
    }
    return moved;
  }

  std::vector<double> centers() && { return std::move(centers_); }

 private:
  std::size_t refill() {
    if (std::ranges::count(counts_, std::size_t{0}) == 0) return 0;
    std::vector<double> distances;
    const std::vector<double> origin(columns_, 0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const point_row point = row_of(points_, columns_, i);
      const double d = distance(point, row_of(centers_, columns_, labels_[i]));
      distances.push_back(d <= 1e-24 * distance(point, origin) ? 0 : d);
    }
    std::vector<std::size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
    std::size_t moved = 0;
    std::set<std::pair<double, std::size_t>> taken;  // by distance and cluster: not the same point twice
    auto next = order.begin();
    std::vector<std::size_t> empty;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      if (counts_[k] == 0) empty.push_back(k);
    }
    for (const std::size_t k : empty) {
      while (next != order.end() &&
             (taken.contains({distances[*next], labels_[*next]}) || counts_[labels_[*next]] < 2))
        ++next;
      if (next == order.end() || distances[*next] <= 0) break;
      taken.insert({distances[*next], labels_[*next]});
      --counts_[labels_[*next]];
      labels_[*next++] = k;
      ++counts_[k];
      ++moved;
    }
    return moved;
  }

  const point_row points_;
  const std::size_t columns_;
  std::vector<double> centers_;
  std::vector<std::size_t> labels_, counts_;
};

}  // namespace

serial_clusters cluster_serially(std::span<const double> points, std::size_t columns,
                                 std::vector<double> centers, int max_iterations, double tolerance) {
  const double enough = tolerance * mean_variance(points, columns);
  serial_lloyd clusters(points, columns, std::move(centers));
  serial_clusters found;
  for (bool done = false; !done && found.iterations < max_iterations; ++found.iterations) {
    const std::size_t changed = clusters.assign();
    done = clusters.move_centers() <= enough || changed == 0;
  }
  found.centers = std::move(clusters).centers();
  for (std::size_t i = 0; i < points.size() / columns; ++i)
    found.inertia += nearest(row_of(points, columns, i), found.centers).second;
  return found;
}

cluster_check check_clusters(std::span<const double> points, std::size_t columns,
                             std::span<const double> centers, std::span<const std::uint32_t> labels) {
  constexpr double rounding = 1e-9;
  cluster_check check;
  for (std::size_t i = 0; i < points.size() / columns; ++i, ++check.points) {
    const point_row point = row_of(points, columns, i);
    const double least = nearest(point, centers).second;
    const bool is_label = i < labels.size() && labels[i] < centers.size() / columns;
    if (!is_label || distance(point, row_of(centers, columns, labels[i])) > least * (1 + rounding))
      ++check.farther;
    check.inertia += least;
  }
  return check;
}

}  // namespace orujo::internal::verify
