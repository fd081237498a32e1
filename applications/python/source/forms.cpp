// Which edges a graph keeps for which algorithms.
#include <map>

#include "graph.hpp"

namespace orujo::python {

graph::edge_forms forms_for(const std::vector<std::string>& algorithms) {
  using graph::edge_forms;
  if (algorithms.empty()) return {.in_vectors = true, .in_rows = true, .out_rows = true};
  static const edge_forms pulled{.in_vectors = true}, out{.in_vectors = false, .out_rows = true},
      both{.in_vectors = false, .in_rows = true, .out_rows = true};
  static const edge_forms pulled_and_pushed{.in_vectors = true, .out_rows = true};
  static const std::map<std::string, edge_forms> known = {{"pagerank", pulled},
                                                          {"personalized_pagerank", pulled},
                                                          {"hits", both},
                                                          {"bfs", both},
                                                          {"sssp", both},
                                                          {"betweenness_centrality", both},
                                                          {"eccentricity", pulled_and_pushed},
                                                          {"connected_components", both},
                                                          {"label_propagation", both},
                                                          {"k_core", out},
                                                          {"maximal_independent_set", pulled},
                                                          {"coloring", both},
                                                          {"triangle_counting", out},
                                                          {"triangles", out},
                                                          {"clustering", out}};
  edge_forms all{.in_vectors = false, .weights = false};
  for (const std::string& name : algorithms) {
    const auto at = known.find(name);
    if (at == known.end())
      throw job_error({exit_status::usage, "keep: there is no algorithm '" + name + "'"});
    all.in_vectors |= at->second.in_vectors;
    all.in_rows |= at->second.in_rows;
    all.out_rows |= at->second.out_rows;
    all.weights |= name == "sssp";
  }
  return all;
}

}  // namespace orujo::python
