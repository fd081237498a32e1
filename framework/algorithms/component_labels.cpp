#include "framework/algorithms/component_labels.hpp"

#include <glog/logging.h>

#include <algorithm>

#include "framework/graph/neighbours.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/forall.hpp"

namespace orujo::algorithms {
namespace {

// The vertices without a label at one core, or at all, in the order of their numbers.
struct rows {
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint32_t> degrees;
  std::vector<std::uint32_t> targets;  // by place among the vertices of all cores
};

constexpr std::uint32_t no_place = ~std::uint32_t{0};

// [task; suspends; collective] Returns the calling core's vertices, and their edges to vertices without a
// label.
rows open_rows(graph::distributed_graph graph, std::span<const std::uint64_t> labels,
               graph::property<std::uint32_t> places) {
  const graph::locale_graph& g = graph.here();
  const graph::core_part& mine = g.my_part();
  const auto is_open = [labels](std::uint32_t v) { return labels[v] == no_component; };
  rows open;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    if (is_open(v)) open.numbers.push_back(g.number_of(v));
  }
  const std::uint64_t before = collectives::exclusive_scan(std::uint64_t{open.numbers.size()});
  CHECK(before + open.numbers.size() < no_place) << before;
  auto place = static_cast<std::uint32_t>(before);
  std::vector<std::uint64_t> neighbours;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    places.here()[v] = is_open(v) ? place++ : no_place;
    if (!is_open(v)) continue;
    const graph::neighbour_row row = graph::out_neighbours(graph::vertex_at(g, v));
    for (const graph::adjacent_vertex& neighbour : row) neighbours.push_back(neighbour.number);
    open.degrees.push_back(static_cast<std::uint32_t>(row.size()));
  }
  collectives::barrier();
  std::vector<std::uint32_t> found(neighbours.size());
  graph::gather_values(graph, places, neighbours, std::span(found));
  std::size_t next = 0;
  for (std::uint32_t& degree : open.degrees) {
    const std::size_t targets = open.targets.size(), last = next + degree;
    for (; next < last; ++next) {
      if (found[next] != no_place) open.targets.push_back(found[next]);
    }
    degree = static_cast<std::uint32_t>(open.targets.size() - targets);
  }
  return open;
}

// The labels of each core's vertices, from rows by core.
std::vector<std::vector<std::uint64_t>> label_serially(
    const std::vector<std::vector<std::uint64_t>>& numbers,
    const std::vector<std::vector<std::uint32_t>>& degrees,
    const std::vector<std::vector<std::uint32_t>>& targets) {
  std::vector<std::uint64_t> all_numbers, firsts = {0};
  std::vector<std::uint32_t> all_targets;
  for (std::size_t core = 0; core < numbers.size(); ++core) {
    all_numbers.insert(all_numbers.end(), numbers[core].begin(), numbers[core].end());
    all_targets.insert(all_targets.end(), targets[core].begin(), targets[core].end());
    for (const std::uint32_t degree : degrees[core]) firsts.push_back(firsts.back() + degree);
  }
  const std::vector<std::uint32_t> roots = roots_of_components(firsts, all_targets);
  std::vector<std::vector<std::uint64_t>> labels;
  auto root = roots.begin();
  for (const std::vector<std::uint64_t>& of_core : numbers) {
    labels.emplace_back();
    for (std::size_t k = 0; k < of_core.size(); ++k) labels.back().push_back(all_numbers[*root++]);
  }
  return labels;
}

// [task; suspends; collective]
void label_mine_at_core_0(graph::distributed_graph graph, std::span<std::uint64_t> labels,
                          graph::property<std::uint32_t> places) {
  std::vector<std::vector<std::uint64_t>> found(static_cast<std::size_t>(cores()));
  {
    const rows open = open_rows(graph, labels, places);
    const auto numbers = collectives::gather(open.numbers, 0);
    const auto degrees = collectives::gather(open.degrees, 0);
    const auto targets = collectives::gather(open.targets, 0);
    if (my_core() == 0) found = label_serially(numbers, degrees, targets);
  }
  found = collectives::all_to_all(found);
  const graph::core_part& mine = graph.here().my_part();
  auto label = found.front().begin();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    if (labels[v] == no_component) labels[v] = *label++;
  }
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
  for (std::uint32_t v = mine.first; v < mine.last; ++v) smallest.push_back(~std::uint64_t{0});
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
  told = collectives::exchange_by(told, [&g](const told_position& t) { return g.owners.owner(t.label); });
  for (const told_position& t : told)
    smallest[t.label - first] = std::min(smallest[t.label - first], t.position);
  for (told_position& t : told) t.position = smallest[t.label - first];
  const auto answers = collectives::exchange_by(told, [](const told_position& t) { return t.teller; });
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
  // The smallest visit, from 1 on, of a vertex on `members` that this one is known to reach. It is 0 before
  // the vertex is visited, and `closed` when its component is complete.
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
  const auto places = graph::property<std::uint32_t>::create(graph);
  loops::on_all_cores([=] { label_mine_at_core_0(graph, labels.here(), places); });
  places.destroy();
}

void label_by_positions(graph::distributed_graph graph, graph::property<std::uint64_t> labels) {
  loops::on_all_cores([=] { label_mine_by_positions(graph.here(), labels.here()); });
}

}  // namespace orujo::algorithms
