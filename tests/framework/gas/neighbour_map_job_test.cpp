// Neighbour maps against a serial loop over the edges.
#include "framework/gas/neighbour_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include "framework/graph/vertex_map.hpp"
#include "system/base/random.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using graph::vertex_set;
using test_graphs::expected_graph;

// What a vertex has seen: a polynomial of all in its order, so that order, repetitions and weights count.
struct seen {
  std::uint64_t hash = 0, own = 0, looks = 0;
  friend bool operator==(const seen&, const seen&) = default;
};

std::uint64_t shown_of(std::uint64_t number) { return mix64(number + 3); }
void see(seen& s, std::uint64_t value, float weight) {
  s.hash = s.hash * 1'000'003 + value * static_cast<std::uint64_t>(weight * 16);
}

struct recorder {
  property<seen> all;
  void operator()(const vertex& v, std::uint64_t own, const neighbours<std::uint64_t>& in) const {
    all[v].own = own;
    ++all[v].looks;
    for (const auto& [value, weight] : in) see(all[v], value, weight);
  }
};

std::vector<seen> seen_serially(const expected_graph& g, const std::function<bool(std::uint64_t)>& looks) {
  std::vector<test_graphs::plain_edge> edges = g.edges;
  std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
    return std::tie(a.target, a.source, a.weight) < std::tie(b.target, b.source, b.weight);
  });
  std::vector<seen> all(g.ids.size());
  for (std::uint64_t v = 0; v < all.size(); ++v) {
    if (looks(v)) all[v] = {0, shown_of(v), 1};
  }
  for (const auto& e : edges) {
    if (looks(e.target)) see(all[e.target], shown_of(e.source), e.weight);
  }
  return all;
}

TEST(neighbour_map, sees_all_in_neighbours_in_order) {
  graph::build_options options;
  options.keep = {.in_vectors = false, .in_rows = true};
  for (const std::size_t k : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[k].name);
    const expected_graph serial(test_graphs::all()[k], options);
    const auto handle = test_graphs::build(k, options);
    const auto all = property<seen>::create(handle);
    const auto show = [](const vertex& v) { return shown_of(v.number()); };
    neighbour_map(handle, show, recorder{all});
    EXPECT_EQ(test_graphs::by_vertex_number(all), seen_serially(serial, [](auto) { return true; }));

    const auto some = [](std::uint64_t number) { return number % 3 == 1; };
    const vertex_set members =
        graph::vertex_filter(vertex_set::all(handle), [=](const vertex& v) { return some(v.number()); });
    const auto fewer = property<seen>::create(handle);
    neighbour_map(members, show, recorder{fewer});
    EXPECT_EQ(test_graphs::by_vertex_number(fewer), seen_serially(serial, some));
    // The set is as before, in any form.
    EXPECT_EQ(graph::subtract(members, vertex_set::none(handle)).numbers(), members.numbers());
    fewer.destroy();
    all.destroy();
    handle.destroy();
  }
}

// Numbers of paths, one edge more in each step.
TEST(neighbour_map, shows_values_from_before_the_step) {
  graph::build_options options;
  options.keep = {.in_vectors = false, .in_rows = true};
  const std::size_t k = test_graphs::all().size() - 1;
  const expected_graph serial(test_graphs::all()[k], options);
  const auto handle = test_graphs::build(k, options);
  const auto count = property<std::uint64_t>::create(handle);
  graph::vertex_map(vertex_set::all(handle), [=](const vertex& v) { count[v] = v.number() % 7; });
  std::vector<std::uint64_t> now(serial.ids.size());
  for (std::size_t v = 0; v < now.size(); ++v) now[v] = v % 7;
  for (int step = 0; step < 3; ++step) {
    neighbour_map(handle, count,
                  [count](const vertex& v, std::uint64_t, const neighbours<std::uint64_t>& in) {
                    for (const auto& from : in) count[v] += from.value;
                  });
    const std::vector<std::uint64_t> before = now;
    for (const auto& e : serial.edges) now[e.target] += before[e.source];
  }
  EXPECT_EQ(test_graphs::by_vertex_number(count), now);
  count.destroy();
  handle.destroy();
}

TEST(neighbour_map, does_nothing_for_an_empty_set) {
  const auto handle = test_graphs::build(0, {});
  neighbour_map(
      vertex_set::none(handle), [](const vertex&) { return 0; },
      [](const vertex&, int, const neighbours<int>&) { FAIL(); });
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
