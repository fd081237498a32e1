// Programs whose vertices take one contribution each.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/serial_levels.hpp"

namespace orujo::internal::gas {
namespace {

using test_graphs::expected_graph;

constexpr std::uint32_t none = ~0u;

// The vertices that contribute when they are reached: all, or all but one in three.
bool speaks(std::uint64_t number, bool all_speak) { return all_speak || number % 3 != 1; }

// Levels and parents; every `apart`-th vertex starts.
struct place_of_search {
  std::uint32_t level, parent, times_reached;
};
struct places_of_search {
  static constexpr auto combine = any{};
  struct aggregate {
    std::uint64_t reached = 0;
    void operator+=(const aggregate& other) { reached += other.reached; }
  };
  bool starts(const vertex& v) const { return v.number() % apart == 0; }
  void set_out(const vertex& v, aggregate& sums) const {
    places[v] = {starts(v) ? 0 : none, none, 0};
    sums.reached += starts(v) ? 1 : 0;
  }
  bool next(int superstep, const aggregate& last) {
    level = static_cast<std::uint32_t>(superstep) + 1;
    reached += last.reached;
    return true;
  }
  bool reach(const vertex& v, std::uint64_t from, aggregate& sums) const {
    place_of_search& mine = places[v];
    mine = {level, static_cast<std::uint32_t>(from), mine.times_reached + 1};
    ++sums.reached;
    return speaks(v.number(), all_speak);
  }

  property<place_of_search> places;
  std::uint64_t apart;
  bool all_speak;
  std::uint32_t level = 0;
  std::uint64_t reached = 0;
};

// By the numbers that vertices show.
struct numbered_levels : places_of_search {
  using value = std::uint32_t;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate& sums) {
    set_out(v, sums);
    return static_cast<value>(v.number());  // also of those that say nothing yet
  }
  bool apply(const vertex& v, value from, value& shown, aggregate& sums) {
    shown = static_cast<value>(v.number());
    return reach(v, from, sums);
  }
};

// The same search by sources.
struct levels_by_sources : places_of_search {
  using value = source;
  void start(const vertex& v, aggregate& sums) { set_out(v, sums); }
  bool apply(const vertex& v, const source& from, aggregate& sums) { return reach(v, from.number(), sums); }
};

std::vector<std::uint32_t> serial_levels(const expected_graph& graph, std::uint64_t apart, bool all_speak) {
  std::vector<std::uint32_t> level(graph.ids.size(), none);
  for (std::size_t v = 0; v < level.size(); v += apart) level[v] = 0;
  for (std::uint32_t now = 0;; ++now) {
    bool more = false;
    for (const auto& e : graph.edges) {
      if (level[e.source] != now || level[e.target] != none) continue;
      if (now > 0 && !speaks(e.source, all_speak)) continue;
      level[e.target] = now + 1;
      more = true;
    }
    if (!more) return level;
  }
}

template <class Program>
void expect_levels(graph::distributed_graph graph, const expected_graph& expected, std::uint64_t apart,
                   bool all_speak, const steps::direction_options& direction) {
  const auto places = property<place_of_search>::create(graph);
  Program program{{places, apart, all_speak}};
  const run_report report = run(program, graph, {.direction = direction});
  const auto right = serial_levels(expected, apart, all_speak);
  const auto found = test_graphs::by_vertex_number(places);
  ASSERT_EQ(found.size(), right.size());
  std::uint64_t reached = 0;
  std::uint32_t last = 0;
  for (std::size_t v = 0; v < right.size(); ++v) {
    ASSERT_EQ(found[v].level, right[v]) << v;
    if (right[v] == none) continue;
    ++reached;
    last = std::max(last, right[v]);
    ASSERT_EQ(found[v].times_reached, right[v] == 0 ? 0u : 1u) << v;
    if (right[v] == 0) continue;
    const std::uint32_t parent = found[v].parent;
    ASSERT_LT(parent, right.size());
    EXPECT_EQ(right[parent] + 1, right[v]) << v;
    EXPECT_TRUE(right[parent] == 0 || speaks(parent, all_speak));
    EXPECT_TRUE(std::any_of(expected.edges.begin(), expected.edges.end(),
                            [&](const auto& e) { return e.source == parent && e.target == v; }));
  }
  // next() does not see the sums of a superstep after which no vertex is active.
  if (all_speak) {
    EXPECT_EQ(program.reached, reached);
  }
  if (direction.wanted == steps::direction::push) {
    EXPECT_EQ(report.pushed, report.supersteps);
  }
  if (direction.wanted == steps::direction::pull) {
    EXPECT_EQ(report.pushed, 0);
  }
  if (reached > 0) {
    EXPECT_GE(report.supersteps, static_cast<int>(last));
  }
  places.destroy();
}

template <class Program>
void expect_levels_of_all(const std::vector<steps::direction_options>& directions) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const std::string& name = test_graphs::all()[g].name;
    if (name == "random_larger") continue;  // its parents would be searched among all edges
    for (const bool symmetrize : {false, true}) {
      graph::build_options options{.symmetrize = symmetrize};
      options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
      const graph::distributed_graph graph = test_graphs::build(g, options);
      const expected_graph expected(test_graphs::all()[g], options);
      for (const steps::direction_options& direction : directions) {
        for (const bool all_speak : {false, true}) {  // otherwise some are silent in one run
          SCOPED_TRACE(testing::Message() << name << (symmetrize ? ", symmetrized" : "")
                                          << (all_speak ? "" : ", some are silent"));
          expect_levels<Program>(graph, expected, 1'000'000'007, all_speak, direction);
          if (name != "path") expect_levels<Program>(graph, expected, 97, all_speak, direction);
        }
      }
      graph.destroy();
    }
  }
}

TEST(searching_program, reaches_by_pushing_what_a_serial_search_reaches) {
  expect_levels_of_all<numbered_levels>({{.wanted = steps::direction::push}});
}
TEST(searching_program, reaches_by_pulling_what_a_serial_search_reaches) {
  expect_levels_of_all<numbered_levels>({{.wanted = steps::direction::pull}});
}
TEST(searching_program, reaches_in_any_direction_what_a_serial_search_reaches) {
  // The latter changes it whenever it can.
  expect_levels_of_all<numbered_levels>({{}, {.search_alpha = 1e9}});
}
TEST(program_of_sources, reaches_by_pushing_what_a_serial_search_reaches) {
  expect_levels_of_all<levels_by_sources>({{.wanted = steps::direction::push}});
}
TEST(program_of_sources, reaches_by_pulling_what_a_serial_search_reaches) {
  expect_levels_of_all<levels_by_sources>({{.wanted = steps::direction::pull}});
}
TEST(program_of_sources, reaches_in_any_direction_what_a_serial_search_reaches) {
  expect_levels_of_all<levels_by_sources>({{}, {.search_alpha = 1e9}});
}

// The moment of a visit does not matter, so that one core can go through small frontiers alone. Distances are
// floats, and every vertex may send.
struct nearest {
  using value = float;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown + V{1};
  }
  bool starts(const vertex& v) const { return v.number() == 0; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex&, value distance, value& shown, aggregate&) {
    shown = distance;
    return true;
  }
};

TEST(searching_program, leaves_what_vertices_show) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    graph::build_options options{.symmetrize = true};
    options.keep = forms_for<nearest>();
    const graph::distributed_graph graph = test_graphs::build(g, options);
    const auto shown = property<float>::create(graph);
    nearest program;
    const run_report report = run(program, graph, shown);
    EXPECT_TRUE(report.ended);
    const auto right = serial_levels(expected_graph(test_graphs::all()[g], options), 1'000'000'007, true);
    const auto found = test_graphs::by_vertex_number(shown);
    for (std::size_t v = 0; v < right.size(); ++v) {
      ASSERT_EQ(found[v], right[v] == none ? any::identity<float>() : static_cast<float>(right[v]))
          << test_graphs::all()[g].name << " " << v;
    }
    nearest again;
    const run_report cut = run(again, graph, {.most_supersteps = 2});
    SCOPED_TRACE(test_graphs::all()[g].name);
    EXPECT_EQ(cut.supersteps, std::min(report.supersteps, 2)) << report.supersteps << report.pushed;
    EXPECT_EQ(cut.ended, report.supersteps <= 2);
    shown.destroy();
    graph.destroy();
  }
}

// Only the required members. Parents are numbers + 1, so that 0 is none.
struct only_parents {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.number() == root; }
  bool apply(const vertex& v, const source& from, aggregate&) {
    parents[v] = static_cast<std::uint32_t>(from.number()) + 1;
    return true;
  }
  property<std::uint32_t> parents;
  std::uint64_t root;
};

TEST(program_of_sources, needs_no_start) {
  for (const char* const name : {"path", "random"}) {
    const auto& all = test_graphs::all();
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& g) { return g.name == name; });
    ASSERT_NE(at, all.end());
    graph::build_options options{.symmetrize = true};
    options.keep = forms_for<only_parents>();
    const graph::distributed_graph graph =
        test_graphs::build(static_cast<std::size_t>(at - all.begin()), options);
    const auto parents = property<std::uint32_t>::create(graph);
    only_parents program{parents, 0};
    EXPECT_TRUE(run(program, graph).ended);
    const expected_graph expected(*at, options);
    const auto levels = test_graphs::serial_levels(expected, 0, none);
    const auto found = test_graphs::by_vertex_number(parents);
    for (std::size_t v = 0; v < levels.size(); ++v) {
      ASSERT_EQ(found[v] != 0, levels[v] != none && levels[v] != 0) << name << " " << v;
      if (found[v] != 0) {
        EXPECT_EQ(levels[found[v] - 1] + 1, levels[v]) << name << " " << v;
      }
    }
    only_parents cut{parents, 0};
    EXPECT_EQ(run(cut, graph, {.most_supersteps = 1}).supersteps, 1);
    parents.destroy();
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::gas
