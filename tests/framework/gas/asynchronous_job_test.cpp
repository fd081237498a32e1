// Programs whose pulls show what is new at once, and whose locales go on until they are quiet.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/fixed_point.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using test_graphs::expected_graph;
using test_graphs::test_graph;

// The smallest number of a vertex that reaches it.
struct least_number {
  static constexpr bool incremental = true, asynchronous = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number()); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};
static_assert(asynchronous_program<least_number> && forms_for<least_number>().in_rows);

// The greatest, over edges that raise it up to a bound: what vertices show is not what their neighbours take.
struct greatest_raised {
  static constexpr bool incremental = true, asynchronous = true, improves = true;
  using value = std::uint32_t;
  static constexpr auto combine = maximum{};
  using aggregate = nothing;
  // Values climb by one a superstep to the bound, which takes most of the time of these tests.
  static constexpr value different = sanitized ? 30 : 100, bound = different * 3 / 2;
  template <class V>
  V gather(V shown, V) const {
    using vectors::min;
    return min(shown + V(1), V(bound));
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number() % different); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total <= shown) return false;
    shown = total;
    return true;
  }
};

// Lengths from the first vertices: with weights, and settled where nothing can be less.
struct lengths_from_several {
  static constexpr bool incremental = true, asynchronous = true, settles = true, improves = true;
  using value = float;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V length, V weight) const {
    return length + weight;
  }
  static bool is_source(std::uint64_t number) { return number < 3; }
  bool starts(const vertex& v) const { return is_source(v.number()); }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : std::numeric_limits<float>::infinity(); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
  bool settled(const vertex& v) const { return starts(v); }
};

template <class Program, class Start, class Along, class Better>
void expect_as_serially(const test_graph& whole, Start start, Along along, Better better) {
  using value = typename Program::value;
  using steps::direction;
  for (const bool symmetrize : {false, true}) {
    graph::build_options options{.symmetrize = symmetrize};
    options.keep = forms_for<Program>();
    const auto right = test_graphs::fixed_point<value>(expected_graph(whole, options), start, along, better);
    const graph::distributed_graph graph = test_graphs::build(whole, options);
    const auto shown = property<value>::create(graph);
    for (const steps::direction_options& way :
         {steps::direction_options{direction::automatic, 20},
          steps::direction_options{direction::automatic, 2}, steps::direction_options{direction::pull, 20},
          steps::direction_options{direction::push, 20}}) {
      for (const going_ahead when : {going_ahead::never, going_ahead::always}) {
        if (locales() == 1 && when == going_ahead::always) continue;
        Program program;
        EXPECT_TRUE(run(program, graph, shown, {.direction = way, .ahead = when}).ended);
        EXPECT_EQ(test_graphs::by_vertex_number(shown), right)
            << whole.name << (symmetrize ? ", symmetrized" : "") << ", direction "
            << static_cast<int>(way.wanted) << ", threshold " << way.push_divisor << ", ahead "
            << static_cast<int>(when);
      }
    }
    shown.destroy();
    graph.destroy();
  }
}

void expect_all_programs(const test_graph& whole) {
  expect_as_serially<least_number>(
      whole, [](std::size_t v) { return static_cast<std::uint32_t>(v); },
      [](std::uint32_t shown, float) { return shown; }, std::less<>());
  expect_as_serially<greatest_raised>(
      whole, [](std::size_t v) { return static_cast<std::uint32_t>(v % greatest_raised::different); },
      [](std::uint32_t shown, float) { return std::min(shown + 1, greatest_raised::bound); },
      std::greater<>());
  expect_as_serially<lengths_from_several>(
      whole,
      [](std::size_t v) {
        return lengths_from_several::is_source(v) ? 0 : std::numeric_limits<float>::infinity();
      },
      [](float length, float weight) { return length + weight; }, std::less<>());
}

TEST(asynchronous_program, comes_to_what_a_serial_one_does) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_all_programs(whole);
}

// From hardly any edge to one component that most vertices belong to, and some do not.
TEST(asynchronous_program, does_so_on_graphs_of_any_density) {
  std::size_t turn = 0;
  for (const std::size_t edges : {400u, 700u, 1000u, 1500u, 2500u, 6000u}) {
    for (const std::uint64_t seed : {1, 2}) {
      if (!test_graphs::is_in_turn(turn++)) continue;
      expect_all_programs({"density of " + std::to_string(edges) + ", seed " + std::to_string(seed),
                           test_graphs::random_edges(seed * 1000 + edges, 1000, edges, seed == 2), 1000});
    }
  }
}

// A vertex that shows the most frequent value asks one neighbour. That takes some sweeps of at most 2 edges
// per vertex, and little else.
TEST(asynchronous_program, looks_at_few_edges_of_a_large_component) {
  graph::build_options options{.symmetrize = true};
  options.keep = forms_for<least_number>();
  const test_graph whole{"dense", test_graphs::random_edges(9, 2000, 100'000, false), 2000};
  const graph::distributed_graph graph = test_graphs::build(whole, options);
  least_number program;
  const run_report report = run(program, graph);
  EXPECT_LT(report.edges, graph.here().edges / 3);
  graph.destroy();
}

// The first vertex's number crosses a locale in a superstep, however far that is.
TEST(asynchronous_program, joins_what_a_locale_has_before_others_hear_of_it) {
  test_graph path{"long path", {}, 6000};
  for (std::uint64_t v = 0; v + 1 < 6000; ++v) path.list.edges.push_back({v, v + 1});
  graph::build_options options{.symmetrize = true};
  options.keep = forms_for<least_number>();
  const graph::distributed_graph graph = test_graphs::build(path, options);
  const auto shown = property<std::uint32_t>::create(graph);
  least_number program;
  const run_report report = run(program, graph, shown);
  EXPECT_EQ(test_graphs::by_vertex_number(shown), std::vector<std::uint32_t>(6000, 0));
  if (locales() > 1) {
    EXPECT_LE(report.supersteps, locales() + 2);
    EXPECT_LT(report.edges, 8 * graph.here().edges);
  }
  shown.destroy();
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
