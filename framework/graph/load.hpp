// The graph that the command line asks for: --graph or --generate, --symmetrize and the like.
#pragma once

#include <string>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/input_changes.hpp"

namespace orujo::graph {

struct load_request {
  input_source source;
  input_changes changes;
  bool strict = false;  // a header that contradicts the data is an error
  build_options build;
};

// A usage error unless exactly one of --graph and --generate is given.
result<load_request> load_request_from_flags();

// "range" or "hash": --partition.
const std::string& partition_name();

struct loaded_graph {
  distributed_graph graph;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  double seconds = 0;
  double read_seconds = 0;  // of these, for the edges as they come in; generated ones are not made yet then
  std::uint64_t read_edges = 0;  // as many
  std::uint64_t file_bytes = 0;  // as they lie on the disk; 0 of generated graphs
  std::string source;            // for people and reports
  std::string format;            // "generated", or as --format has it
};

// [task; suspends] Reads or generates, and builds, on all cores. The flags are the same at every locale.
result<loaded_graph> load_from_flags(const edge_forms& keep = {});

}  // namespace orujo::graph
