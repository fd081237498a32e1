// The vertices from which the searches of an application start.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/graph/build/load.hpp"
#include "framework/results/vertex_labels.hpp"
#include "system/base/json.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::harness {

struct search_source {
  std::uint64_t id;        // external
  std::string name;        // empty where vertices have none
  std::uint64_t position;  // of the id among all, by which the oracles call the vertex
  std::uint64_t number;    // by which the graph does (numbering.hpp)

  results::vertex_label label() const { return {id, name}; }
  base::json told() const { return name.empty() ? base::json(id) : base::json(name); }
};

// [task; suspends] Returns `count` sources: --source each time, or vertices with out-edges sampled by --seed,
// the same for any partition. In a graph without edges all vertices are candidates. A usage error if --source
// is not in the graph. A graph without vertices has no sources.
result<std::vector<search_source>> choose_sources(const graph::loaded_graph& loaded, int count);

}  // namespace orujo::internal::harness
