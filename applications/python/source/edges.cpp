// The edges of a graph, and the memory that it takes.
#include <vector>

#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/vertex_names.hpp"
#include "graph.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/memory/budget.hpp"
#include "visit_edges.hpp"

namespace orujo::internal::python {
namespace {

std::uint64_t count_edges(const graph::locale_graph& g) {
  std::uint64_t count = 0;
  visit_edges(g, [&count](auto, auto, auto) { ++count; });
  return count;
}

// [task at core 0; suspends] There is room for the columns, which every process gets, and for those that are
// spread over the cores.
status check_room_for_columns(graph::distributed_graph graph) {
  return loops::on_all_cores([graph] {
    const std::uint64_t each = 2 * sizeof(std::int64_t) + sizeof(float), all = graph.here().edges;
    const auto here = static_cast<std::uint64_t>(locales());
    return graph::check_room("Graph.to_pandas()", memory::bytes_of(all + all / here, each));
  });
}

template <class T>
std::uint64_t bytes_of_array(const T& array) {
  return array.size() * sizeof(*array.data());
}

std::uint64_t bytes_of_rows(const graph::adjacency& rows) {
  return bytes_of_array(rows.offsets) + bytes_of_array(rows.neighbours) + bytes_of_array(rows.weights) +
         bytes_of_array(rows.arcs);
}

// The calling core's names, and at the first core of a locale all that its cores share.
std::uint64_t bytes_here(const graph::locale_graph& g) {
  std::uint64_t bytes = 0;
  if (g.names) bytes += g.names->here().bytes().size() + g.names->here().offsets().size_bytes();
  if (my_core_of_locale() > 0) return bytes;
  bytes += bytes_of_array(g.edge_vectors) + bytes_of_array(g.weight_vectors) + bytes_of_array(g.top_level_at);
  if (g.in_rows) bytes += bytes_of_rows(*g.in_rows);
  if (g.out_rows && g.out_rows != g.in_rows) bytes += bytes_of_rows(*g.out_rows);
  return bytes + bytes_of_array(g.out_degree) + bytes_of_array(g.in_degrees) +
         bytes_of_array(g.external_ids) + bytes_of_array(g.mirrored);
}

}  // namespace

std::uint64_t memory_of(graph::distributed_graph graph) {
  return delegates::sum_of_all([graph] { return bytes_here(graph.here()); });
}

edge_values edges_of(const graph_handle& g) {
  return together(g, call("Graph.to_pandas"), [graph = g.get()]() -> result<edge_values> {
    if (status room = check_room_for_columns(graph); !room.ok()) return room;
    const std::uint64_t edges = graph.here().edges;
    const auto sources = containers::global_array<std::int64_t>::create(edges);
    const auto targets = containers::global_array<std::int64_t>::create(edges);
    const auto weights = containers::global_array<float>::create(graph.here().weighted ? edges : 0);
    loops::on_all_cores([=] {
      const graph::locale_graph& here = graph.here();
      std::uint64_t first = collectives::exclusive_sum(count_edges(here));
      std::vector<std::int64_t> from, to;
      std::vector<float> heavy;
      const auto put = [&] {
        sources.put(first, from);
        targets.put(first, to);
        if (here.weighted) weights.put(first, heavy);
        first += from.size();
        from.clear(), to.clear(), heavy.clear();
      };
      constexpr std::size_t at_a_time = 1 << 16;
      visit_edges(here, [&](std::uint64_t source, std::uint64_t target, float weight) {
        from.push_back(static_cast<std::int64_t>(source));
        to.push_back(static_cast<std::int64_t>(target));
        heavy.push_back(weight);
        if (from.size() == at_a_time) put();
      });
      put();
    });
    return edge_values{values<std::int64_t>::of(sources), values<std::int64_t>::of(targets),
                       values<float>::of(weights)};
  });
}

}  // namespace orujo::internal::python
