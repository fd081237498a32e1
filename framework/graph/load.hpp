// The graph that the command line asks for: --graph or --generate, --symmetrize and the like.
#pragma once

#include <string>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

struct load_request {
  input_source source;
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
  std::string source;  // for people and reports
  std::string format;  // "generated", or as --format has it
};

// [task; suspends] Reads or generates, and builds, on all cores. The flags are the same at every locale.
result<loaded_graph> load_from_flags(const edge_forms& keep = {});

}  // namespace orujo::graph
