#include "applications/kmeans/lloyd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::kmeans {
namespace {

constexpr std::size_t batch = 512;  // points whose bounds are checked before their distances
// Bounds are widened by this share, because rounding may make them too tight.
constexpr double slack = 1e-12;
// Number of coordinates of all centres (clusters times columns) from which bounds are faster than all
// distances. Without vectors they always are (docs/benchmarks/tables.md, "k-means").
constexpr std::size_t bounded_from = 128;
constexpr std::uint32_t nowhere = ~std::uint32_t{0};

// Adds the time of `work` to `to`.
template <class Work>
auto timed(double& to, const Work& work) {
  struct clock {
    double& to;
    std::uint64_t begun = base::now_ns();
    ~clock() { to += 1e-9 * static_cast<double>(base::now_ns() - begun); }
  } running{to};
  return work();
}

struct far_point {
  double distance = -1;
  std::uint64_t number = 0;
  core_id core = 0;
  std::uint32_t index = 0, cluster = 0;
  bool operator<(const far_point& other) const {
    return distance != other.distance ? distance > other.distance : number < other.number;
  }
  // True at least if both points are the same.
  bool may_lie_with(const far_point& other) const {
    return distance == other.distance && cluster == other.cluster;
  }
};

// Sorts the points, the farthest first, and keeps the first of points that may be the same, as two of them
// would make two equal centres.
void sort_different(std::vector<far_point>& points) {
  std::sort(points.begin(), points.end());
  std::vector<far_point> kept;
  for (const far_point& p : points) {
    bool again = false;
    for (std::size_t k = kept.size(); k-- > 0 && kept[k].distance == p.distance;)
      again |= kept[k].may_lie_with(p);
    if (!again) kept.push_back(p);
  }
  points = std::move(kept);
}

// The squared distance; 0 where it is no more than roundings of the mean make it.
double distance_to_refill(std::span<const double> point, std::span<const double> center) {
  constexpr double rounding = 1e-24;
  const double distance = squared_distance(point, center);
  double norm = 0;
  for (const double x : point) norm += x * x;
  return distance <= rounding * norm ? 0 : distance;
}

}  // namespace

lloyd::lloyd(const local_points& points, std::vector<double> centers, machine::instruction_set set)
    : points_(points),
      set_(set),
      bounded_(set == machine::instruction_set::scalar || centers.size() >= bounded_from),
      centers_(std::move(centers)),
      labels_(points.size(), nowhere),
      upper_(bounded_ ? points.size() : 0, std::numeric_limits<double>::infinity()),
      lower_(upper_.size(), 0),
      moved_(clusters(), 0),
      nearest_(clusters(), 0),
      local_sums_(clusters() * (points.columns + 1), 0) {}

outcome lloyd::run(const stop_rule& rule) {
  const double enough = rule.tolerance > 0 ? rule.tolerance * mean_variance() : 0;
  while (told_.iterations < rule.max_iterations && !told_.converged) {
    timed(told_.spent.map, [&] { assign(); });
    timed(told_.spent.network, [&] { sum_up(); });
    refill_empty_clusters();
    const double shift = timed(told_.spent.reduce, [&] { return move_centers(); });
    ++told_.iterations;
    told_.converged = changed_ == 0 || shift <= enough;
    first_ = false;
  }
  told_.inertia = timed(told_.spent.map, [&] { return final_labels(); });
  const auto [inertia, looked_at, map, reduce, network] =
      collectives::all_reduce(std::array{told_.inertia, static_cast<double>(told_.looked_at), told_.spent.map,
                                         told_.spent.reduce, told_.spent.network});
  const auto n = static_cast<double>(cores());
  told_.inertia = inertia;
  told_.looked_at = static_cast<std::uint64_t>(looked_at);
  told_.spent = {map / n, reduce / n, network / n};
  return told_;
}

double lloyd::mean_variance() const {
  const std::size_t columns = points_.columns;
  const auto n = static_cast<double>(points_.count);
  const auto means_of = [&](const auto& value) {
    std::vector<double> sums(columns, 0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (std::size_t j = 0; j < columns; ++j) sums[j] += value(points_[i][j], j);
    }
    collectives::all_reduce(sums);
    for (double& sum : sums) sum /= n;
    return sums;
  };
  const std::vector<double> means = means_of([](double x, std::size_t) { return x; });
  const std::vector<double> variances =
      means_of([&](double x, std::size_t j) { return (x - means[j]) * (x - means[j]); });
  return std::accumulate(variances.begin(), variances.end(), 0.0) / static_cast<double>(columns);
}

// Assigns every point to its nearest centre.
void lloyd::assign() {
  changed_ = 0;
  const double farthest = *std::max_element(moved_.begin(), moved_.end());
  std::array<std::uint32_t, batch> which;
  for (std::size_t first = 0; first < labels_.size(); first += batch) {
    const std::size_t last = std::min(first + batch, labels_.size());
    std::size_t n = 0;
    for (std::size_t i = first; i < last; ++i) {
      which[n] = static_cast<std::uint32_t>(i);
      n += !bounded_ || first_ || may_change(i, farthest);
    }
    look_at(std::span(which).first(n));
    if (first / batch % 64 == 63) tasks::yield();
  }
}

// Returns whether another centre may be nearer, now that all have moved.
bool lloyd::may_change(std::size_t i, double farthest) {
  const std::uint32_t label = labels_[i];
  upper_[i] = (upper_[i] + moved_[label]) * (1 + slack);
  lower_[i] = (lower_[i] - farthest) * (1 - slack);
  const double bound = std::max(nearest_[label], lower_[i]);
  if (upper_[i] < bound) return false;
  upper_[i] = std::sqrt(squared_distance(points_[i], center(label))) * (1 + slack);
  return upper_[i] >= bound;
}

void lloyd::look_at(std::span<const std::uint32_t> which) {
  std::array<two_nearest, batch> found;
  find_nearest(set_, centers_, points_.columns, points_.values, which, found);
  told_.looked_at += which.size();
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::uint32_t i = which[k];
    if (bounded_) {
      upper_[i] = std::sqrt(found[k].distance) * (1 + slack);
      lower_[i] = std::sqrt(found[k].second_distance) * (1 - slack);
    }
    if (found[k].nearest != labels_[i]) move_point(i, found[k].nearest);
  }
}

void lloyd::move_point(std::size_t i, std::uint32_t to) {
  const std::size_t width = points_.columns + 1;
  const std::span<const double> point = points_[i];
  const auto add = [&](std::uint32_t cluster, double sign) {
    double* const sums = local_sums_.data() + cluster * width;
    for (std::size_t j = 0; j < point.size(); ++j) sums[j] += sign * point[j];
    sums[point.size()] += sign;
  };
  if (labels_[i] != nowhere) add(labels_[i], -1);
  add(to, 1);
  labels_[i] = to;
  ++changed_;
}

// Sums over all cores with a dense key for each cluster; each piece is summed by one core.
void lloyd::sum_up() {
  sums_ = local_sums_;
  sums_.push_back(static_cast<double>(changed_));
  collectives::all_reduce(sums_);
  changed_ = static_cast<std::uint64_t>(sums_.back());
  sums_.pop_back();
}

void lloyd::refill_empty_clusters() {
  const std::size_t width = points_.columns + 1;
  std::vector<std::uint32_t> empty;
  for (std::uint32_t k = 0; k < clusters(); ++k) {
    if (sums_[k * width + points_.columns] < 0.5) empty.push_back(k);
  }
  told_.empty = empty.size();
  if (empty.empty()) return;
  // A cluster with one point keeps it, so there may be more candidates than are used.
  const std::size_t most = empty.size() + clusters();
  std::vector<far_point> mine, all;
  const auto keep_farthest = [&] {
    sort_different(mine);
    mine.resize(std::min(most, mine.size()));
  };
  timed(told_.spent.map, [&] {
    for (std::uint32_t i = 0; i < labels_.size(); ++i) {
      mine.push_back(
          {distance_to_refill(points_[i], center(labels_[i])), points_.first + i, my_core(), i, labels_[i]});
      if (mine.size() > 4 * most) keep_farthest();
    }
    keep_farthest();
  });
  timed(told_.spent.network, [&] {
    for (const auto& of_core : collectives::all_gather(mine))
      all.insert(all.end(), of_core.begin(), of_core.end());
  });
  sort_different(all);
  std::vector<double> left(clusters());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = sums_[k * width + points_.columns];
  std::size_t taken = 0;
  const std::uint64_t changed = std::exchange(changed_, 0);
  for (const far_point& p : all) {
    if (taken == empty.size() || p.distance <= 0) break;
    if (left[p.cluster] < 1.5) continue;
    --left[p.cluster];
    const std::uint32_t cluster = empty[taken++];
    if (p.core != my_core()) continue;
    move_point(p.index, cluster);
    if (bounded_) {
      upper_[p.index] = std::numeric_limits<double>::infinity();
      lower_[p.index] = 0;
    }
  }
  if (taken == 0) {
    changed_ = changed;
    return;
  }
  told_.refilled += taken;
  told_.empty -= taken;
  timed(told_.spent.network, [&] { sum_up(); });
}

// Moves the centres to the means of their points. Returns the sum of the squared moves.
double lloyd::move_centers() {
  const std::size_t columns = points_.columns, width = columns + 1;
  double all = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    const double count = sums_[k * width + columns];
    double squared = 0;
    for (std::size_t j = 0; j < columns && count > 0.5; ++j) {
      const double mean = sums_[k * width + j] / count, move = mean - centers_[k * columns + j];
      squared += move * move;
      centers_[k * columns + j] = mean;
    }
    moved_[k] = std::sqrt(squared) * (1 + slack);
    all += squared;
  }
  if (!bounded_) return all;
  std::vector<std::uint32_t> which(clusters());
  std::iota(which.begin(), which.end(), 0u);
  std::vector<two_nearest> found(clusters());
  find_nearest(set_, centers_, columns, centers_, which, found);
  for (std::size_t k = 0; k < clusters(); ++k)
    nearest_[k] = 0.5 * std::sqrt(found[k].second_distance) * (1 - slack);
  return all;
}

// Assigns the points to the last centres, without the bounds. Returns the sum of the squared distances.
double lloyd::final_labels() {
  std::array<std::uint32_t, batch> which;
  std::array<two_nearest, batch> found;
  double inertia = 0;
  for (std::size_t first = 0; first < labels_.size(); first += batch) {
    const std::size_t n = std::min(batch, labels_.size() - first);
    std::iota(which.begin(), which.begin() + static_cast<std::ptrdiff_t>(n),
              static_cast<std::uint32_t>(first));
    find_nearest(set_, centers_, points_.columns, points_.values, std::span(which).first(n), found);
    for (std::size_t k = 0; k < n; ++k) {
      labels_[first + k] = found[k].nearest;
      inertia += found[k].distance;
    }
    if (first / batch % 64 == 63) tasks::yield();
  }
  return inertia;
}

}  // namespace orujo::internal::kmeans
