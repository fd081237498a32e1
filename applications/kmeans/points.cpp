#include "applications/kmeans/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "system/base/index_range.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::kmeans {
namespace {

constexpr std::size_t points_between_yields = 65536;

double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

// Sets where the calling core's points begin.
void number_points(local_points& points) {
  points.first = collectives::exclusive_sum<std::uint64_t>(points.size());
  points.count = collectives::all_reduce<std::uint64_t>(points.size());
}

// Broadcasts the point of that number from the core that has it.
std::vector<double> fetch_point(const local_points& points, std::uint64_t number) {
  std::vector<double> found(points.columns, 0);
  if (number - points.first < points.size()) {
    const auto mine = points[number - points.first];
    std::copy(mine.begin(), mine.end(), found.begin());
  }
  collectives::all_reduce(found);
  return found;
}

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

double made_value(const made_points& of, std::uint64_t i, std::size_t j) {
  const std::uint64_t random = mix64(mix64(of.seed + i) + j);
  if (of.blobs == 0) return 10 * unit(random);
  const std::uint64_t blob = mix64(mix64(of.seed + i)) % of.blobs;
  const double place = 10 * unit(mix64(mix64(~of.seed + blob) + j));
  // The sum of four draws is nearly normal.
  const double four = static_cast<double>((random & 0xffff) + (random >> 16 & 0xffff) +
                                          (random >> 32 & 0xffff) + (random >> 48)) *
                      0x1p-16;
  return place + four - 2;
}

local_points make_points(const made_points& of) {
  const index_range mine = my_part_of_job({0, of.rows});
  local_points points;
  points.columns = of.columns;
  points.values.resize(mine.size() * of.columns);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    for (std::size_t j = 0; j < of.columns; ++j)
      points.values[i * of.columns + j] = made_value(of, mine.first + i, j);
    if (i % points_between_yields == 0) tasks::yield();
  }
  number_points(points);
  return points;
}

result<local_points> read_points(const mapreduce::input_files& files, const mapreduce::table_shape& shape) {
  using mapreduce::line_mistake;
  local_points points;
  points.columns = shape.names.size();
  const status mine =
      mapreduce::read_rows(files, shape, [&](std::span<const formats::table_field> fields) -> line_mistake {
        for (const formats::table_field& field : fields) {
          double value = 0;
          if (formats::parse_number(field.text, value) != std::errc() || !std::isfinite(value))
            return {field.column, fmt::format("{} is not a finite number; expected one such as 1.5 or -2e3",
                                              formats::shown(field.text))};
          points.values.push_back(value);
        }
        return {};
      });
  if (status failed = collectives::first_failure(mine); !failed.ok()) return failed;
  number_points(points);
  return points;
}

std::vector<double> random_centers(const local_points& points, std::size_t clusters, std::uint64_t seed) {
  random_stream random(seed);
  std::set<std::uint64_t> drawn;
  while (drawn.size() < clusters) drawn.insert(random.below(points.count));
  std::vector<double> centers(clusters * points.columns, 0);
  std::size_t at = 0;
  for (const std::uint64_t number : drawn) {
    if (number - points.first < points.size()) {
      const auto mine = points[number - points.first];
      std::copy(mine.begin(), mine.end(), centers.begin() + static_cast<std::ptrdiff_t>(at));
    }
    at += points.columns;
  }
  collectives::all_reduce(centers);
  return centers;
}

std::vector<double> spread_centers(const local_points& points, std::size_t clusters, std::uint64_t seed) {
  random_stream random(seed);
  many_doubles distances(points.size(), std::numeric_limits<double>::infinity());
  std::vector<double> centers = fetch_point(points, random.below(points.count));
  while (centers.size() < clusters * points.columns) {
    const auto last = std::span<const double>(centers).last(points.columns);
    double sum = 0;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      sum += distances[i] = std::min(distances[i], squared_distance(points[i], last));
      if (i % points_between_yields == 0) tasks::yield();
    }
    double total = 0, before = 0;
    for (core_id c = 0; const double of_core : collectives::all_gather(sum)) {
      if (c++ < my_core()) before += of_core;
      total += of_core;
    }
    // The core with this position names the point; the last core does if rounding leaves none.
    double place = unit(random()) * total - before;
    std::uint64_t number = 0;
    if (total > 0 && place >= 0 && place < sum) {
      std::size_t i = 0;
      while (i + 1 < distances.size() && place >= distances[i]) place -= distances[i++];
      while (distances[i] <= 0) --i;
      number = points.first + i + 1;
    }
    number = collectives::all_reduce(number, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
    const std::uint64_t otherwise = random.below(points.count);
    append(centers, fetch_point(points, number > 0 ? number - 1 : otherwise));
  }
  return centers;
}

}  // namespace orujo::internal::kmeans
