#include "framework/algorithms/maximal_independent_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "framework/gas/load.hpp"
#include "framework/verify/independent_set_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

void expect_greedy_set(graph::distributed_graph handle, const verify::simple_graph& simple,
                       std::uint64_t seed) {
  std::vector<std::uint64_t> priorities;
  for (const std::uint64_t id : simple.ids()) priorities.push_back(independent_set_priority(id, seed));
  const auto members = graph::property<std::uint8_t>::create(handle);
  const independent_set_report told = maximal_independent_set(handle, members, {.seed = seed});
  const std::vector<std::uint8_t> found = test_graphs::by_position(handle, members);
  members.destroy();
  const std::vector<std::uint32_t> expected = verify::greedy_independent_set(simple, priorities);
  EXPECT_TRUE(std::ranges::equal(found, expected));
  EXPECT_EQ(told.size, static_cast<std::uint64_t>(std::ranges::count(expected, 1u)));
  EXPECT_TRUE(told.ended);
}

void expect_greedy_set(const test_graph& whole, std::uint64_t seed,
                       const graph::partition_options& cut = {}) {
  SCOPED_TRACE(testing::Message() << whole.name << ", seed " << seed);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .partition = cut, .keep = gas::forms_for_maps});
  expect_greedy_set(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}), seed);
  handle.destroy();
}

TEST(maximal_independent_set, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const std::uint64_t seed : {1u, 7u}) expect_greedy_set(whole, seed);
  }
}

TEST(maximal_independent_set, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_greedy_set(whole, 1, {.hash = true});
}

// The id that has this priority.
std::uint64_t id_of_priority(std::uint64_t priority, std::uint64_t seed) {
  const auto unshift = [](std::uint64_t x, int bits) { return x ^ (x >> bits) ^ (x >> 2 * bits); };
  std::uint64_t x = unshift(priority, 31) * 0x319642b2d24d8ec3u;
  x = unshift(x, 27) * 0x96de1b173f119089u;
  return unshift(x, 30) ^ mix64(seed);
}

// Priorities that equal the marks of joined and excluded vertices:
//   first - 1 - 2 - last    4 - last    first and last have loops
TEST(maximal_independent_set, takes_the_first_and_the_last_of_all_priorities_as_any_others) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const std::uint64_t first = id_of_priority(0, seed), last = id_of_priority(~std::uint64_t{0}, seed);
    ASSERT_EQ(independent_set_priority(first, seed), 0u);
    ASSERT_EQ(independent_set_priority(last, seed), ~std::uint64_t{0});
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
  std::ranges::sort(ids, {}, [](std::uint64_t id) { return independent_set_priority(id, 1); });
  test_graph chain{"chain", {}, {}};
  for (std::size_t k = 1; k < ids.size(); ++k) chain.list.edges.push_back({ids[k - 1], ids[k]});
  expect_greedy_set(chain, 1);
}

//   0 - 1 - .. - 40, each with all others, and as many beside each: prefixes are short, and hubs are out
//   early
TEST(maximal_independent_set, is_the_same_where_edges_are_many) {
  constexpr std::uint64_t hubs = 41;
  test_graph dense{"dense", {}, {}};
  for (std::uint64_t v = 0; v < hubs; ++v) {
    for (std::uint64_t u = 0; u < v; ++u) dense.list.edges.push_back({u, v});
    for (std::uint64_t k = 0; k < hubs; ++k) dense.list.edges.push_back({v, hubs + k});
  }
  for (const std::uint64_t seed : {1u, 2u, 3u}) expect_greedy_set(dense, seed);
}

TEST(maximal_independent_set, is_the_same_pushed_and_pulled) {
  for (const steps::direction way : {steps::direction::push, steps::direction::pull}) {
    for (const test_graph& whole : test_graphs::in_turn()) {
      SCOPED_TRACE(whole.name);
      const graph::distributed_graph handle =
          test_graphs::build(whole, {.symmetrize = true, .keep = gas::forms_for_maps});
      const auto members = graph::property<std::uint8_t>::create(handle),
                 either = graph::property<std::uint8_t>::create(handle);
      const auto told = maximal_independent_set(handle, members, {.maps = {.direction = {.wanted = way}}});
      EXPECT_EQ(told.size, maximal_independent_set(handle, either).size);
      EXPECT_EQ(test_graphs::by_position(handle, members), test_graphs::by_position(handle, either));
      members.destroy();
      either.destroy();
      handle.destroy();
    }
  }
}

TEST(maximal_independent_set, stops_before_the_next_round) {
  const graph::distributed_graph handle =
      test_graphs::build(test_graphs::all().back(), {.symmetrize = true, .keep = gas::forms_for_maps});
  const auto members = graph::property<std::uint8_t>::create(handle);
  const std::atomic<bool> stop{true};
  const independent_set_report told = maximal_independent_set(handle, members, {.stop = &stop});
  EXPECT_FALSE(told.ended);
  EXPECT_EQ(told.rounds, 0);
  members.destroy();
  handle.destroy();
}

TEST(maximal_independent_set, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.in_rows = true, .out_rows = true}, true, "maximal_independent_set",
      [](const test_graphs::kept_graph& kept) { expect_greedy_set(kept.handle, *kept.simple, 1); },
      [](const test_graphs::kept_graph& kept) {
        const auto members = graph::property<std::uint8_t>::create(kept.handle);
        maximal_independent_set(kept.handle, members);
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
