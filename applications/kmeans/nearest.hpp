// The two centres that are nearest to points, eight points at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/machine/isa.hpp"

namespace orujo::internal::kmeans {

struct two_nearest {
  std::uint32_t nearest = 0;                 // of equal ones the first
  double distance = 0, second_distance = 0;  // squares; the second is infinite where there is one centre
};

// (a - b)^2, summed up in the order of the columns.
double squared_distance(std::span<const double> a, std::span<const double> b);

// found[i] is for the point which[i] in `points`. Points and `centers` are row by row. The distances are
// those of squared_distance(), bit by bit, on every instruction set.
void find_nearest(machine::instruction_set set, std::span<const double> centers, std::size_t columns,
                  std::span<const double> points, std::span<const std::uint32_t> which,
                  std::span<two_nearest> found);

}  // namespace orujo::internal::kmeans
