// Walks and sampled neighbours, from which models learn.
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "algorithms.hpp"
#include "framework/algorithms/neighbour_sample.hpp"
#include "framework/algorithms/random_walks.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/property.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::python {
namespace {

// [task at core 0; suspends] Checks that there is room for a matrix at the cores, and for all of it at each
// process.
status check_room_for_walks(std::uint64_t walks, std::uint64_t width) {
  return loops::on_all_cores([=] {
    const std::uint64_t bytes = memory::bytes_of(memory::bytes_of(walks, width), sizeof(std::int64_t));
    const std::uint64_t here = bytes / static_cast<std::uint64_t>(locales());
    return graph::check_room("random_walks()", bytes > ~std::uint64_t{0} - here ? bytes : bytes + here);
  });
}

// [task at core 0; suspends] A property of the values by position.
graph::property<std::uint32_t> property_of(graph::distributed_graph graph,
                                           std::span<const std::uint32_t> values_by_position) {
  const auto all = containers::global_array<std::uint32_t>::create(values_by_position.size());
  all.put(0, values_by_position);
  const auto made = graph::property<std::uint32_t>::create(graph);
  loops::on_all_cores([=] {
    const graph::locale_graph& here = graph.here();
    const graph::core_part& mine = here.my_part();
    std::vector<std::uint64_t> positions;
    for (std::uint32_t v = mine.first; v < mine.last; ++v) positions.push_back(here.position_of(v));
    all.gather(positions, mine.of(made.here()));
  });
  all.destroy();
  return made;
}

template <class ValueOf>
values<std::int64_t> spread_values(std::size_t count, const ValueOf& value_of) {
  std::vector<std::int64_t> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<std::int64_t>(value_of(k));
  const auto spread = containers::global_array<std::int64_t>::create(count);
  spread.put(0, all);
  return values<std::int64_t>::of(spread);
}

}  // namespace

values<std::int64_t> random_walks(const graph_handle& g, const walk_request& request) {
  const graph::distributed_graph graph = g.with({.in_vectors = false, .out_rows = true}, "random_walks");
  if (request.weighted) require_weights(g, "random_walks");
  const call as_called = call("random_walks")
                             .with("num_walks", request.num_walks)
                             .with("walk_length", request.walk_length)
                             .with("p", request.p)
                             .with("q", request.q)
                             .with("weighted", request.weighted)
                             .with("seed", request.seed)
                             .with("types", request.types)
                             .with("metapath", request.metapath)
                             .with("timed", request.timed);
  return together(g, as_called, [&]() -> result<values<std::int64_t>> {
    const auto starts =
        request.metapath.empty()
            ? g.facts().vertices
            : static_cast<std::uint64_t>(std::ranges::count(request.types, request.metapath.front()));
    const std::uint64_t walks = memory::bytes_of(starts, request.num_walks);
    if (status room = check_room_for_walks(walks, std::uint64_t{request.walk_length} + 1); !room.ok())
      return room;
    const auto visits = graph::property<std::uint64_t>::create(graph);
    algorithms::walk_edges edges{
        .weighted = request.weighted, .metapath = request.metapath, .timed = request.timed};
    if (!request.metapath.empty()) edges.types = property_of(graph, request.types);
    const auto found = algorithms::random_walks(graph, visits, edges)
                           .run({.per_vertex = request.num_walks,
                                 .length = request.walk_length,
                                 .seed = request.seed,
                                 .p = request.p,
                                 .q = request.q,
                                 .keep_walks = true});
    visits.destroy();
    if (edges.types) edges.types->destroy();
    return values<std::int64_t>::of(*found.vertices);
  });
}

found_sample neighbor_sample(const graph_handle& g, const sample_request& request) {
  const graph::edge_forms needed{
      .in_vectors = false, .in_rows = request.in_edges, .out_rows = !request.in_edges};
  const graph::distributed_graph graph = g.with(needed, "neighbor_sample");
  const call as_called = call("neighbor_sample")
                             .with("seeds", request.seeds)
                             .with("fanouts", request.fanouts)
                             .with("replace", request.replace)
                             .with("edge_dir", std::string(request.in_edges ? "in" : "out"))
                             .with("seed", request.seed)
                             .with("until", request.until)
                             .with("latest", request.latest);
  return together(g, as_called, [&]() -> result<found_sample> {
    std::vector<std::uint64_t> seeds;
    for (const vertex_key& key : request.seeds) {
      const bool is_position = g.facts().positions && !key.named && key.id < g.facts().vertices;
      const auto number = is_position ? result<std::uint64_t>(0) : number_of(g.facts(), key);
      if (!number.ok()) return number.status();
      seeds.push_back(is_position ? key.id : graph.here().numbers.position(number.value()));
    }
    std::vector<std::uint64_t> ordered = seeds;
    std::ranges::sort(ordered);
    if (std::ranges::adjacent_find(ordered) != ordered.end())
      return status(exit_status::usage, "neighbor_sample() of a seed that is there twice: pass each once");
    const algorithms::neighbour_sample found = algorithms::sample_neighbours(
        graph, seeds,
        {.fan_outs = request.fanouts,
         .replace = request.replace,
         .in_edges = request.in_edges,
         .seed = request.seed,
         .timed = request.until || request.latest,
         .until = static_cast<float>(request.until.value_or(std::numeric_limits<double>::infinity())),
         .latest = request.latest});
    const auto neighbour = [&](std::size_t k) { return found.edges[k].neighbour; };
    const auto at = [&](std::size_t k) { return found.edges[k].at; };
    const std::size_t edges = found.edges.size();
    return found_sample{
        spread_values(found.vertices.size(), [&](std::size_t k) { return found.vertices[k]; }),
        request.in_edges ? spread_values(edges, neighbour) : spread_values(edges, at),
        request.in_edges ? spread_values(edges, at) : spread_values(edges, neighbour),
        spread_values(edges, [&](std::size_t k) { return found.edges[k].edge; }),
        found.vertices_of_layer,
        found.edges_of_layer};
  });
}

}  // namespace orujo::internal::python
