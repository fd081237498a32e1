#include "framework/algorithms/breadth_first_search.hpp"

#include <gtest/gtest.h>

#include "framework/algorithms/device_search.hpp"
#include "framework/results/ordered_values.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/device_kinds.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_graph.hpp"
#include "tests/framework/search_tree.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::expect_right;
using test_graphs::place_in_tree;
using test_graphs::search_tree;

struct built_graph {
  built_graph(std::size_t index, const graph::build_options& options)
      : handle(test_graphs::build(index, options)) {}
  ~built_graph() { handle.destroy(); }
  const graph::distributed_graph handle;
};

struct search_way {
  steps::direction_options options;
  going_ahead ahead = {};
  device::selection device = {};
};

// One core's part of the searches of one graph.
template <class Search>
std::shared_ptr<Search> make_search(const graph::locale_graph& g, const search_way& way) {
  if constexpr (std::is_same_v<Search, device_search>) {
    return device_search::make(g, way.options, way.device);
  } else {
    return std::make_shared<Search>(g, way.options, way.ahead);
  }
}

// The searches of one graph, seen from core 0. Search: breadth_first_search or device_search.
template <class Search = breadth_first_search>
class searches {
 public:
  // The graph is the caller's.
  searches(graph::distributed_graph graph, const search_way& way)
      : graph_(graph),
        parts_(containers::symmetric<std::shared_ptr<Search>>::create_by(
            [graph = graph_, way] { return make_search<Search>(graph.here(), way); })),
        places_(graph::property<place_in_tree>::create(graph_)) {}
  ~searches() {
    places_.destroy();
    parts_.destroy();
  }

  // Every core must report the same, but for the time.
  search_report run(std::uint64_t source) {
    search_report report;
    int disagreeing = 0;
    loops::on_all_cores([parts = parts_, source, to = at_home(report), count = at_home(disagreeing)] {
      const search_report mine = parts.here()->run(source);
      const search_report of_core_0 = collectives::broadcast(mine, 0);
      const bool same = mine.levels == of_core_0.levels && mine.pulls == of_core_0.pulls &&
                        mine.vertices == of_core_0.vertices && mine.out_edges == of_core_0.out_edges &&
                        mine.rounds_ahead == of_core_0.rounds_ahead;
      const int differ = collectives::all_reduce(same ? 0 : 1);
      if (my_core() != 0) return;
      *to = mine;
      *count = differ;
    });
    EXPECT_EQ(disagreeing, 0);
    return report;
  }

  // Each vertex must be visited once.
  search_tree tree() {
    std::uint64_t twice = 0;
    loops::on_all_cores([parts = parts_, places = places_, graph = graph_, count = at_home(twice)] {
      const std::span<place_in_tree> all = places.here();
      for (std::uint32_t v = graph.here().my_part().first; v < graph.here().my_part().last; ++v)
        all[v] = {verify::unreached, verify::unreached};
      collectives::barrier(collectives::group::locale);
      std::uint64_t again = 0;
      parts.here()->for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
        again += all[v].level != verify::unreached ? 1 : 0;
        all[v] = {static_cast<std::int64_t>(parent), static_cast<std::int64_t>(level)};
      });
      again = collectives::all_reduce(again);
      if (my_core() == 0) *count = again;
    });
    EXPECT_EQ(twice, 0u);
    search_tree whole;
    results::visit_vertices(graph_, places_, [&](const results::vertex_values<place_in_tree>& part) {
      for (const place_in_tree& place : part.values) {
        whole.parents.push_back(place.parent);
        whole.levels.push_back(place.level);
      }
    });
    return whole;
  }

 private:
  graph::distributed_graph graph_;
  containers::symmetric<std::shared_ptr<Search>> parts_;
  graph::property<place_in_tree> places_;
};

// Several sources one after the other in the same memory.
template <class Search>
void expect_right_trees(const built_graph& graph, const verify::simple_graph& simple,
                        const std::vector<std::uint64_t>& sources, const search_way& way) {
  searches<Search> all(graph.handle, way);
  for (const std::uint64_t source : sources) {
    SCOPED_TRACE(testing::Message() << "source " << source);
    const search_report report = all.run(source);
    expect_right(simple, source, report, all.tree());
    if (way.options.wanted == steps::direction::push) {
      EXPECT_EQ(report.pulls, 0);
    } else if (way.options.wanted == steps::direction::pull) {
      EXPECT_EQ(report.pulls, report.levels);
    }
    if (way.ahead.begins == going_ahead::when::always && report.levels > way.ahead.supersteps + 1) {
      EXPECT_EQ(report.rounds_ahead > 0, locales() > 1);
    }
  }
}

template <class Search = breadth_first_search>
void search_all_graphs(const std::vector<search_way>& ways) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const test_graphs::test_graph& whole = test_graphs::all()[g];
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(testing::Message() << whole.name << (symmetrize ? ", symmetrized" : ""));
      const verify::simple_graph simple(whole.list.edges,
                                        {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
      if (simple.vertex_count() == 0) continue;
      const built_graph graph(
          g, {.symmetrize = symmetrize, .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
      // Small numbers have most of the edges of the random graphs, and the path begins there.
      std::vector<std::uint64_t> sources{0};
      random_stream random(g);
      const std::size_t trials = whole.name == "path" ? 1 : 4;  // a superstep for each edge
      while (sources.size() < trials) sources.push_back(random.below(simple.vertex_count()));
      for (const search_way& way : ways) expect_right_trees<Search>(graph, simple, sources, way);
    }
  }
}

TEST(breadth_first_search, pushes_like_the_serial_search) {
  search_all_graphs({{.options = {steps::direction::push}}});
}

TEST(breadth_first_search, pulls_like_the_serial_search) {
  search_all_graphs({{.options = {steps::direction::pull}}});
}

TEST(breadth_first_search, chooses_directions_like_the_serial_search) {
  search_all_graphs({{.options = {steps::direction::automatic}}});
}

// It pulls after every push that it can, whatever the frontier, and pushes when it shrinks.
TEST(breadth_first_search, changes_directions_often_like_the_serial_search) {
  search_all_graphs({{.options = {.search_alpha = 1e9}}});
}

// Locales go ahead of one another from the second superstep on, until they are done, or for some levels
// between any two supersteps.
TEST(breadth_first_search, goes_ahead_like_the_serial_search) {
  search_all_graphs({{.options = {}, .ahead = {.begins = going_ahead::when::always}}});
}

TEST(breadth_first_search, goes_ahead_and_comes_back_like_the_serial_search) {
  std::vector<search_way> ways;
  for (const double alpha : {15.0, 1e9}) {
    for (const going_ahead& ahead :
         {going_ahead{going_ahead::when::always, 1, 1}, going_ahead{going_ahead::when::always, 2, 3}})
      ways.push_back({{.search_alpha = alpha}, ahead});
  }
  search_all_graphs(ways);
}

TEST(breadth_first_search, pulls_where_the_frontier_has_most_of_the_edges) {
  const std::size_t last = test_graphs::all().size() - 1;
  ASSERT_EQ(test_graphs::all()[last].name, "random_larger");
  graph::build_options build;
  build.symmetrize = true;
  build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  const built_graph graph(last, build);
  for (const double alpha : {1e-9, 15.0}) {
    searches<> all(graph.handle, {.options = {.search_alpha = alpha}});
    const search_report report = all.run(0);
    EXPECT_EQ(report.pulls > 0, alpha > 1) << report.pulls << " of " << report.levels << " supersteps";
    EXPECT_LT(report.pulls, report.levels);
  }
}

TEST(search_on_a_gpu, searches_like_the_serial_search) {
  for (const device::selection& device : test_graphs::devices()) {
    std::vector<search_way> ways;
    for (const steps::direction_options& options : {steps::direction_options{},
                                                    {steps::direction::push},
                                                    {steps::direction::pull},
                                                    {.search_alpha = 1e9}})
      ways.push_back({options, {}, device});
    search_all_graphs<device_search>(ways);
  }
}

TEST(search_on_a_gpu, finds_a_right_tree_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "device_search",
        [](const test_graphs::kept_graph& kept) {
          for (const device::selection& device : test_graphs::devices()) {
            searches<device_search> all(kept.handle, {.options = {}, .device = device});
            const search_report report = all.run(100);
            expect_right(*kept.simple, 100, report, all.tree());
          }
        },
        [](const test_graphs::kept_graph& kept) {
          device_search::make(kept.handle.here(), {}, {device::kind::emulated, {}});
        });
  }
}

TEST(breadth_first_search, finds_a_right_tree_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "breadth_first_search",
        [](const test_graphs::kept_graph& kept) {
          searches<> all(kept.handle,
                         {.options = {}, .ahead = {.begins = going_ahead::when::always, .levels = 3}});
          const search_report report = all.run(100);
          expect_right(*kept.simple, 100, report, all.tree());
        },
        [](const test_graphs::kept_graph& kept) { breadth_first_search(kept.handle.here()); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
