#include "framework/algorithms/mutual_information.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/graph/build/edges_in_memory.hpp"
#include "system/loops/forall.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::uint64_t vertices = 240;

graph::distributed_graph without_edges() {
  return test_graphs::build({"isolated", {}, vertices}, {.keep = {.in_vectors = false, .in_rows = true}});
}

// labels_of: a function of the position, which can travel.
template <class LabelOf>
graph::property<std::uint64_t> labelled(graph::distributed_graph graph, LabelOf label_of) {
  const auto labels = graph::property<std::uint64_t>::create(graph);
  loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      labels.here()[v] = label_of(g.position_of(v));
  });
  return labels;
}

TEST(mutual_information, is_1_of_the_same_parts_and_0_of_independent_ones) {
  const graph::distributed_graph handle = without_edges();
  const auto fourths = labelled(handle, [](std::uint64_t v) { return v % 4; });
  const auto renamed = labelled(handle, [](std::uint64_t v) { return 1'000'000 - v % 4; });
  const auto thirds = labelled(handle, [](std::uint64_t v) { return v % 3; });
  const auto whole = labelled(handle, [](std::uint64_t) { return std::uint64_t{7}; });
  EXPECT_NEAR(normalized_mutual_information(handle, fourths, fourths), 1, 1e-12);
  EXPECT_NEAR(normalized_mutual_information(handle, fourths, renamed), 1, 1e-12);
  EXPECT_NEAR(normalized_mutual_information(handle, fourths, thirds), 0, 1e-12);
  EXPECT_NEAR(normalized_mutual_information(handle, fourths, whole), 0, 1e-12);
  EXPECT_EQ(normalized_mutual_information(handle, whole, whole), 1);
  for (const auto& labels : {fourths, renamed, thirds, whole}) labels.destroy();
  handle.destroy();
}

// Halves of parts: their entropy is larger by log 2, and the mutual information is the parts' entropy.
TEST(mutual_information, of_a_refinement_is_between) {
  const graph::distributed_graph handle = without_edges();
  const auto fourths = labelled(handle, [](std::uint64_t v) { return v % 4; });
  const auto eighths = labelled(handle, [](std::uint64_t v) { return v % 8; });
  EXPECT_NEAR(normalized_mutual_information(handle, fourths, eighths),
              2 * std::log(4) / (std::log(4) + std::log(8)), 1e-12);
  fourths.destroy();
  eighths.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
