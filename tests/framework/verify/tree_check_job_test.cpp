#include "framework/verify/tree_check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::verify {
namespace {

constexpr float far = std::numeric_limits<float>::infinity();

struct test_graph {
  std::vector<edge> edges;
  std::vector<float> weights;  // or none
};

// Every core checks every n-th edge; core 0's answer.
tree_verdict check(const test_graph& graph, const std::vector<tree_place>& places, std::uint64_t root) {
  const tree_places tree = tree_places::create(places.size());
  delegates::completion_event written;
  for (std::size_t v = 0; v < places.size(); ++v) delegates::async_write(written, tree[v], places[v]);
  written.wait();
  tree_verdict verdict;
  loops::on_all_cores([=, from = at_home(graph), to = at_home(verdict)] {
    // Other locales' processes have no graph: core 0 deals.
    by_core<std::vector<edge>> edges(cores());
    by_core<std::vector<float>> weights(cores());
    if (my_core() == 0) {
      for (std::size_t k = 0; k < from->edges.size(); ++k) {
        edges[k % edges.size()].push_back(from->edges[k]);
        if (!from->weights.empty()) weights[k % edges.size()].push_back(from->weights[k]);
      }
    }
    const std::vector<edge> mine = collectives::all_to_all(edges)[0];
    const std::vector<float> my_weights = collectives::all_to_all(weights)[0];
    const tree_verdict all =
        check_tree(tree, root, [&](const edge_visitor& visit) { visit(mine, my_weights); });
    if (my_core() == 0) *to = all;
  });
  tree.destroy();
  return verdict;
}

//   0 --- 1 --- 2 --- 3     6 --- 7     8
//   |     |     |
//   4 --- 5 ----+           from 0; 1 and 4 are at level 1, 2 and 5 at 2, 3 at 3
const test_graph example{{{0, 1}, {2, 1}, {2, 3}, {4, 0}, {4, 5}, {1, 5}, {5, 2}, {6, 7}, {3, 3}, {0, 1}},
                         {}};
const std::vector<tree_place> right{{0, 0}, {0, 1}, {1, 2}, {2, 3}, {0, 1}, {4, 2}, {}, {}, {}};

void expect(tree_fault fault, std::uint64_t vertex, std::uint64_t other, std::vector<tree_place> places,
            const test_graph& graph = example) {
  const tree_verdict verdict = check(graph, places, 0);
  EXPECT_EQ(verdict.first, fault) << verdict.describe();
  EXPECT_EQ(verdict.vertex, vertex);
  EXPECT_EQ(verdict.other, other);
  EXPECT_EQ(verdict.faults > 0, fault != tree_fault::none);
}

// `right`, but for one vertex.
std::vector<tree_place> with(std::size_t vertex, tree_place place) {
  std::vector<tree_place> places = right;
  places[vertex] = place;
  return places;
}

TEST(tree_check, accepts_every_tree_of_least_distances) {
  expect(tree_fault::none, 0, 0, right);
  expect(tree_fault::none, 0, 0, with(5, {1, 2}));
  EXPECT_EQ(check(example, {{}, {}, {}, {}, {}, {}, {7, 1}, {7, 0}, {}}, 7).describe(), "the tree is right");
  EXPECT_EQ(check({{}, {}}, {{0, 0}}, 0).faults, 0u);
}

TEST(tree_check, refuses_a_wrong_root) {
  expect(tree_fault::root, 0, 1, with(0, {1, 0}));
  expect(tree_fault::root, 0, 0, with(0, {0, 1}));
  expect(tree_fault::root, 0, ~std::uint64_t{0}, with(0, {}));
  EXPECT_EQ(check(example, right, 4).first, tree_fault::root);
}

TEST(tree_check, refuses_a_cycle) {
  //   1 and 5 are each other's parents
  std::vector<tree_place> places = with(1, {5, 1});
  places[5] = {1, 2};
  expect(tree_fault::order, 1, 5, places);
  expect(tree_fault::order, 4, 4, with(4, {4, 1}));  // a second root
  places = with(6, {7, 5});
  places[7] = {6, 4};
  expect(tree_fault::order, 7, 6, places);
}

TEST(tree_check, refuses_an_edge_that_the_graph_has_not) {
  expect(tree_fault::edge, 5, 0, with(5, {0, 2}));
  expect(tree_fault::edge, 3, 5, with(3, {5, 3}));
}

TEST(tree_check, refuses_a_skipped_level) {
  std::vector<tree_place> places = with(2, {1, 3});
  places[3] = {2, 4};
  expect(tree_fault::span, 1, 2, places);
  expect(tree_fault::span, 2, 3, with(3, {2, 4}));
  expect(tree_fault::edge, 3, 2, with(3, {2, 2.5}));  // within the span of its edge
}

TEST(tree_check, refuses_to_reach_too_much_or_too_little) {
  expect(tree_fault::component, 2, 3, with(3, {}));
  expect(tree_fault::component, 6, 7, with(7, {0, 1}));
  expect(tree_fault::edge, 8, 0, with(8, {0, 1}));
}

TEST(tree_check, refuses_parents_that_are_none) {
  expect(tree_fault::parent, 3, 9, with(3, {9, 3}));
  expect(tree_fault::parent, 3, 6, with(3, {6, 3}));
  expect(tree_fault::parent, 3, 2, with(3, {2, far}));
  expect(tree_fault::parent, 3, ~std::uint64_t{0}, with(3, {-1, 3}));
}

//   0 --0.5-- 1 --0.25-- 2, and 0 --1-- 2, and a heavier edge beside the first
TEST(tree_check, takes_weights_into_account) {
  const test_graph weighted{{{0, 1}, {1, 2}, {2, 0}, {1, 0}}, {0.5, 0.25, 1, 0.75}};
  expect(tree_fault::none, 0, 0, {{0, 0}, {0, 0.5}, {1, 0.75}}, weighted);
  expect(tree_fault::span, 1, 2, {{0, 0}, {0, 0.5}, {0, 1}}, weighted);
  expect(tree_fault::span, 0, 1, {{0, 0}, {0, 0.75}, {1, 1}}, weighted);
  expect(tree_fault::edge, 1, 0, {{0, 0}, {0, 0.4f}, {1, 0.65f}}, weighted);
}

// More edges and vertices than a batch has, and a fault in one of the last.
TEST(tree_check, checks_all_of_a_long_path) {
  constexpr std::size_t length = 40'000;
  test_graph path;
  std::vector<tree_place> places(length);
  for (std::size_t v = 0; v < length; ++v) {
    places[v] = {static_cast<std::int64_t>(v == 0 ? 0 : v - 1), static_cast<float>(v)};
    if (v > 0) path.edges.push_back({v - 1, v});
  }
  expect(tree_fault::none, 0, 0, places, path);
  places[length - 2].parent = 0;
  expect(tree_fault::edge, length - 2, 0, places, path);
}

}  // namespace
}  // namespace orujo::internal::verify
