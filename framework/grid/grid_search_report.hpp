// The report of a search on a grid of locales.
#pragma once

#include <cstdint>

#include "framework/exchange/bit_message.hpp"

namespace orujo::internal::algorithms {

// Time of one core's supersteps by purpose, in seconds.
struct grid_search_times {
  double expansion = 0;  // traversing edges, in either direction
  double row = 0;        // sending the row what is found, and before a pull what is seen; parents
  double column = 0;     // sending the column the frontier
  double copies = 0;     // to and from a GPU, and packing on it
  double reduction = 0;  // ends of supersteps: settling new vertices, waiting for the slowest core
};

struct grid_search_report {
  double seconds = 0;
  grid_search_times times;
  int levels = 0;                              // of the tree; 1 if the source reaches no other vertex
  int pulls = 0;                               // supersteps
  std::uint64_t vertices = 0;                  // reached, with the source
  std::uint64_t out_edges = 0;                 // of those reached
  exchange::byte_counts row, column, parents;  // of all locales
};

}  // namespace orujo::internal::algorithms
