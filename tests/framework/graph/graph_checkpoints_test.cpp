// Vertex programs and algorithms that are ended in the middle, and go on on another split.
#include "framework/graph/graph_checkpoints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <vector>

#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/label_propagation.hpp"
#include "framework/algorithms/maximal_independent_set.hpp"
#include "framework/algorithms/personalized_pagerank.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/vertex_map.hpp"
#include "system/checkpoint/folder.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/length_program.hpp"
#include "tests/system/base/scratch_folder.hpp"
#include "tests/system/checkpoint/jobs.hpp"

namespace orujo::internal::graph {
namespace {

using gas::any, gas::edge_map, gas::forms_for, gas::forms_for_maps, gas::minimum, gas::nothing, gas::run;

using checkpoint::settings, checkpoint::split;

constexpr std::size_t path = 8, random = 11;  // among the test graphs

std::atomic<int> supersteps;  // of searches, at core 0

struct smallest_label {
  static constexpr bool incremental = true, asynchronous = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V label, V) const {
    return label;
  }
  value start(const vertex& v, aggregate&) { return labels.here()[v.local] = static_cast<value>(v.id()); }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    labels.here()[v.local] = shown = total;
    return true;
  }
  void checkpoint(program_state& kept) { kept.add("label", labels); }

  property<std::uint32_t> labels;
};

struct levels_by_search {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V level, V) const {
    return level + V(1);
  }
  bool starts(const vertex& v) const { return v.id() == 0; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex& v, value level, value& shown, aggregate&) {
    levels.here()[v.local] = shown = level;
    return v.id() % 5 != 3;  // others are seen, and contribute nothing
  }
  bool next(int, const aggregate&) {
    if (my_core() == 0) ++supersteps;
    return true;
  }
  void checkpoint(program_state& kept) { kept.add("level", levels); }

  property<std::uint32_t> levels;
};

// The same search by sources.
struct levels_by_sources {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.id() == 0; }
  bool apply(const vertex& v, const source&, aggregate&) {
    levels[v] = level;
    return v.id() % 5 != 3;
  }
  bool next(int superstep, const aggregate&) {
    level = static_cast<std::uint32_t>(superstep) + 1;
    if (my_core() == 0) ++supersteps;
    return true;
  }
  void checkpoint(program_state& kept) { kept.add("level", levels); }

  property<std::uint32_t> levels;
  std::uint32_t level = 0;
};

// Its state is what vertices show. Numbers of vertices depend on the split.
using lengths_in_order = test_graphs::lengths_in_order<0, &vertex::id>;

// The result, by position, of a run of at most `most` supersteps.
template <class T>
using computation = std::function<std::vector<T>(int most)>;

graph::distributed_graph build(std::size_t index, const graph::edge_forms& keep, bool symmetrize) {
  graph::build_options options{.symmetrize = symmetrize};
  options.keep = keep;
  return test_graphs::build(index, options);
}

template <class T, class Program>
std::vector<T> run_program(graph::distributed_graph graph, property<T> result, Program program, int most) {
  run(program, graph, {.most_supersteps = most});
  auto found = test_graphs::by_position(graph, result);
  result.destroy();
  graph.destroy();
  return found;
}

template <class T>
std::vector<T> run_on(split on, const settings& how, const computation<T>& compute, int most) {
  std::vector<T> found;
  checkpoint::expect_job(on, how, [&] { found = compute(most); });
  return found;
}

// Ends the run after `most` supersteps in one process layout (locales x cores), and resumes it in another.
template <class T>
void expect_same_after_restart(split first, split second, const computation<T>& compute, int most) {
  const std::vector<T> right = run_on(second, {}, compute, 1'000'000);
  const int undisturbed = supersteps.exchange(0);
  const scratch_folder folder;
  settings how{.folder = folder.path(), .every = {.steps = 1}};
  run_on(first, how, compute, most);
  EXPECT_FALSE(checkpoint::epochs_in(folder.path()).empty());
  how.resume = true;
  supersteps = 0;
  const std::vector<T> found = run_on(second, how, compute, 1'000'000);
  const int left = supersteps.exchange(0);
  EXPECT_TRUE(undisturbed == 0 || left < undisturbed) << left << " of " << undisturbed;
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    if constexpr (std::is_floating_point_v<T>) {
      EXPECT_TRUE(found[k] == right[k] || std::abs(found[k] - right[k]) <= T(1e-12)) << k;
    } else {
      EXPECT_EQ(found[k], right[k]) << k;
    }
  }
}

template <class T>
void expect_same_on_all_splits(const computation<T>& compute, int most) {
  expect_same_after_restart({2, 2}, {1, 3}, compute, most);
  expect_same_after_restart({1, 1}, {3, 1}, compute, most);
}

TEST(graph_checkpoints, keep_sums) {
  expect_same_on_all_splits<double>(
      [](int most) {
        const auto graph = build(random, forms_for<algorithms::personalized_pagerank>(), false);
        const auto ranks = property<double>::create(graph);
        const auto restarts = algorithms::restarts_at(graph, {{0, 1}});
        auto found =
            run_program(graph, ranks, algorithms::personalized_pagerank{ranks, restarts, 0.85, 1e-13}, most);
        restarts.destroy();
        return found;
      },
      5);
}

TEST(graph_checkpoints, keep_what_is_incremental) {
  for (const int most : {0, 1, 4}) {
    expect_same_on_all_splits<std::uint32_t>(
        [](int limit) {
          const auto graph = build(path, forms_for<smallest_label>(), false);
          const auto labels = property<std::uint32_t>::create(graph);
          return run_program(graph, labels, smallest_label{labels}, limit);
        },
        most + 1);
  }
}

TEST(graph_checkpoints, keep_what_goes_by_priority) {
  for (const int most : {0, 1, 4}) {
    expect_same_on_all_splits<float>(
        [](int limit) {
          const auto graph = build(random + 1, forms_for<lengths_in_order>(), true);
          const auto lengths = property<float>::create(graph);
          lengths_in_order program;
          run(program, graph, lengths, {.most_supersteps = limit});
          auto found = test_graphs::by_position(graph, lengths);
          lengths.destroy();
          graph.destroy();
          return found;
        },
        most + 1);
  }
}

template <class Program>
void expect_search_goes_on() {
  for (const std::size_t graph_number : {path, random}) {
    expect_same_on_all_splits<std::uint32_t>(
        [graph_number](int most) {
          const auto graph = build(graph_number, forms_for<Program>(), true);
          const auto levels = property<std::uint32_t>::create(graph);
          return run_program(graph, levels, Program{levels}, most);
        },
        2);
  }
}
TEST(graph_checkpoints, keep_searches) { expect_search_goes_on<levels_by_search>(); }
TEST(graph_checkpoints, keep_searches_by_sources) { expect_search_goes_on<levels_by_sources>(); }

TEST(graph_checkpoints, keep_scalar_programs) {
  using program = algorithms::label_propagation<std::uint32_t>;
  expect_same_on_all_splits<std::uint32_t>(
      [](int most) {
        const auto graph = build(random, forms_for<program>(), false);
        const auto labels = property<std::uint32_t>::create(graph);
        loops::on_all_cores([=] {
          program each(graph.here(), labels.here(), 6);
          run(each, graph.here(), {.most_supersteps = most});
        });
        auto found = test_graphs::by_position(graph, labels);
        labels.destroy();
        graph.destroy();
        return found;
      },
      3);
}

TEST(graph_checkpoints, keep_distances) {
  expect_same_on_all_splits<double>(
      [](int) {
        const auto graph = build(random + 1, algorithms::shortest_paths_forms(), true);
        const auto distances = property<double>::create(graph);
        loops::on_all_cores([=] {
          algorithms::shortest_paths paths(graph.here());
          paths.run(0);
          paths.write(distances.here());
        });
        auto found = test_graphs::by_position(graph, distances);
        distances.destroy();
        graph.destroy();
        return found;
      },
      0);
}

TEST(graph_checkpoints, keep_core_numbers) {
  expect_same_on_all_splits<std::uint32_t>(
      [](int) {
        const auto graph = build(random, {.in_vectors = false, .out_rows = true, .weights = false}, true);
        const auto numbers = property<std::uint32_t>::create(graph);
        loops::on_all_cores([=] { algorithms::core_numbers(graph.here(), numbers.here()).run(); });
        auto found = test_graphs::by_position(graph, numbers);
        numbers.destroy();
        graph.destroy();
        return found;
      },
      0);
}

// A search that says how far it has come itself; 0 is unseen.
struct next_level {
  using value = source;
  static constexpr auto combine = any{};
  bool wants(const vertex& v) const { return levels[v] == 0; }
  bool visit(const vertex& v, value) const {
    levels[v] = level;
    return true;
  }
  property<std::uint32_t> levels;
  std::uint32_t level;
};

std::vector<std::uint32_t> levels_by_maps(int most) {
  const auto graph = build(random, forms_for_maps, true);
  const auto levels = property<std::uint32_t>::create(graph);
  std::uint32_t level = 1;
  graph_checkpoint_loop checkpoints(graph,
                                    [=, at = memory::global_address(my_core(), &level)](program_state& kept) {
                                      kept.add("levels", levels);
                                      kept.add("level", at);
                                    });
  vertex_set frontier = vertex_set::of(graph, {0});
  if (checkpoints.resume()) {
    frontier = vertex_filter(vertex_set::all(graph), [=](const vertex& v) { return levels[v] == level; });
  } else {
    vertex_map(frontier, [=](const vertex& v) { levels[v] = level; });
  }
  for (int k = 0; k < most && !frontier.empty(); ++k) {
    checkpoints.step();
    ++supersteps;
    frontier = edge_map(frontier, next_level{levels, ++level});
  }
  auto found = test_graphs::by_position(graph, levels);
  levels.destroy();
  graph.destroy();
  return found;
}

TEST(graph_checkpoints, keep_loops_over_edge_maps) {
  expect_same_on_all_splits<std::uint32_t>(&levels_by_maps, 2);
}

TEST(graph_checkpoints, keep_independent_sets) {
  expect_same_on_all_splits<std::uint8_t>(
      [](int) {
        const auto graph = build(random, forms_for_maps, true);
        const auto members = property<std::uint8_t>::create(graph);
        algorithms::maximal_independent_set(graph, members);
        auto found = test_graphs::by_position(graph, members);
        members.destroy();
        graph.destroy();
        return found;
      },
      0);
}

std::vector<checkpoint::fact> facts_on(split on, const graph::edge_forms& keep, std::size_t index) {
  std::vector<checkpoint::fact> facts;
  checkpoint::expect_job(on, {.folder = "wanted"}, [&] {
    const auto graph = build(index, keep, true);
    facts = graph_facts(graph);
    graph.destroy();
  });
  return facts;
}

TEST(graph_facts, are_the_same_on_all_splits_and_of_all_forms) {
  const auto facts = facts_on({1, 1}, {.in_vectors = true}, random + 1);
  EXPECT_EQ(facts.size(), 5u);
  EXPECT_EQ(facts_on({2, 2}, {.in_vectors = true}, random + 1), facts);
  EXPECT_EQ(facts_on({1, 2}, {.in_vectors = false, .in_rows = true}, random + 1), facts);
  EXPECT_EQ(facts_on({3, 1}, {.in_vectors = false, .out_rows = true}, random + 1), facts);
  EXPECT_EQ(facts_on({1, 1}, {.in_vectors = false, .out_rows = true, .arcs = true}, random + 1), facts);
  EXPECT_NE(facts_on({1, 1}, {.in_vectors = true}, random), facts);
}

}  // namespace
}  // namespace orujo::internal::graph
