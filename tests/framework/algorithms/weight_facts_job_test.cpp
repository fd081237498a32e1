#include "framework/algorithms/weight_facts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "framework/algorithms/shortest_paths.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

// The facts about a path whose edges have these weights.
weight_facts facts_of(const std::vector<float>& weights) {
  test_graphs::test_graph path{"path", {}, {}};
  for (std::uint64_t v = 0; v < weights.size(); ++v) path.list.edges.push_back({v, v + 1});
  path.list.weights = weights;
  graph::build_options options;
  options.keep = shortest_paths_forms();
  const graph::distributed_graph graph = test_graphs::build(path, options);
  const weight_facts found = loops::on_all_cores([=] { return find_weight_facts(graph.here()); });
  graph.destroy();
  return found;
}

constexpr float subnormal = std::numeric_limits<float>::denorm_min();

TEST(weight_facts, has_the_lowest_bit_of_all_weights) {
  const auto grain = [](std::vector<float> weights) { return facts_of(weights).grain; };
  EXPECT_EQ(grain({1, 2, 3}), 0);
  EXPECT_EQ(grain({0, 0, 0}), 0);
  EXPECT_EQ(grain({16777215, 0x1p24f, 0x1p31f, 3e38f}), 0);
  EXPECT_EQ(grain({8388607, 4194303.5f, 1}), -1);
  EXPECT_EQ(grain({8388608, 0.75f, 1}), -2);
  EXPECT_EQ(grain({0x1p-20f, 0x3p-20f, 0.5f}), -20);
  EXPECT_EQ(grain({0.1f}), -27);
  EXPECT_EQ(grain({1, 0x1p-126f}), -126);
  EXPECT_EQ(grain({1, 3 * subnormal}), -149);
  EXPECT_EQ(grain({4 * subnormal}), -147);
}

TEST(weight_facts, tells_where_single_precision_is_exact) {
  EXPECT_EQ(facts_of({1, 2, 3}).exact_below(), 0x1p24f);
  EXPECT_EQ(facts_of({1, 0.25f}).exact_below(), 0x1p22f);
  EXPECT_EQ(facts_of({subnormal}).exact_below(), 0x1p-125f);
}

TEST(weight_facts, tells_rounded_decimals_from_numbers_that_are_meant) {
  EXPECT_FALSE(facts_of({1, 2, 16777216, 3e38f}).are_rounded());
  EXPECT_FALSE(facts_of({0.5f, 0.25f, 1000.75f}).are_rounded());
  EXPECT_TRUE(facts_of({0.1f}).are_rounded());
  EXPECT_TRUE(facts_of({1, 2.3f}).are_rounded());
  EXPECT_TRUE(facts_of({20000.1f}).are_rounded());
}

TEST(weight_facts, has_sums_and_extremes) {
  const weight_facts facts = facts_of({3, 5, 0.5f, 7});
  EXPECT_EQ(facts.sum, 15.5);
  EXPECT_EQ(facts.edges, 4u);
  EXPECT_EQ(facts.sources, 4u);
  EXPECT_EQ(facts.smallest, 0.5f);
  EXPECT_EQ(facts.largest, 7);
  EXPECT_EQ(facts.bin_width(), 15.5f / 4);
}

}  // namespace
}  // namespace orujo::internal::algorithms
