// The oracle of sampled neighbours on graphs that leave it no choice, and its sizes on others.
#include "framework/verify/neighbour_sample_oracle.hpp"

#include <gtest/gtest.h>

#include <set>

namespace orujo::internal::verify {
namespace {

using sampled = std::vector<plain_edge<std::uint32_t>>;

//   0 -> 1 -> 2, 3 -> 1, 2 -> 2
const simple_graph sampled_path({{0, 1}, {1, 2}, {3, 1}, {2, 2}});

TEST(neighbour_sample_oracle, has_every_vertex_draw_once) {
  EXPECT_EQ(sample_neighbours(sampled_path, {{2}, {-1, -1, -1}}),
            (sampled{{0, 1, 2}, {1, 2, 1}, {2, 2, 1}, {3, 1, 2}}));
  EXPECT_EQ(sample_neighbours(sampled_path, {{0, 3}, {1, 0, 5}, false, false}),
            (sampled{{0, 1, 1}, {3, 1, 1}}));
  EXPECT_EQ(sample_neighbours(sampled_path, {{0}, {3}, true, false}),
            (sampled{{0, 1, 1}, {0, 1, 1}, {0, 1, 1}}));
  EXPECT_EQ(sample_neighbours(sampled_path, {{0}, {3}, true, true}), sampled());
}

//   0 -> 1 at 3, 0 -> 2 at 5, 0 -> 3 at 4, 0 -> 4 at 4, 1 -> 0 at 9
TEST(neighbour_sample_oracle, draws_edges_until_a_time) {
  const simple_graph timed({{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 0}}, {}, {3, 5, 4, 4, 9});
  sample_plan plan{{0}, {-1, -1}, false, false, 1, true, 4};
  EXPECT_EQ(sample_neighbours(timed, plan), (sampled{{0, 1, 1}, {0, 3, 1}, {0, 4, 1}}));
  plan.fan_outs = {1};
  plan.latest = true;
  EXPECT_EQ(sample_neighbours(timed, plan), (sampled{{0, 4, 1}}));
  plan.until = 7;
  EXPECT_EQ(sample_neighbours(timed, plan), (sampled{{0, 2, 1}}));
}

TEST(neighbour_sample_oracle, draws_as_many_as_wanted_and_none_twice) {
  std::vector<edge> edges;
  for (std::uint64_t v = 1; v < 30; ++v) edges.push_back({0, v});
  const sampled found = sample_neighbours(simple_graph(edges), {{0}, {12}, false, false, 3});
  EXPECT_EQ(found.size(), 12u);
  std::set<std::size_t> targets;
  for (const auto& e : found) targets.insert(e.target);
  EXPECT_EQ(targets.size(), 12u);
}

}  // namespace
}  // namespace orujo::internal::verify
