// The common part of programs that search breadth-first. It runs a search per source, prints it, checks it
// and writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "applications/harness/graph_harness.hpp"

namespace orujo::internal::harness {

// The result of a vertex: numbers, or -1 if it is not reached.
struct place_in_tree {
  std::int64_t parent, level;
};
inline constexpr place_in_tree not_in_tree{-1, -1};

// The figures of a search at core 0.
struct search_result {
  double seconds = 0;
  int levels = 0;                          // of the tree: 1 if the source reaches no other vertex
  std::uint64_t vertices = 0;              // reached, with the source
  std::uint64_t out_edges = 0;             // of those reached
  base::json more = base::json::object();  // the program's own keys of --stats_json
};

// The program's search; tasks of core 0 call both functions.
struct tree_search {
  std::function<search_result(std::uint64_t source)> run;        // from a vertex number
  std::function<graph::property<place_in_tree>()> write_places;  // the tree of the last run; the source is
                                                                 // its own parent
};

// [task; suspends] Searches from every source that the flags choose, and prints a line for each and the
// means. Checks each tree with --verify, and writes the last one.
status run_searches(const std::string& name, const graph::loaded_graph& loaded, const tree_search& search,
                    files::output_file& output, report& to);

}  // namespace orujo::internal::harness
