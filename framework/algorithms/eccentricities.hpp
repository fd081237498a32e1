// The distances that searches from up to 64 vertices reach.
#pragma once

#include <cstdint>

#include "framework/algorithms/multi_source_search.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"

namespace orujo::internal::algorithms {

// The greatest distance from a source of a multi_source_search to each vertex; -1 if none reaches it.
struct farthest_sources {
  void start(const graph::vertex& v, bool is_source) { farthest.here()[v.local] = is_source ? 0 : -1; }
  void find(const graph::vertex& v, std::uint64_t, std::int32_t distance) {
    farthest.here()[v.local] = distance;
  }
  void checkpoint(graph::program_state& kept) { kept.add("farthest", farthest); }

  graph::property<std::int32_t> farthest;
};

// A vertex program that finds how far each of up to 64 searches gets (of_source), and how far each vertex is
// from the farthest source.
using eccentricities = multi_source_search<farthest_sources>;

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::eccentricities&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
