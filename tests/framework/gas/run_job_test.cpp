#include "framework/gas/run.hpp"

#include <gtest/gtest.h>

#include "framework/graph/property.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/gas/small_programs.hpp"
#include "tests/framework/job_graph.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::gas {
namespace {

using namespace small_programs;

// One superstep in which every vertex finds its heaviest in-edge and, of several, the one from the largest
// source: a scalar program whose contributions are no values.
struct heaviest_in_edges {
  using value = std::uint64_t;  // the vertex number
  struct accumulator {
    float weight;
    std::uint64_t source;
    friend auto operator<=>(const accumulator&, const accumulator&) = default;
  };
  struct heavier {
    accumulator operator()(const accumulator& a, const accumulator& b) const { return a < b ? b : a; }
    template <class T>
    static constexpr T identity() {
      return {-1, 0};
    }
  };
  static constexpr auto combine = heavier{};
  using aggregate = nothing;

  heaviest_in_edges(const graph::locale_graph& g, std::span<accumulator> found)
      : found_(found.data()), first_(g.first_vertex) {}
  accumulator gather(value source, float weight) const { return {weight, source}; }
  value start(const vertex& v, aggregate&) { return first_ + v.local; }
  bool apply(const vertex& v, const accumulator& total, value&, aggregate&) {
    found_[v.local] = total;
    return false;
  }

  accumulator* found_;
  std::uint64_t first_;
};
static_assert(scalar_program<heaviest_in_edges> && !scalar_program<smallest_label>);
static_assert(vectors::pull_program<in_degrees> && !incremental_program<heaviest_in_edges>);

// Every way that values may travel: over in-edges, over out-edges, by turns, hardly ever pulled.
constexpr steps::direction_options directions[] = {{steps::direction::pull, 20},
                                                   {steps::direction::push, 20},
                                                   {steps::direction::automatic, 20},
                                                   {steps::direction::automatic, 2}};

graph::build_options in_both_directions(bool symmetrize) {
  graph::build_options options;
  options.symmetrize = symmetrize;
  options.keep.out_rows = true;
  return options;
}

// Runs a program of minima on every graph in every direction; `expected` computes its result.
template <class Program, class T, class Expected>
void expect_everywhere(bool symmetrize, Expected expected) {
  const graph::build_options options = in_both_directions(symmetrize);
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const test_graphs::test_graph whole = test_graphs::all()[g];
    const std::vector<T> right = expected(test_graphs::expected_graph(whole, options));
    for (const steps::direction_options& direction : directions) {
      EXPECT_EQ((run_on<Program, T>(g, options, {}, direction)), right)
          << whole.name << ", direction " << static_cast<int>(direction.wanted) << ", threshold "
          << direction.push_divisor;
    }
  }
}

TEST(run, finds_components_like_the_serial_computation) {
  expect_everywhere<smallest_label, std::uint32_t>(true, [](const test_graphs::expected_graph& g) {
    std::vector<std::uint32_t> labels(g.ids.size());
    for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<std::uint32_t>(v);
    settle(g.edges, labels, [](std::uint32_t label, float) { return label; });
    return labels;
  });
}

TEST(run, finds_shortest_paths_like_the_serial_computation) {
  expect_everywhere<shortest_paths, float>(false, [](const test_graphs::expected_graph& g) {
    std::vector<float> distances(g.ids.size(), minimum::identity<float>());
    if (!distances.empty()) distances[0] = 0;
    settle(g.edges, distances, [](float distance, float weight) { return distance + weight; });
    return distances;
  });
}

TEST(run, passes_over_settled_vertices) {
  expect_everywhere<levels, std::uint32_t>(false, [](const test_graphs::expected_graph& g) {
    std::vector<std::uint32_t> found(g.ids.size(), levels::unreached);
    if (!found.empty()) found[0] = 0;
    settle(g.edges, found,
           [](std::uint32_t level, float) { return std::min(level, levels::unreached - 1) + 1; });
    return found;
  });
}

TEST(run, chooses_the_direction_by_the_active_out_edges) {
  const std::size_t path = 8;
  ASSERT_EQ(test_graphs::all()[path].name, "path");
  const graph::distributed_graph handle = test_graphs::build(path, in_both_directions(false));
  const auto state = property<float>::create(handle);
  run_report report;
  loops::on_all_cores([=, to = at_home(report)] {
    shortest_paths program(handle.here(), state.here());
    const run_report mine = run(program, handle.here(), {});
    if (my_core() == 0) *to = mine;
  });
  EXPECT_EQ(report.supersteps, test_graphs::path_edges + 1);
  EXPECT_EQ(report.pushed, report.supersteps);  // one active vertex at a time
  state.destroy();
  handle.destroy();
}

TEST(run, gives_the_same_for_every_chunk_size_and_schedule) {
  using vectors::edge_schedule;
  const std::size_t last = test_graphs::all().size() - 1;
  const std::vector<double> degrees = expected_in_degrees(last);
  for (const edge_schedule schedule :
       {edge_schedule::fixed, edge_schedule::round_robin, edge_schedule::dynamic, edge_schedule::guided,
        edge_schedule::static_steal, edge_schedule::usersched, edge_schedule::usersched_profiled}) {
    for (std::size_t chunk : {0u, 1u, 3u, 64u, 1'000'000u}) {
      EXPECT_EQ((run_on<in_degrees, double>(last, {}, {schedule, chunk})), degrees)
          << "schedule " << static_cast<int>(schedule) << ", " << chunk << " vectors per chunk";
    }
  }
}

TEST(run, combines_contributions_of_any_type_over_the_rows_of_in_edges) {
  graph::build_options options;
  options.keep = {.in_vectors = false, .in_rows = true};
  for (const std::size_t g : test_graphs::places_in_turn()) {
    using found = heaviest_in_edges::accumulator;
    const test_graphs::expected_graph expected(test_graphs::all()[g], {});
    std::vector<found> heaviest(expected.ids.size(), found{-1, 0});
    for (const auto& e : expected.edges)
      heaviest[e.target] = std::max(heaviest[e.target], found{e.weight, e.source});
    EXPECT_TRUE((run_on<heaviest_in_edges, found>(g, options)) == heaviest) << test_graphs::all()[g].name;
  }
}

TEST(run, gives_the_same_in_every_encoding) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const std::vector<double> degrees = expected_in_degrees(g);
    for (const std::size_t segments : {1, 3, 20}) {
      for (const std::uint32_t depth : {0, 32, 255}) {
        graph::build_options options;
        options.segments = segments;
        options.bundle_depth = depth;
        EXPECT_EQ((run_on<in_degrees, double>(g, options, {vectors::edge_schedule::usersched, 5})), degrees)
            << test_graphs::all()[g].name << ", " << segments << " segments, bundles to " << depth;
      }
    }
  }
}

TEST(run, gives_the_same_on_every_instruction_set) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const std::vector<double> degrees = expected_in_degrees(g);
    for (const auto set : test_isa::all()) {
      EXPECT_EQ((run_on<in_degrees, double>(g, {}, {}, {}, set)), degrees)
          << test_graphs::all()[g].name << ", " << machine::name_of(set);
    }
  }
}

TEST(run, gives_the_same_in_every_codec) {
  const std::size_t g = test_graphs::all().size() - 1;
  const test_graphs::expected_graph expected(test_graphs::all()[g], {});
  std::vector<float> distances(expected.ids.size(), minimum::identity<float>());
  distances[0] = 0;
  settle(expected.edges, distances, [](float distance, float weight) { return distance + weight; });
  for (const exchange::codec* codec : exchange::codecs()) {
    for (const steps::direction way : {steps::direction::pull, steps::direction::automatic}) {
      EXPECT_EQ((run_on<shortest_paths, float>(g, in_both_directions(false), {}, {way},
                                               machine::simd_from_flags(), {exchange::place_of(codec), 0})),
                distances)
          << codec->name;
    }
  }
}

// Many supersteps under a schedule that learns from the first.
TEST(run, finds_shortest_paths_under_the_profiled_schedule) {
  const std::size_t path = 8;
  ASSERT_EQ(test_graphs::all()[path].name, "path");
  const test_graphs::expected_graph expected(test_graphs::all()[path], {});
  std::vector<float> distances(expected.ids.size(), minimum::identity<float>());
  distances[0] = 0;
  settle(expected.edges, distances, [](float distance, float weight) { return distance + weight; });
  graph::build_options options;
  options.segments = 4;
  EXPECT_EQ((run_on<shortest_paths, float>(path, options, {vectors::edge_schedule::usersched_profiled, 7})),
            distances);
}

TEST(run, ends_after_a_superstep_when_it_is_stopped) {
  const std::size_t path = 8;
  const graph::distributed_graph handle = test_graphs::build(path, in_both_directions(false));
  const auto state = property<float>::create(handle);
  for (const bool stopped : {false, true}) {
    const std::atomic<bool> stop{stopped};
    run_report report;
    loops::on_all_cores([=, to = at_home(report), stop = loops::stop_flag(&stop)] {
      shortest_paths program(handle.here(), state.here());
      const run_report mine = run(program, handle.here(), {.stop = stop});
      if (my_core() == 0) *to = mine;
    });
    EXPECT_EQ(report.ended, !stopped);
    EXPECT_EQ(report.supersteps > 0, !stopped);
  }
  state.destroy();
  handle.destroy();
}

TEST(run, sums_aggregates_over_all_vertices_once) {
  const std::size_t last = test_graphs::all().size() - 1;
  const graph::distributed_graph handle = test_graphs::build(last, {});
  const auto state = property<double>::create(handle);
  std::uint64_t edges = 0;
  loops::on_all_cores([=, to = at_home(edges)] {
    in_degrees program(handle.here(), state.here());
    const run_report report = run(program, handle.here());
    if (my_core() == 0) *to = report.ended && report.supersteps == 1 ? program.edges : 0;
  });
  EXPECT_EQ(edges, test_graphs::all()[last].list.edges.size());
  state.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
