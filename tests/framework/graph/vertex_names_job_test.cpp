#include "framework/graph/vertex_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "framework/graph/build/input_changes.hpp"
#include "framework/graph/build/position_names.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::graph {
namespace {

// The edges of a test graph between names, some of which begin alike.
std::string name_of_id(std::uint64_t id) {
  std::string name = id % 3 == 0 ? "a_common_beginning-" : "";
  for (std::uint64_t rest = id * 2654435761u % 100'003; rest > 0; rest /= 7) name += "abc\xffxyz"[rest % 7];
  return name + "." + std::to_string(id);
}

const std::vector<test_graphs::test_graph>& graphs_to_name() {
  static const std::vector<test_graphs::test_graph> graphs = [] {
    std::vector<test_graphs::test_graph> made = test_graphs::all();
    for (std::uint64_t seed = 1; seed <= (sanitized ? 1 : 4); ++seed)
      made.push_back({"random", test_graphs::random_edges(seed, 400, 100 * seed, seed % 2 == 0), {}});
    return made;
  }();
  return graphs;
}

std::vector<std::string> texts_of(const formats::name_table& names) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < names.size(); ++k) texts.emplace_back(names[k]);
  return texts;
}

// Some consecutive ones.
std::vector<std::string> part_of(const std::vector<std::string>& texts, std::uint64_t first,
                                 std::uint64_t last) {
  return {texts.begin() + static_cast<std::ptrdiff_t>(first),
          texts.begin() + static_cast<std::ptrdiff_t>(last)};
}

// The edges of core c of n. The last of several cores has none.
formats::edge_list edges_of_core(std::size_t graph, core_id c, int n) {
  if (n > 1 && c == n - 1) return {};
  return test_graphs::part_of_input(graphs_to_name()[graph], c, std::max(n - 1, 1)).mine;
}

// Its edges by the places of the names, as they are first used.
struct named_part {
  formats::edge_list list;
  formats::name_table names;
};
named_part name_edges(formats::edge_list list) {
  formats::name_set names;
  for (edge& e : list.edges) {
    const std::uint64_t source = names.number_of(name_of_id(e.source));
    e = {source, names.number_of(name_of_id(e.target))};
  }
  return {std::move(list), std::move(names).table()};
}

// Everything by names: those of the vertices, ascending, and the edges, sorted.
struct by_names {
  using line = std::pair<std::pair<std::string, std::string>, float>;
  std::vector<std::string> names;
  std::vector<line> edges;
  friend bool operator==(const by_names&, const by_names&) = default;

  void add(const formats::edge_list& list, auto name) {
    for (std::size_t k = 0; k < list.edges.size(); ++k)
      edges.push_back({{name(list.edges[k].source), name(list.edges[k].target)},
                       list.weights.empty() ? 1.f : list.weights[k]});
  }
  void sort() { std::sort(edges.begin(), edges.end()); }
};

by_names expected_of(const formats::edge_list& list) {
  by_names all;
  all.add(list, name_of_id);
  std::map<std::string, int> seen;
  for (const auto& [ends, weight] : all.edges) seen[ends.first] = seen[ends.second] = 0;
  for (const auto& [name, nothing] : seen) all.names.push_back(name);
  all.sort();
  return all;
}

// [task; suspends; collective over the job] The same at every core.
by_names gathered_by_names(const formats::edge_list& mine, const vertex_names& names) {
  by_names all;
  all.names = texts_of(names.part(0, names.count()));
  const auto edges = collectives::all_gather(mine.edges);
  const auto weights = collectives::all_gather(mine.weights);
  for (std::size_t c = 0; c < edges.size(); ++c)
    all.add({edges[c], weights[c]}, [&](std::uint64_t place) { return all.names.at(place); });
  all.sort();
  return all;
}

// [task; suspends] Number of cores whose check() is false. The names that they compare stay until the last is
// done.
template <class Check>
int cores_that_fail(Check check) {
  int failing = -1;
  loops::on_all_cores([check, to = at_home(failing)] {
    const int all = collectives::all_reduce(check() ? 0 : 1);
    if (my_core() == 0) *to = all;
  });
  return failing;
}

TEST(vertex_names, are_positions_in_ascending_order) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    const int failing = cores_that_fail([g] {
      named_part mine = name_edges(edges_of_core(g, my_core(), cores()));
      const auto names = position_names(mine.list, mine.names);
      const by_names expected = expected_of(graphs_to_name()[g].list);
      const index_range here = names->range_here();
      return gathered_by_names(mine.list, *names) == expected &&
             texts_of(names->here()) == part_of(expected.names, here.first, here.last);
    });
    EXPECT_EQ(failing, 0) << graphs_to_name()[g].name;
  }
}

// In no order, some of them twice.
bool finds_some(const vertex_names& names, const std::vector<std::string>& expected) {
  std::vector<std::uint64_t> positions;
  std::vector<std::string> those;
  for (std::size_t k = 0; k < 2 * expected.size(); k += 3) {
    positions.push_back(k * 7919 % expected.size());
    those.push_back(expected[positions.back()]);
  }
  return texts_of(names.at(positions)) == those && names.at({}).size() == 0;
}

// Some names from the p-th on, one that there is and ones that there are not.
bool finds_names(const vertex_names& names, const std::vector<std::string>& expected, std::uint64_t p,
                 std::uint64_t some) {
  const std::uint64_t last = std::min<std::uint64_t>(expected.size(), p + some);
  return names.name(p) == expected[p] && names.find(expected[p]) == p && !names.find(expected[p] + "!") &&
         texts_of(names.part(p, last)) == part_of(expected, p, last);
}

TEST(vertex_names, are_found_from_everywhere) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    const int failing = cores_that_fail([g] {
      named_part mine = name_edges(edges_of_core(g, my_core(), cores()));
      const auto names = position_names(mine.list, mine.names);
      const std::vector<std::string> expected = expected_of(graphs_to_name()[g].list).names;
      const std::uint64_t count = names->count();
      bool right = count == expected.size() && !names->find("") && !names->find("\xff\xff\xff") &&
                   names->part(count, count).size() == 0 && finds_some(*names, expected);
      for (std::uint64_t k = 0; right && k < std::min<std::uint64_t>(count, 8); ++k)
        right = finds_names(*names, expected, (k * 7919 + static_cast<std::uint64_t>(my_core()) * 31) % count,
                            20 * k);
      collectives::barrier();
      return right;
    });
    EXPECT_EQ(failing, 0) << graphs_to_name()[g].name;
  }
}

TEST(vertex_names, are_the_same_by_one_reader) {
  for (const test_graphs::test_graph& whole : graphs_to_name()) {
    named_part all = name_edges(whole.list);
    position_names_serially(all.list, all.names);
    const by_names expected = expected_of(whole.list);
    by_names got{expected.names, {}};
    got.add(all.list, [&](std::uint64_t place) { return expected.names.at(place); });
    got.sort();
    EXPECT_EQ(got, expected) << whole.name;
  }
}

// The largest component of the reversed edges, in another way: with ranks of names as ids.
by_names largest_component_of(const formats::edge_list& whole) {
  const std::vector<std::string> all = expected_of(whole).names;
  std::map<std::string, std::uint64_t> ranks;
  for (std::uint64_t rank = 0; const std::string& name : all) ranks[name] = rank++;
  input_edges serial;
  serial.mine = whole;
  for (edge& e : serial.mine.edges) e = {ranks[name_of_id(e.source)], ranks[name_of_id(e.target)]};
  change_serially(serial, {.transpose = true, .largest_component = true});
  by_names found;
  found.add(serial.mine, [&](std::uint64_t rank) { return all[rank]; });
  found.sort();
  std::map<std::string, int> left;
  for (const auto& [ends, weight] : found.edges) left[ends.first] = left[ends.second] = 0;
  for (const auto& [name, nothing] : left) found.names.push_back(name);
  return found;
}

TEST(vertex_names, of_the_largest_component_are_kept) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    if (graphs_to_name()[g].list.edges.empty()) continue;
    const int failing = cores_that_fail([g] {
      named_part part = name_edges(edges_of_core(g, my_core(), cores()));
      input_edges input;
      auto names = position_names(part.list, part.names);
      input.mine = std::move(part.list);
      set_names(input, std::move(names));
      change_input(input, {.transpose = true, .largest_component = true});
      const by_names expected = largest_component_of(graphs_to_name()[g].list);
      return gathered_by_names(input.mine, *input.names) == expected &&
             input.vertex_count == expected.names.size();
    });
    EXPECT_EQ(failing, 0) << graphs_to_name()[g].name;
  }
}

}  // namespace
}  // namespace orujo::internal::graph
