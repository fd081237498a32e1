#include "framework/algorithms/eccentricities.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "framework/gas/load.hpp"
#include "framework/verify/eccentricities_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using steps::direction;
using test_graphs::test_graph;

// Chooses `wanted` vertices by position, the first and the last among them.
std::vector<std::size_t> spread_positions(std::size_t vertices, std::size_t wanted) {
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < std::min(vertices, wanted); ++k)
    some.push_back(vertices <= wanted ? k : k * (vertices - 1) / (wanted - 1));
  return some;
}

void expect_eccentricities(graph::distributed_graph handle, const verify::simple_graph& simple,
                           std::size_t sources, direction way = direction::automatic) {
  const std::vector<std::size_t> roots = spread_positions(simple.vertex_count(), sources);
  const verify::expected_eccentricities expected = verify::find_eccentricities(simple, roots);

  std::vector<std::uint64_t> numbers;
  for (const std::size_t root : roots) numbers.push_back(handle.here().numbers.number(root));
  std::ranges::sort(numbers);
  eccentricities program(numbers, {graph::property<std::int32_t>::create(handle)});
  gas::run(program, handle, {.direction = {way}});

  for (std::size_t k = 0; k < roots.size(); ++k) {
    const auto at = std::ranges::find(numbers, handle.here().numbers.number(roots[k])) - numbers.begin();
    EXPECT_EQ(program.of_source[static_cast<std::size_t>(at)], expected.of_source[k])
        << "source " << roots[k];
  }
  EXPECT_TRUE(test_graphs::by_position(handle, program.farthest) == expected.farthest);
  program.farthest.destroy();
}
void expect_eccentricities(const test_graph& whole, bool symmetrize, std::size_t sources,
                           direction way = direction::automatic, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = gas::forms_for<eccentricities>()});
  expect_eccentricities(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}),
      sources, way);
  handle.destroy();
}

TEST(eccentricities, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_eccentricities(whole, symmetrize, 64);
  }
}

TEST(eccentricities, are_the_same_in_every_direction) {
  for (const direction way : {direction::push, direction::pull}) {
    for (const test_graph& whole : test_graphs::in_turn()) {
      for (const bool symmetrize : {true, false}) expect_eccentricities(whole, symmetrize, 10, way);
    }
  }
}

TEST(eccentricities, are_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn())
    expect_eccentricities(whole, true, 33, direction::automatic, {.hash = true});
}

// Bits 0 and 63 on a ring, where each source has another way to go:   0 -> 1 -> .. -> 199 -> 0
TEST(eccentricities, may_be_asked_of_any_number_of_sources) {
  test_graph ring{"ring", {}, {}};
  for (std::uint64_t v = 0; v < 200; ++v) ring.list.edges.push_back({v, (v + 1) % 200});
  for (const std::size_t sources : {0u, 2u, 63u, 64u}) {
    expect_eccentricities(ring, false, sources);
    expect_eccentricities(ring, true, sources);
  }
}

TEST(eccentricities, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<eccentricities>(
        symmetrized,
        [](const test_graphs::kept_graph& kept) { expect_eccentricities(kept.handle, *kept.simple, 5); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
