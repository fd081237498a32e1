// The points to be clustered, which are columns of a table, or generated, and the choice of the first
// centres.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/kmeans/lloyd.hpp"
#include "framework/tables/mapreduce/table_input.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::kmeans {

// Points around `blobs` places in a cube of side 10, or everywhere in it for 0.
struct made_points {
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  std::uint64_t blobs = 0, seed = 1;
};

// Any thread. Column j of point i, the same for any process layout (locales x cores).
double made_value(const made_points& of, std::uint64_t i, std::size_t j);

// [task; suspends; collective over the job]
local_points make_points(const made_points& of);

// [task; suspends; collective over the job] Reads the wanted columns of all rows, which must be finite
// numbers. Every core fails with the status of the first row that is wrong.
result<local_points> read_points(const mapreduce::input_files& files, const mapreduce::table_shape& shape);

// [task; suspends; collective over the job] Samples `clusters` different rows at random. There must be as
// many.
std::vector<double> random_centers(const local_points& points, std::size_t clusters, std::uint64_t seed);

// [task; suspends; collective over the job] Samples the first centre at random, and each other with a
// probability proportional to its squared distance to the nearest earlier one. (Arthur, Vassilvitskii,
// "k-means++: The advantages of careful seeding", SODA 2007.) The choice may depend on the number of cores if
// a random number is as near to a row's probability as the rounding of sums.
std::vector<double> spread_centers(const local_points& points, std::size_t clusters, std::uint64_t seed);

}  // namespace orujo::internal::kmeans
