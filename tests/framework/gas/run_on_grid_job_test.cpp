// Vertex programs on a graph whose edges lie on a grid of locales (graph/build/place_on_grid.hpp).
#include <gtest/gtest.h>

#include "tests/framework/gas/small_programs.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::gas {
namespace {

using namespace small_programs;

// A program of minima in one direction, whose graph keeps vectors only.
template <class Program, class T, class Relax>
void expect_on_grid(std::size_t index, bool symmetrize, T start_of_others, bool from_all, Relax relax) {
  const graph::build_options options{.symmetrize = symmetrize,
                                     .partition = {.placement = graph::edge_placement::grid}};
  const test_graphs::expected_graph whole(test_graphs::all()[index], options);
  std::vector<T> expected(whole.ids.size(), start_of_others);
  for (std::size_t v = 0; v < expected.size() && (from_all || v == 0); ++v) expected[v] = static_cast<T>(v);
  settle(whole.edges, expected, relax);
  EXPECT_EQ((run_on<Program, T>(index, options)), expected) << test_graphs::all()[index].name;
}

TEST(run_on_grid, gives_what_the_serial_computation_gives) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    expect_on_grid<smallest_label, std::uint32_t>(g, true, 0, true,
                                                  [](std::uint32_t label, float) { return label; });
    expect_on_grid<shortest_paths, float>(g, false, minimum::identity<float>(), false,
                                          [](float distance, float weight) { return distance + weight; });
    expect_on_grid<levels, std::uint32_t>(
        g, g % 2 == 0, levels::unreached, false,
        [](std::uint32_t level, float) { return std::min(level, levels::unreached - 1) + 1; });
    const std::vector<double> degrees = expected_in_degrees(g);
    for (const auto set : test_isa::all()) {
      EXPECT_EQ((run_on<in_degrees, double>(
                    g, {.segments = g % 4, .partition = {.placement = graph::edge_placement::grid}},
                    {vectors::edge_schedule::usersched, g % 3}, {}, set)),
                degrees)
          << test_graphs::all()[g].name << ", " << machine::name_of(set);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::gas
