// The output block of the Graph500 benchmark, and the same figures for --stats_json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "applications/graph500/kernels.hpp"
#include "system/base/json.hpp"

namespace orujo::internal::graph500 {

struct search_record {
  std::uint64_t root = 0;
  search_figures figures;
  std::uint64_t edges = 0;      // tuples within the root's component, as often as they occur
  double validate_seconds = 0;  // 0 where nothing was validated
};

// The searches of one kernel, and their input.
struct kernel_record {
  std::string name;  // bfs or sssp
  unsigned scale = 0;
  std::uint64_t edge_factor = 0;
  double generation_seconds = 0, construction_seconds = 0;
  bool validated = false;
  bool right = true;                         // no tree was found wrong
  std::vector<search_record> searches = {};  // at least one
};

// Prints the results of one kernel or of both to stdout, exactly as the reference code (version 3) does.
// After it come lines of our own: "mean_X_time" and "max_X_time" of the parts of a search, over the cores,
// and "mean_X_bytes" of the bytes that they send. Nothing is printed if a tree is wrong. Results that are not
// validated have no lines about validation and no TEPS. Times of generation and construction are of the
// graphs of all kernels together.
void print_block(const std::vector<kernel_record>& kernels);

// Appends one object per search, with the keys of every application's trials.
void append_trials(const kernel_record& of, base::json& trials);

}  // namespace orujo::internal::graph500
