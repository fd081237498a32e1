// The output block of the Graph500 benchmark, and the same figures for --stats_json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "applications/graph500/kernels.hpp"
#include "system/base/json.hpp"

namespace orujo::graph500 {

struct search_record {
  std::uint64_t root = 0;
  search_figures figures;
  std::uint64_t edges = 0;      // tuples within the root's component, as often as they occur
  double validate_seconds = 0;  // 0 where nothing was validated
};

// The searches of one kernel, and what they ran on.
struct kernel_record {
  std::string name;  // bfs or sssp
  unsigned scale = 0;
  std::uint64_t edge_factor = 0;
  double generation_seconds = 0, construction_seconds = 0;
  bool validated = false;
  bool right = true;                         // no tree was found wrong
  std::vector<search_record> searches = {};  // at least one
};

// Of one kernel or of both, to the letter as the reference code (version 3) has it, to stdout; behind it the
// lines "mean_X_time" and "max_X_time" of the parts of a search, over the cores, and "mean_X_bytes" of what
// they send, which are ours. Nothing where a tree is wrong; what is not validated has no lines about that and
// no TEPS. Times of generation and construction are of the graphs of all kernels together.
void print_block(const std::vector<kernel_record>& kernels);

// One object per search, with the keys of every application's trials; appended.
void append_trials(const kernel_record& of, base::json& trials);

}  // namespace orujo::graph500
