// What the programs that search breadth-first share: a search per source, told, checked and written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "applications/harness/graph_harness.hpp"

namespace orujo::harness {

// What a vertex is told: numbers, or -1 if it is not reached.
struct place_in_tree {
  std::int64_t parent, level;
};
inline constexpr place_in_tree not_in_tree{-1, -1};

// What core 0 learns of a search.
struct search_result {
  double seconds = 0;
  int levels = 0;                          // of the tree: 1 if the source reaches nobody else
  std::uint64_t vertices = 0;              // reached, with the source
  std::uint64_t out_edges = 0;             // of those reached
  base::json more = base::json::object();  // the program's own keys of --stats_json
};

// How a program searches; tasks of core 0 call both.
struct tree_search {
  std::function<search_result(std::uint64_t source)> run;      // from a vertex number
  std::function<graph::property<place_in_tree>()> write_places;  // the tree of the last run; the source is
                                                                 // its own parent
};

// [task; suspends] Searches from every source that the flags choose, prints a line for each and the means,
// checks each tree where --verify asks for it, and writes the last one.
status run_searches(const std::string& name, const graph::loaded_graph& loaded, const tree_search& search,
                    base::output_file& output, report& to);

}  // namespace orujo::harness
