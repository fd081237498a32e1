// The oracle of random walks on graphs that leave them no choice, or of which the shares are known.
#include "framework/verify/random_walks_oracle.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace orujo::internal::verify {
namespace {

using visit_counts = std::vector<std::uint64_t>;

//   1 -> 2 -> 3 -> 4
const simple_graph walked_path({{1, 2}, {2, 3}, {3, 4}});

TEST(random_walks_oracle, follows_edges_until_there_are_none_or_the_walk_is_over) {
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 1, .length = 0}), (visit_counts{1, 1, 1, 1}));
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 2, .length = 1}), (visit_counts{2, 4, 4, 4}));
  EXPECT_EQ(count_visits(walked_path, {.per_vertex = 1, .length = 9}), (visit_counts{1, 2, 3, 4}));
}

//   1 -> 2, 1 -> 3 (twice), and back
TEST(random_walks_oracle, takes_every_edge_as_often_as_others) {
  const simple_graph fork({{1, 2}, {1, 3}, {1, 3}, {2, 1}, {3, 1}});
  const visit_counts visits = count_visits(fork, {.walks = 30'000, .length = 1, .seed = 5});
  EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), std::uint64_t{0}), 60'000u);
  // A third begins at each; from 1 a third goes to 2, and from 2 and 3 all go to 1.
  EXPECT_NEAR(static_cast<double>(visits[0]), 30'000, 600);
  EXPECT_NEAR(static_cast<double>(visits[1]), 13'333, 600);
  EXPECT_NEAR(static_cast<double>(visits[2]), 16'667, 600);
}

//   0 - 1 - 2, 0 - 2, 1 - 3, as edges of both directions; that from 1 to 2 weighs 5, that to 3 nothing
TEST(random_walks_oracle, knows_the_probabilities_of_steps) {
  const simple_graph kite({{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}, {1, 3}, {3, 1}}, {},
                          {1, 1, 5, 5, 1, 1, 0, 0});
  const walk_plan plan{.p = 0.5, .q = 4};
  EXPECT_EQ(step_probabilities(kite, plan, 1, std::nullopt),
            (std::vector<double>{1 / 3.0, 0, 1 / 3.0, 1 / 3.0}));
  // Back to 0 has 2, to 2, which has an edge to 0, 1, and to 3 a quarter.
  EXPECT_EQ(step_probabilities(kite, plan, 1, 0), (std::vector<double>{2 / 3.25, 0, 1 / 3.25, 0.25 / 3.25}));
  const walk_plan by_weight{.p = 0.5, .q = 4, .weighted = true};
  EXPECT_EQ(step_probabilities(kite, by_weight, 1, 0), (std::vector<double>{2 / 7.0, 0, 5 / 7.0, 0}));
  EXPECT_TRUE(step_probabilities(kite, by_weight, 3, 1).empty());
}

TEST(random_walks_oracle, follows_the_only_edge_whatever_the_bias) {
  const walk_plan plan{.per_vertex = 1, .length = 5, .p = 0.001, .q = 1000, .weighted = true};
  EXPECT_EQ(find_walk(walked_path, plan, 1), (std::vector<std::size_t>{1, 2, 3}));
}

//   0 -> 1, 0 -> 2, 2 -> 0, 2 -> 3, 3 -> 2, with types a b a b: from 0 to 1, from 2 to 3 and back
TEST(random_walks_oracle, follows_edges_to_the_next_type) {
  const simple_graph mixed({{0, 1}, {0, 2}, {2, 0}, {2, 3}, {3, 2}});
  const walk_plan plan{.per_vertex = 2, .length = 3, .types = {7, 8, 7, 8}, .metapath = {7, 8, 7}};
  EXPECT_EQ(count_visits(mixed, plan), (visit_counts{2, 2, 4, 4}));
  EXPECT_EQ(find_walk(mixed, plan, 1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(find_walk(mixed, plan, 2), (std::vector<std::size_t>{2, 3, 2, 3}));
}

//   0 -> 1 at 5, 1 -> 2 at 4 and 1 -> 3 at 5, 3 -> 1 at 6, 3 -> 0 at 4
TEST(random_walks_oracle, does_not_go_back_in_time) {
  const simple_graph timed({{0, 1}, {1, 2}, {1, 3}, {3, 1}, {3, 0}}, {}, {5, 4, 5, 6, 4});
  const walk_plan plan{.per_vertex = 1, .length = 9, .timed = true};
  EXPECT_EQ(find_walk(timed, plan, 0), (std::vector<std::size_t>{0, 1, 3, 1}));
  EXPECT_EQ(find_walk(timed, plan, 2), (std::vector<std::size_t>{2}));
}

TEST(random_walks_oracle, finds_walks_that_differ) {
  const walk_plan plan{.per_vertex = 1, .length = 2};
  const std::vector<std::vector<std::int64_t>> walks{{0, 1, 2}, {1, 2, 3}, {2, 3, -1}, {3, -1, -1}};
  walk_comparison same(walked_path, plan), fewer = same, other = same;
  for (const auto& walk : walks) same.add(walk);
  EXPECT_TRUE(same.agrees());
  EXPECT_EQ(same.describe(), "all 4 walks are the serial oracle's");
  for (std::size_t w = 0; w < 3; ++w) fewer.add(walks[w]);
  EXPECT_FALSE(fewer.agrees());
  EXPECT_EQ(fewer.describe(), "3 walks are there where the serial oracle has 4");
  for (const std::size_t w : {0, 1, 3, 2}) other.add(walks[w]);
  EXPECT_FALSE(other.agrees());
  EXPECT_EQ(other.describe(), "2 of 4 walks are not the serial oracle's; the first is walk 2");
}

}  // namespace
}  // namespace orujo::internal::verify
