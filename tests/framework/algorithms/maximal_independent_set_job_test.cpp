#include "framework/algorithms/maximal_independent_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/gas/load.hpp"
#include "framework/verify/independent_set_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

using test_graphs::test_graph;

void expect_greedy_set(graph::distributed_graph handle, const verify::simple_graph& simple,
                       std::uint64_t seed) {
  std::vector<std::uint64_t> priorities;
  for (const std::uint64_t id : simple.ids())
    priorities.push_back(maximal_independent_set::turn_of(id, seed));
  maximal_independent_set program{gas::property<std::uint32_t>::create(handle), seed};
  gas::run(program, handle);
  const std::vector<std::uint32_t> found = test_graphs::by_position(handle, program.decided);
  program.decided.destroy();
  EXPECT_TRUE(found == verify::greedy_independent_set(simple, priorities));
}

void expect_greedy_set(const test_graph& whole, std::uint64_t seed,
                       const graph::partition_options& cut = {}) {
  SCOPED_TRACE(testing::Message() << whole.name << ", seed " << seed);
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = true, .partition = cut, .keep = gas::forms_for<maximal_independent_set>()});
  expect_greedy_set(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}), seed);
  handle.destroy();
}

TEST(maximal_independent_set, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::all()) {
    for (const std::uint64_t seed : {1u, 7u}) expect_greedy_set(whole, seed);
  }
}

TEST(maximal_independent_set, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::all()) expect_greedy_set(whole, 1, {.hash = true});
}

// The id that has this priority.
std::uint64_t id_of_priority(std::uint64_t priority, std::uint64_t seed) {
  const auto unshift = [](std::uint64_t x, int bits) { return x ^ (x >> bits) ^ (x >> 2 * bits); };
  std::uint64_t x = unshift(priority, 31) * 0x319642b2d24d8ec3u;
  x = unshift(x, 27) * 0x96de1b173f119089u;
  return unshift(x, 30) ^ mix64(seed);
}

// Priorities that look like having joined and being left out:
//   first - 1 - 2 - last    4 - last    first and last have loops
TEST(maximal_independent_set, takes_the_first_and_the_last_of_all_priorities_as_any_others) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const std::uint64_t first = id_of_priority(0, seed), last = id_of_priority(~std::uint64_t{0}, seed);
    ASSERT_EQ(maximal_independent_set::turn_of(first, seed), 0u);
    ASSERT_EQ(maximal_independent_set::turn_of(last, seed), ~std::uint64_t{0});
    expect_greedy_set(
        {"extremes", {{{first, 1}, {1, 2}, {2, last}, {4, last}, {first, first}, {last, last}}, {}}, {}},
        seed);
    expect_greedy_set({"both", {{{first, last}}, {}}, {}}, seed);
    expect_greedy_set({"last alone", {{{last, last}, {first, 1}}, {}}, {}}, seed);
  }
}

// A path whose priorities ascend: one vertex is decided after the other.
TEST(maximal_independent_set, is_found_however_long_it_takes) {
  std::vector<std::uint64_t> ids(200);
  for (std::uint64_t k = 0; k < ids.size(); ++k) ids[k] = k;
  std::ranges::sort(ids, {}, [](std::uint64_t id) { return maximal_independent_set::turn_of(id, 1); });
  test_graph chain{"chain", {}, {}};
  for (std::size_t k = 1; k < ids.size(); ++k) chain.list.edges.push_back({ids[k - 1], ids[k]});
  expect_greedy_set(chain, 1);
}

TEST(maximal_independent_set, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_program_in_all_forms<maximal_independent_set>(
      true, [](const test_graphs::kept_graph& kept) { expect_greedy_set(kept.handle, *kept.simple, 1); });
}

}  // namespace
}  // namespace orujo::algorithms
