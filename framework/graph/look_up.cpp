#include "framework/graph/look_up.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "framework/graph/vertex_names.hpp"
#include "system/base/check.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::graph {
namespace {

struct answer {
  bool found;
  std::uint64_t number;
};

// Where ids are larger than positions by one number.
answer find_by_position(const locale_graph& g, std::uint64_t id) {
  if (id - g.first_id >= g.vertices) return {false, 0};
  return {true, g.numbers.number(id - g.first_id)};
}

// Among the calling core's, at least.
answer find_here(const locale_graph& g, std::uint64_t id) {
  if (g.own == 0) return {false, 0};
  if (g.external_ids.empty()) return find_by_position(g, id);
  const core_part& part = g.my_part();
  const auto first = g.external_ids.begin() + part.first, last = g.external_ids.begin() + part.last;
  const auto at = g.numbers.is_identity() ? std::lower_bound(first, last, id) : std::find(first, last, id);
  return {at != last && *at == id, g.first_vertex + static_cast<std::uint64_t>(at - g.external_ids.begin())};
}

core_id owner_of(const locale_graph& g, std::uint64_t number) {
  require(number < g.vertices, "a number that no vertex of the graph has is looked up");
  return g.owners.owner(number);
}

// A row where it lies; the pointers are valid in its process only.
struct row {
  const std::uint32_t* neighbours;
  const float* weights;  // or null
  const arc* arcs;       // instead of both
  std::uint64_t size;
};
row row_of(const adjacency* rows, std::uint32_t vertex) {
  require(rows != nullptr,
          "neighbours are looked up in a graph that does not keep their rows: load it with "
          "edge_forms.in_rows or out_rows");
  const std::uint64_t first = rows->offsets[vertex];  // NOLINT(clang-analyzer-core.CallAndMessage): required
  return {rows->neighbours.data() + first, rows->weights.size() != 0 ? rows->weights.data() + first : nullptr,
          rows->arcs.size() != 0 ? rows->arcs.data() + first : nullptr, rows->degree(vertex)};
}

template <std::shared_ptr<adjacency> locale_graph::*Rows>
std::vector<adjacent_vertex> neighbours(distributed_graph graph, std::uint64_t number) {
  const core_id owner = owner_of(graph.here(), number);
  const std::uint64_t size = delegates::call(owner, [graph, number] {
    const locale_graph& g = graph.here();
    return row_of((g.*Rows).get(), static_cast<std::uint32_t>(number - g.first_vertex)).size;
  });
  std::vector<adjacent_vertex> all(size);
  const memory::global_address<adjacent_vertex> to(my_core(), all.data());
  delegates::completion_event done;
  delegates::async_spawn(done.ref(), owner, [graph, number, to] {
    const locale_graph& g = graph.here();
    const row r = row_of((g.*Rows).get(), static_cast<std::uint32_t>(number - g.first_vertex));
    std::vector<adjacent_vertex> found(r.size);
    for (std::uint64_t k = 0; k < r.size; ++k) {
      found[k] = r.arcs ? adjacent_vertex{g.number_of(r.arcs[k].neighbour), r.arcs[k].weight}
                        : adjacent_vertex{g.number_of(r.neighbours[k]), r.weights ? r.weights[k] : 1.0f};
    }
    std::sort(found.begin(), found.end());
    if (!found.empty()) delegates::put(to, std::span<const adjacent_vertex>(found));
  });
  done.wait();
  return all;
}

}  // namespace

std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::uint64_t id) {
  for (core_id c = 0; c < cores(); ++c) {
    const answer told = delegates::call(c, [=] { return find_here(graph.here(), id); });
    if (told.found) return told.number;
  }
  return {};
}

std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::string_view name) {
  const locale_graph& g = graph.here();
  if (!g.names) return {};
  const std::optional<std::uint64_t> position = g.names->find(name);
  if (!position) return {};
  return g.numbers.number(*position);
}

std::vector<adjacent_vertex> out_neighbours(distributed_graph graph, std::uint64_t number) {
  return neighbours<&locale_graph::out_rows>(graph, number);
}
std::vector<adjacent_vertex> in_neighbours(distributed_graph graph, std::uint64_t number) {
  return neighbours<&locale_graph::in_rows>(graph, number);
}

bool has_edge(distributed_graph graph, std::uint64_t source, std::uint64_t target) {
  const bool outwards = graph.here().out_rows != nullptr;
  const std::uint64_t at = outwards ? source : target, other = outwards ? target : source;
  owner_of(graph.here(), other);
  return delegates::call(owner_of(graph.here(), at), [=] {
    const locale_graph& g = graph.here();
    const row r =
        row_of((outwards ? g.out_rows : g.in_rows).get(), static_cast<std::uint32_t>(at - g.first_vertex));
    for (std::uint64_t k = 0; k < r.size; ++k) {
      if (g.number_of(r.arcs ? r.arcs[k].neighbour : r.neighbours[k]) == other) return true;
    }
    return false;
  });
}

}  // namespace orujo::graph
