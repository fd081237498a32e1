#include "framework/graph/look_up.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "framework/graph/kept_forms.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/base/check.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::graph {
namespace {

struct answer {
  bool found;
  std::uint64_t number;
};

// For ids that exceed positions by one number.
answer find_by_position(const locale_graph& g, std::uint64_t id) {
  if (id - g.first_id >= g.vertices) return {false, 0};
  return {true, g.numbers.number(id - g.first_id)};
}

// By bisection of the positions, whose ids ascend. The calling core knows the ids of its own vertices only.
// In most orders few positions lie between two of these.
answer find_in_order(const locale_graph& g, std::uint64_t id) {
  const core_part& part = g.my_part();
  const auto local_of = [&](std::uint64_t position) { return g.numbers.number(position) - g.first_vertex; };
  const auto is_mine = [&](std::uint64_t position) {
    return local_of(position) - part.first < part.last - part.first;
  };
  std::uint64_t first = 0, last = g.vertices;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    std::uint64_t at = middle;
    while (at < last && !is_mine(at)) ++at;
    if (at == last || g.external_ids[local_of(at)] > id) {
      last = middle;
    } else if (g.external_ids[local_of(at)] == id) {
      return {true, g.numbers.number(at)};
    } else {
      first = at + 1;
    }
  }
  return {false, 0};
}

// Among the calling core's, at least.
answer find_here(const locale_graph& g, std::uint64_t id) {
  if (g.own == 0) return {false, 0};
  if (g.external_ids.empty()) return find_by_position(g, id);
  if (!g.numbers.is_identity()) return find_in_order(g, id);
  const core_part& part = g.my_part();
  const auto first = g.external_ids.begin() + part.first, last = g.external_ids.begin() + part.last;
  const auto at = std::lower_bound(first, last, id);
  return {at != last && *at == id, g.first_vertex + static_cast<std::uint64_t>(at - g.external_ids.begin())};
}

core_id owner_of(const locale_graph& g, std::uint64_t number) {
  require(number < g.vertices, "a number that no vertex of the graph has is looked up");
  return g.owners.owner(number);
}

void require_rows(const locale_graph& g, bool outwards, std::string_view who) {
  require_forms(g, {.in_rows = !outwards, .out_rows = outwards, .in_arrays = false}, who);
}

// [at the owner] The row of the vertex of this number.
neighbour_row row_of(const locale_graph& g, std::uint64_t number, bool outwards) {
  return {g, outwards ? *g.out_rows : *g.in_rows, static_cast<std::uint32_t>(number - g.first_vertex)};
}

std::vector<adjacent_vertex> neighbours(distributed_graph graph, std::uint64_t number, bool outwards) {
  const core_id owner = owner_of(graph.here(), number);
  const std::uint64_t size =
      delegates::call(owner, [=] { return row_of(graph.here(), number, outwards).size(); });
  std::vector<adjacent_vertex> all(size);
  const memory::global_address<adjacent_vertex> to(my_core(), all.data());
  delegates::completion_event done;
  delegates::async_spawn(done.ref(), owner, [=] {
    std::vector<adjacent_vertex> found;
    for (const adjacent_vertex& one : row_of(graph.here(), number, outwards)) found.push_back(one);
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

neighbour_row out_neighbours(const vertex& v) {
  require_rows(*v.part, true, "out_neighbours:");
  return {*v.part, *v.part->out_rows, v.local};
}
neighbour_row in_neighbours(const vertex& v) {
  require_rows(*v.part, false, "in_neighbours:");
  return {*v.part, *v.part->in_rows, v.local};
}

std::vector<adjacent_vertex> out_neighbours(distributed_graph graph, std::uint64_t number) {
  require_rows(graph.here(), true, "out_neighbours:");
  return neighbours(graph, number, true);
}
std::vector<adjacent_vertex> in_neighbours(distributed_graph graph, std::uint64_t number) {
  require_rows(graph.here(), false, "in_neighbours:");
  return neighbours(graph, number, false);
}

bool has_edge(distributed_graph graph, std::uint64_t source, std::uint64_t target) {
  const bool outwards = graph.here().out_rows != nullptr;
  if (!outwards) require_rows(graph.here(), false, "has_edge:");
  const std::uint64_t at = outwards ? source : target, other = outwards ? target : source;
  owner_of(graph.here(), other);
  return delegates::call(owner_of(graph.here(), at), [=] {
    const neighbour_row row = row_of(graph.here(), at, outwards);
    std::uint64_t first = 0, last = row.size();
    while (first < last) {
      const std::uint64_t middle = first + (last - first) / 2;
      row[middle].number < other ? first = middle + 1 : last = middle;
    }
    return first < row.size() && row[first].number == other;
  });
}

}  // namespace orujo::internal::graph
