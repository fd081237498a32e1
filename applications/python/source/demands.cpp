// Edges and memory that algorithms need.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "framework/device/selection.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "graph.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::python {
namespace {

using graph::edge_forms;
constexpr edge_forms pulled{.in_vectors = true}, out{.in_vectors = false, .out_rows = true},
    both{.in_vectors = false, .in_rows = true, .out_rows = true},
    pulled_and_pushed{.in_vectors = true, .out_rows = true}, rows{.in_vectors = false, .in_rows = true},
    none{.in_vectors = false};

// The most bytes that an algorithm takes beside the graph, for each vertex of a locale: its values and the
// result. Measured on uniform graphs of 2^17 and 2^21 vertices (VmHWM). All processes have the results.
struct demand {
  std::string_view name;
  edge_forms edges;
  std::uint32_t bytes, bytes_of_result;
};
// Checking all nodes takes some 0.3 ms. It is skipped below this size, except under tight limits.
constexpr std::uint64_t worth_a_look = std::uint64_t{64} << 20, tight = 4 * worth_a_look;
constexpr demand demands[] = {{"pagerank", pulled, 40, 8},
                              {"personalized_pagerank", pulled, 41, 8},
                              {"personalized_pageranks", rows, 330, 64},
                              {"hits", both, 69, 16},
                              {"katz_centrality", pulled, 33, 8},
                              {"eigenvector_centrality", pulled, 33, 8},
                              {"bfs", both, 21, 12},
                              {"sssp", both, 28, 8},
                              {"betweenness_centrality", both, 76, 8},
                              {"edge_betweenness_centrality", both, 220, 20},
                              {"closeness_centrality", pulled_and_pushed, 80, 8},
                              {"harmonic_centrality", pulled_and_pushed, 80, 8},
                              {"eccentricity", pulled_and_pushed, 25, 4},
                              {"connected_components", both, 18, 8},
                              {"strongly_connected_components", both, 128, 8},
                              {"minimum_spanning_forest", both, 92, 20},
                              {"condensation", both, 152, 32},
                              {"dag_levels", both, 60, 4},
                              {"label_propagation", both, 26, 8},
                              {"leiden", both, 150, 8},
                              {"louvain", both, 150, 8},
                              {"k_core", out, 14, 4},
                              {"k_core(weighted=True)", out, 60, 8},
                              {"edge_support", out, 190, 20},
                              {"truss_numbers", out, 190, 20},
                              {"similarity", out, 290, 24},
                              {"pair_similarity", out, 60, 8},
                              {"maximal_independent_set", both, 30, 1},
                              {"coloring", both, 68, 4},
                              {"clique_count", out, 24, 0},
                              {"cliques", out, 32, 8},
                              {"random_walks", out, 40, 0},
                              {"neighbor_sample", both, 0, 0},
                              {"triangle_counting", out, 5, 0},
                              {"triangles", out, 19, 8},
                              {"clustering", out, 19, 8},
                              {"clustering(weighted=True)", out, 300, 8},
                              {"Graph.ids", none, 17, 8},
                              {"Graph.out_degrees", none, 8, 4}};

const demand* find_demand(std::string_view name) {
  const auto* const at = std::ranges::find(demands, name, &demand::name);
  return at == std::end(demands) ? nullptr : at;
}

}  // namespace

edge_forms forms_for(const std::vector<std::string>& algorithms) {
  if (algorithms.empty()) return {.in_vectors = true, .in_rows = true, .out_rows = true};
  edge_forms all{.in_vectors = false, .weights = false};
  for (const std::string& name : algorithms) {
    const demand* const its = find_demand(name);
    if (!its || name.find_first_of(".(") != name.npos)
      throw job_error({exit_status::usage, "keep: there is no algorithm '" + name + "'"});
    const edge_forms wanted =
        name == "pagerank" ? device::forms_on(device::device_from_flags(), its->edges) : its->edges;
    all.in_vectors |= wanted.in_vectors;
    all.in_rows |= wanted.in_rows;
    all.out_rows |= wanted.out_rows;
    all.weights |= name == "sssp" || name == "minimum_spanning_forest" || name == "katz_centrality" ||
                   name == "eigenvector_centrality" || name == "random_walks";
  }
  return all;
}

status check_room(const graph_facts& g, const std::string& algorithm) {
  const demand* const its = find_demand(algorithm);
  if (!its) return {};
  if (memory::bytes_of(g.vertices, its->bytes) < worth_a_look && machine::mappable_memory() >= tight)
    return {};
  return loops::on_all_cores([graph = g.handle.get(), place = its - demands] {
    const demand& its_here = demands[place];
    const graph::locale_graph& here = graph.here();
    const std::uint64_t everywhere = processes() > 1 ? here.vertices * its_here.bytes_of_result : 0;
    const std::uint64_t bytes = (std::uint64_t{here.own} + here.mirrors) * its_here.bytes + everywhere;
    return graph::check_room(shown_name(std::string(its_here.name)), bytes);
  });
}

}  // namespace orujo::internal::python
