// The points that are clustered: columns of a table, or made up; and which of them are the first centres.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/kmeans/lloyd.hpp"
#include "framework/tables/mapreduce/table_input.hpp"
#include "system/base/status.hpp"

namespace orujo::kmeans {

// Points around so many places in a cube of side 10; 0: everywhere in it.
struct made_points {
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  std::uint64_t blobs = 0, seed = 1;
};

// Any thread. Column j of point i, the same for any split.
double made_value(const made_points& of, std::uint64_t i, std::size_t j);

// [task; suspends; collective over the job]
local_points make_points(const made_points& of);

// [task; suspends; collective over the job] The wanted columns of all rows, which are finite numbers. Every
// core fails with the status of the first row that is wrong.
result<local_points> read_points(const mapreduce::input_files& files, const mapreduce::table_shape& shape);

// [task; suspends; collective over the job] So many different rows, drawn at random. There are as many.
std::vector<double> random_centers(const local_points& points, std::size_t clusters, std::uint64_t seed);

// [task; suspends; collective over the job] The first at random, each other with a probability that is as its
// squared distance to the nearest one before. (Arthur, Vassilvitskii: "k-means++: The advantages of careful
// seeding", SODA 2007.) Which they are may depend on the number of cores where a draw is as near to a row's
// probability as sums are rounded.
std::vector<double> spread_centers(const local_points& points, std::size_t clusters, std::uint64_t seed);

}  // namespace orujo::kmeans
