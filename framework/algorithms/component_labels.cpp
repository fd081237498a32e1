#include "framework/algorithms/component_labels.hpp"

#include <glog/logging.h>

#include <algorithm>

#include "framework/graph/neighbours.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::algorithms {
namespace {

// In close_components: what is known of a vertex whose component is complete.
constexpr std::uint32_t closed = ~std::uint32_t{0};

// Tarjan's algorithm, without recursion. Vertex v has the edges firsts[v] .. firsts[v + 1] - 1. `lowest` is 0
// for each vertex, or `closed` if its component is known. Calls close(members) with each component of the
// others, and goes_on() at first and every 65,536 vertices; returns false if that does.
template <class Target, class Close, class GoesOn>
bool close_components(std::span<const std::uint64_t> firsts, const Target& target_of,
                      const machine::huge_array<std::uint32_t>& lowest, const Close& close,
                      const GoesOn& goes_on) {
  // lowest[v]: the smallest visit, from 1 on, of a vertex on `members` that v is known to reach.
  struct visited {
    std::uint32_t vertex, visit;
    std::uint32_t next;  // of its edges
  };
  const machine::huge_array<visited> path(lowest.size());
  const machine::huge_array<std::uint32_t> members(lowest.size());
  std::size_t length = 0, open = 0;
  std::uint32_t visits = 0;
  if (!goes_on()) return false;
  const auto enter = [&](std::uint32_t v) {
    lowest[v] = ++visits;
    members[open++] = v;
    path[length++] = {v, visits, 0};
  };
  for (std::uint32_t start = 0; start < lowest.size(); ++start) {
    if (lowest[start] != 0) continue;
    enter(start);
    while (length > 0) {
      visited& at = path[length - 1];
      const std::uint64_t edge = firsts[at.vertex] + at.next;
      if (edge < firsts[at.vertex + 1]) {
        ++at.next;
        const std::uint32_t target = target_of(edge);
        if (edge + 1 < firsts[at.vertex + 1]) {  // saves a quarter of the time of random acyclic graphs
          const std::uint32_t following = target_of(edge + 1);
          __builtin_prefetch(&lowest[following]);
          __builtin_prefetch(&firsts[following]);
        }
        if (lowest[target] == 0) {
          enter(target);
          if (visits % 65536 == 0 && !goes_on()) return false;
        } else {
          lowest[at.vertex] = std::min(lowest[at.vertex], lowest[target]);
        }
        continue;
      }
      const visited done = at;
      --length;
      const std::uint32_t reached = lowest[done.vertex];
      if (reached == done.visit) {
        const std::size_t last = open;
        do {
          lowest[members[--open]] = closed;
        } while (members[open] != done.vertex);
        close(std::span<const std::uint32_t>(members.part(open, last)));
      } else {  // the path goes on below: the component has a smaller visit
        std::uint32_t& before = lowest[path[length - 1].vertex];
        before = std::min(before, reached);
      }
    }
  }
  return true;
}

// [task at core 0 of the only locale] Labels in place, by label_of(members).
template <class LabelOf>
bool label_in_place(const graph::locale_graph& g, std::span<std::uint64_t> labels,
                    const machine::huge_array<std::uint32_t>& lowest, const LabelOf& label_of,
                    loops::stop_flag stop) {
  return close_components(
      {g.out_rows->offsets.data(), lowest.size() + 1},
      [edges = g.out_rows->any_form()](std::uint64_t edge) { return edges.neighbour(edge); }, lowest,
      [&](std::span<const std::uint32_t> members) {
        const std::uint64_t label = label_of(members);
        for (const std::uint32_t v : members) labels[v] = label;
      },
      [stop] {
        tasks::yield();
        return !stop.is_set();
      });
}

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
  by_core<std::vector<std::uint64_t>> found(cores());
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
  const machine::huge_array<std::uint32_t> lowest(firsts.size() - 1);
  std::vector<std::uint32_t> roots(lowest.size());
  close_components(
      firsts, [targets](std::uint64_t edge) { return targets[edge]; }, lowest,
      [&roots](std::span<const std::uint32_t> members) {
        for (const std::uint32_t v : members) roots[v] = members.front();
      },
      [] { return true; });
  return roots;
}

bool label_locale(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                  loops::stop_flag stop) {
  const graph::locale_graph& g = graph.here();
  const machine::huge_array<std::uint32_t> lowest(labels.here().size());
  return label_in_place(
      g, labels.here(), lowest,
      [&g](std::span<const std::uint32_t> members) {
        std::uint64_t smallest = no_component;
        for (const std::uint32_t v : members) smallest = std::min(smallest, g.position_of(v));
        return smallest;
      },
      stop);
}

bool label_at_core_0(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                     loops::stop_flag stop) {
  if (locales() == 1) {
    const std::span<std::uint64_t> all = labels.here();
    const machine::huge_array<std::uint32_t> lowest(all.size());
    for (std::size_t v = 0; v < all.size(); ++v) lowest[v] = all[v] == no_component ? 0 : closed;
    return label_in_place(
        graph.here(), all, lowest, [](std::span<const std::uint32_t> members) { return members.front(); },
        stop);
  }
  const auto places = graph::property<std::uint32_t>::create(graph);
  loops::on_all_cores([=] { label_mine_at_core_0(graph, labels.here(), places); });
  places.destroy();
  return true;
}

void label_by_positions(graph::distributed_graph graph, graph::property<std::uint64_t> labels) {
  loops::on_all_cores([=] { label_mine_by_positions(graph.here(), labels.here()); });
}

}  // namespace orujo::internal::algorithms
