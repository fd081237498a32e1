#include "framework/graph/vertex_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "framework/graph/input_changes.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::graph {
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
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      made.push_back({"random", test_graphs::random_edges(seed, 400, 100 * seed, seed % 2 == 0), {}});
    return made;
  }();
  return graphs;
}

// Those of core c of n. The last core has none, where there are others.
edge_list edges_of_core(std::size_t graph, core_id c, int n) {
  if (n > 1 && c == n - 1) return {};
  return test_graphs::part_of_input(graphs_to_name()[graph], c, std::max(n - 1, 1)).mine;
}

// Its edges by the places of the names, as they are first used.
struct named_part {
  edge_list list;
  formats::name_table names;
};
named_part name_edges(edge_list list) {
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

  void add(const edge_list& list, auto name) {
    for (std::size_t k = 0; k < list.edges.size(); ++k)
      edges.push_back({{name(list.edges[k].source), name(list.edges[k].target)},
                       list.weights.empty() ? 1.f : list.weights[k]});
  }
  void sort() { std::sort(edges.begin(), edges.end()); }
};

by_names expected_of(const edge_list& list) {
  by_names all;
  all.add(list, name_of_id);
  std::map<std::string, int> seen;
  for (const auto& [ends, weight] : all.edges) seen[ends.first] = seen[ends.second] = 0;
  for (const auto& [name, nothing] : seen) all.names.push_back(name);
  all.sort();
  return all;
}

// [task; suspends; collective over the job] The same at every core.
by_names gathered_by_names(const edge_list& mine, const vertex_names& names) {
  by_names all;
  const formats::name_table every = names.part(0, names.count());
  for (std::size_t k = 0; k < every.size(); ++k) all.names.emplace_back(every[k]);
  const auto edges = loops::all_gather(mine.edges);
  const auto weights = loops::all_gather(mine.weights);
  for (std::size_t c = 0; c < edges.size(); ++c)
    all.add({edges[c], weights[c]}, [&](std::uint64_t place) { return all.names.at(place); });
  all.sort();
  return all;
}

TEST(vertex_names, are_positions_in_ascending_order) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    SCOPED_TRACE(graphs_to_name()[g].name);
    loops::on_all_cores([g] {
      named_part mine = name_edges(edges_of_core(g, my_core(), cores()));
      const auto names = position_names(mine.list, mine.names);
      const by_names expected = expected_of(graphs_to_name()[g].list);
      EXPECT_EQ(gathered_by_names(mine.list, *names), expected);
      ASSERT_EQ(names->count(), expected.names.size());
      const loops::index_range here = names->range_here();
      ASSERT_EQ(names->here().size(), here.last - here.first);
      for (std::uint64_t p = here.first; p < here.last; ++p)
        EXPECT_EQ(names->here()[p - here.first], expected.names[p]);
    });
  }
}

TEST(vertex_names, are_found_from_everywhere) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    loops::on_all_cores([g] {
      named_part mine = name_edges(edges_of_core(g, my_core(), cores()));
      const auto names = position_names(mine.list, mine.names);
      const std::vector<std::string> expected = expected_of(graphs_to_name()[g].list).names;
      const std::uint64_t count = names->count();
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, 8); ++k) {
        const std::uint64_t p = (k * 7919 + static_cast<std::uint64_t>(my_core()) * 31) % count;
        EXPECT_EQ(names->name(p), expected[p]);
        EXPECT_EQ(names->find(expected[p]), p);
        EXPECT_FALSE(names->find(expected[p] + "!"));
        const std::uint64_t last = std::min(count, p + 20 * k);
        const formats::name_table part = names->part(p, last);
        ASSERT_EQ(part.size(), last - p);
        for (std::uint64_t at = p; at < last; ++at) EXPECT_EQ(part[at - p], expected[at]);
      }
      EXPECT_FALSE(names->find(""));
      EXPECT_FALSE(names->find("\xff\xff\xff"));
      EXPECT_EQ(names->part(count, count).size(), 0u);
      loops::barrier();  // the last to look
    });
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

TEST(vertex_names, of_the_largest_component_are_kept) {
  for (std::size_t g = 0; g < graphs_to_name().size(); ++g) {
    if (graphs_to_name()[g].list.edges.empty()) continue;
    SCOPED_TRACE(graphs_to_name()[g].name);
    loops::on_all_cores([g] {
      constexpr input_changes changes = {.transpose = true, .largest_component = true};
      named_part part = name_edges(edges_of_core(g, my_core(), cores()));
      input_edges input;
      auto names = position_names(part.list, part.names);
      input.mine = std::move(part.list);
      set_names(input, std::move(names));
      change_input(input, changes);
      ASSERT_TRUE(input.names);

      // In another way: by ranks of names as ids.
      const edge_list& whole = graphs_to_name()[g].list;
      const std::vector<std::string> all = expected_of(whole).names;
      std::map<std::string, std::uint64_t> ranks;
      for (std::uint64_t rank = 0; const std::string& name : all) ranks[name] = rank++;
      input_edges serial;
      serial.mine = whole;
      for (edge& e : serial.mine.edges) e = {ranks[name_of_id(e.source)], ranks[name_of_id(e.target)]};
      change_serially(serial, changes);
      by_names expected;
      expected.add(serial.mine, [&](std::uint64_t rank) { return all[rank]; });
      expected.sort();
      std::map<std::string, int> left;
      for (const auto& [ends, weight] : expected.edges) left[ends.first] = left[ends.second] = 0;
      for (const auto& [name, nothing] : left) expected.names.push_back(name);
      EXPECT_EQ(gathered_by_names(input.mine, *input.names), expected);
      EXPECT_EQ(input.vertex_count, expected.names.size());
      loops::barrier();
    });
  }
}

}  // namespace
}  // namespace orujo::graph
