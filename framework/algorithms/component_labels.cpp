#include "framework/algorithms/component_labels.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "framework/graph/neighbours.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/exchange_by.hpp"
#include "system/loops/forall.hpp"

namespace orujo::algorithms {
namespace {

// A vertex, by number, and the label of its component.
struct labelled_vertex {
  std::uint64_t vertex, label;
};

// The vertices that cores have sent, and the edges between them. A core sends, for each vertex, its number,
// its out-degree, and the numbers of its out-neighbours.
struct small_graph {
  explicit small_graph(const std::vector<std::vector<std::uint64_t>>& sent) {
    const auto for_each_row = [&sent](const auto& visit) {
      for (const std::vector<std::uint64_t>& rows : sent) {
        for (std::size_t at = 0; at < rows.size(); at += 2 + rows[at + 1])
          visit(rows[at], std::span(rows).subspan(at + 2, rows[at + 1]));
      }
    };
    for_each_row([&](std::uint64_t vertex, std::span<const std::uint64_t>) { numbers.push_back(vertex); });
    CHECK(numbers.size() < std::numeric_limits<std::uint32_t>::max()) << numbers.size();
    containers::flat_table<std::uint64_t, std::uint32_t> places(numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      *places.find_or_insert(numbers[k]).first = static_cast<std::uint32_t>(k);
    for_each_row([&](std::uint64_t, std::span<const std::uint64_t> neighbours) {
      for (const std::uint64_t neighbour : neighbours) {
        if (const std::uint32_t* place = places.find(neighbour)) targets.push_back(*place);
      }
      firsts.push_back(targets.size());
    });
  }

  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> firsts = {0};
  std::vector<std::uint32_t> targets;
};

std::vector<std::uint64_t> rows_to_send(const graph::locale_graph& g, std::span<const std::uint64_t> labels) {
  std::vector<std::uint64_t> rows;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    if (labels[v] != no_component) continue;
    const graph::vertex vertex = graph::vertex_at(g, v);
    const graph::neighbour_row row = graph::out_neighbours(vertex);
    rows.insert(rows.end(), {vertex.number(), row.size()});
    for (const graph::adjacent_vertex& neighbour : row) rows.push_back(neighbour.number);
  }
  return rows;
}

std::vector<labelled_vertex> label_serially(const small_graph& whole) {
  const std::vector<std::uint32_t> roots = roots_of_components(whole.firsts, whole.targets);
  std::vector<labelled_vertex> found;
  found.reserve(roots.size());
  for (std::size_t k = 0; k < roots.size(); ++k) found.push_back({whole.numbers[k], whole.numbers[roots[k]]});
  return found;
}

// The smallest position of a component's vertices at a core, told to the core that owns the labelling member.
struct told_position {
  std::uint64_t label, position;
  core_id teller;
};

// [task; suspends; collective]
void label_mine_by_positions(const graph::locale_graph& g, std::span<std::uint64_t> labels) {
  const graph::core_part& mine = g.my_part();
  const std::uint64_t first = g.first_vertex + mine.first;
  std::vector<std::uint64_t> smallest;  // by own vertex, of the component that it labels
  for (std::uint32_t v = mine.first; v < mine.last; ++v) smallest.push_back(g.position_of(v));
  containers::flat_table<std::uint64_t, std::uint64_t> elsewhere;  // by label
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint64_t label = labels[v], position = g.position_of(v);
    if (label - first < smallest.size()) {
      smallest[label - first] = std::min(smallest[label - first], position);
    } else {
      const auto [entry, is_new] = elsewhere.find_or_insert(label);
      *entry = is_new ? position : std::min(*entry, position);
    }
  }
  std::vector<told_position> told;
  for (std::size_t slot = 0; slot < elsewhere.slots(); ++slot) {
    elsewhere.visit_slot(slot, [&](std::uint64_t label, std::uint64_t position) {
      told.push_back({label, position, my_core()});
    });
  }
  told = loops::exchange_by(told, [&g](const told_position& t) { return g.owners.owner(t.label); });
  for (const told_position& t : told)
    smallest[t.label - first] = std::min(smallest[t.label - first], t.position);
  for (told_position& t : told) t.position = smallest[t.label - first];
  const auto answers = loops::exchange_by(told, [](const told_position& t) { return t.teller; });
  for (const told_position& answer : answers) *elsewhere.find(answer.label) = answer.position;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint64_t label = labels[v];
    labels[v] = label - first < smallest.size() ? smallest[label - first] : *elsewhere.find(label);
  }
}

}  // namespace

std::vector<std::uint32_t> roots_of_components(std::span<const std::uint64_t> firsts,
                                               std::span<const std::uint32_t> targets) {
  const std::size_t vertices = firsts.size() - 1;
  constexpr std::uint32_t closed = ~std::uint32_t{0};
  // The smallest visit, from 1 on, of a vertex on `members` that this one is known to reach. 0: not visited;
  // `closed`: its component is complete.
  std::vector<std::uint32_t> lowest(vertices, 0), roots(vertices), members;
  struct visited {
    std::uint32_t vertex, visit;
    std::uint64_t next;  // edge
  };
  std::vector<visited> path;
  std::uint32_t visits = 0;
  const auto enter = [&](std::uint32_t v) {
    lowest[v] = ++visits;
    members.push_back(v);
    path.push_back({v, visits, firsts[v]});
  };
  const auto close = [&](std::uint32_t root) {
    for (std::uint32_t v = closed; v != root; members.pop_back()) {
      v = members.back();
      roots[v] = root;
      lowest[v] = closed;
    }
  };
  for (std::uint32_t start = 0; start < vertices; ++start) {
    if (lowest[start] != 0) continue;
    enter(start);
    while (!path.empty()) {
      visited& at = path.back();
      if (at.next < firsts[at.vertex + 1]) {
        const std::uint32_t target = targets[at.next++];
        if (lowest[target] == 0) {
          enter(target);
        } else {
          lowest[at.vertex] = std::min(lowest[at.vertex], lowest[target]);
        }
        continue;
      }
      const visited done = at;
      path.pop_back();
      if (lowest[done.vertex] == done.visit) close(done.vertex);
      if (!path.empty()) {
        std::uint32_t& before = lowest[path.back().vertex];
        before = std::min(before, lowest[done.vertex]);
      }
    }
  }
  return roots;
}

void label_at_core_0(graph::distributed_graph graph, graph::property<std::uint64_t> labels) {
  loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    const auto sent = loops::gather(rows_to_send(g, labels.here()), 0);
    const auto found = my_core() == 0 ? label_serially(small_graph(sent)) : std::vector<labelled_vertex>();
    const auto owner_of = [&g](const labelled_vertex& v) { return g.owners.owner(v.vertex); };
    for (const labelled_vertex& v : loops::exchange_by(found, owner_of))
      labels.here()[v.vertex - g.first_vertex] = v.label;
  });
}

void label_by_positions(graph::distributed_graph graph, graph::property<std::uint64_t> labels) {
  loops::on_all_cores([=] { label_mine_by_positions(graph.here(), labels.here()); });
}

}  // namespace orujo::algorithms
