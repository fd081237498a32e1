#include "framework/algorithms/core_numbers.hpp"

#include <gtest/gtest.h>

#include "framework/verify/core_numbers_oracle.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

using test_graphs::test_graph;

void expect_cores(const test_graph& whole, bool remove_self_loops = false) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.remove_self_loops = remove_self_loops,
                                 .symmetrize = true,
                                 .keep = {.in_vectors = false, .in_rows = true}});
  const auto cores = gas::property<std::uint32_t>::create(handle);
  loops::on_all_cores([=] {
    core_numbers program(cores.here());
    CHECK(gas::run(program, handle.here()).ended);
  });
  const verify::simple_graph simple(
      whole.list.edges,
      {.vertex_count = whole.vertex_count, .remove_self_loops = remove_self_loops, .symmetrize = true});
  EXPECT_EQ(test_graphs::by_vertex_number(cores), verify::core_numbers(simple)) << whole.name;
  cores.destroy();
  handle.destroy();
}

TEST(core_numbers, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::all()) {
    expect_cores(whole);
    expect_cores(whole, true);
  }
}

// Cliques of 2, 3, ... 30 vertices in a chain: every core number from 1 to 29 at once.
TEST(core_numbers, are_those_of_the_oracle_on_a_chain_of_cliques) {
  test_graph whole{"chain of cliques", {}, {}};
  for (std::uint64_t size = 2, first = 0; size <= 30; first += size++) {
    for (std::uint64_t u = first; u < first + size; ++u) {
      for (std::uint64_t v = u + 1; v <= first + size; ++v) {
        if (v < first + size || u == first) whole.list.edges.push_back({v, u});
      }
    }
  }
  expect_cores(whole);
}

TEST(core_numbers, are_those_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::uint64_t vertices = 300 * seed;
    expect_cores({"random, seed " + std::to_string(seed),
                  test_graphs::random_edges(seed, vertices, vertices * seed, false), vertices});
  }
}

}  // namespace
}  // namespace orujo::algorithms
