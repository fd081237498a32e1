// The edges of input_edges, packed or standing for their reverse, too, against themselves one by one.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "framework/graph/build/input.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

using weighted_edges = std::vector<std::pair<edge, float>>;

void append(weighted_edges& to, std::span<const edge> edges, std::span<const float> weights) {
  for (std::size_t k = 0; k < edges.size(); ++k) to.emplace_back(edges[k], weights.empty() ? 0 : weights[k]);
}

// With loops, and vertices up to the largest that can be packed.
input_edges some_edges(bool weighted, bool mirrored) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  input_edges made;
  made.vertex_count = most;
  made.weighted = weighted;
  made.mirrored = mirrored;
  random_stream random(7);
  for (std::uint64_t k = 0; k < 600'000; ++k) {
    const std::uint64_t source = k % 3 == 0 ? most - 1 - random.below(9) : random.below(most);
    made.mine.edges.push_back({source, k % 10 == 0 ? source : random.below(most)});
    if (weighted) made.mine.weights.push_back(static_cast<float>(k));
  }
  return made;
}

weighted_edges expected(const input_edges& of) {
  weighted_edges all;
  for (std::size_t k = 0; k < of.mine.edges.size(); ++k) {
    const edge e = of.mine.edges[k];
    const float weight = of.weighted ? of.mine.weights[k] : 0;
    all.emplace_back(e, weight);
    if (of.mirrored && e.source != e.target) all.emplace_back(edge{e.target, e.source}, weight);
  }
  return all;
}

TEST(input_batches, are_all_edges_in_their_order) {
  for (const bool weighted : {false, true}) {
    for (const bool mirrored : {false, true}) {
      for (const bool packed : {false, true}) {
        SCOPED_TRACE(testing::Message() << weighted << mirrored << packed);
        input_edges input = some_edges(weighted, mirrored);
        const weighted_edges all = expected(input);
        EXPECT_EQ(input.count(), all.size());
        if (packed) input.pack_edges();
        weighted_edges visited, consumed;
        input.visit_batches([&](auto edges, auto weights) { append(visited, edges, weights); });
        input.consume_batches([&](auto edges, auto weights) { append(consumed, edges, weights); });
        EXPECT_TRUE(visited == all);
        EXPECT_TRUE(consumed == all);
        EXPECT_TRUE(input.mine.edges.empty() && input.packed.empty());
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
