// The engine's promise about its sums: how often a contribution is rounded on its way into a total.
// docs/design/rounding.md derives the numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "framework/graph/distributed_graph.hpp"
#include "framework/vectors/pairwise.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::vectors {

// The number of roundings depends on these, beside the contributions. Each is that of the locale with most of
// it.
struct sum_shape {
  std::size_t segments = 0;
  std::uint32_t deepest_bundle = 0;  // vectors
  std::size_t guest_totals = 0;      // of a vertex, from other locales
};

// [task; suspends] Of pulls over edge vectors, which it reads.
sum_shape shape_of_sums(graph::distributed_graph graph);

// The largest error of a sum of `contributions` by pull_loop, in units roundoff of T times the sum of their
// magnitudes. T: float or double, the type of the values.
template <class T>
double pull_roundings(const sum_shape& shape, double contributions) {
  constexpr double across_lanes = 3;
  const double in_bundle = shape.deepest_bundle;
  const double of_total = 3.0 * static_cast<double>(shape.segments);  // first vectors, the rest, slots
  if constexpr (std::is_same_v<T, float>) {
    const double of_blocks = contributions / lanes * 0x1p-29;  // and slots, in double precision
    const double of_guests = shape.guest_totals > 0 ? 1 : 0;   // they meet in double precision
    return std::fmax(in_bundle, vectors_at_first + across_lanes) + of_blocks + of_total + of_guests;
  } else {
    const auto of_guests = static_cast<double>(shape.guest_totals);
    return std::fmax(in_bundle, contributions / lanes + across_lanes + 1) + of_total + of_guests;
  }
}

// The same for sums of a scalar program, over rows.
inline double row_roundings(double contributions) {
  return pairwise_block + std::log2(std::fmax(contributions, 1)) + 1;
}

}  // namespace orujo::internal::vectors
