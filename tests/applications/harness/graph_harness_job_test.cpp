// Random choices of graph applications are the same for every partition.
#include "applications/harness/sources.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/framework/job_graph.hpp"

namespace orujo::internal::harness {
namespace {

graph::build_options cut_by(bool hash) { return {.partition = {.hash = hash}}; }

TEST(graph_harness, draws_the_same_sources_of_any_partition) {
  const std::vector<test_graphs::test_graph> graphs = test_graphs::all();
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    SCOPED_TRACE(graphs[k].name);
    const test_graphs::expected_graph expected(graphs[k], {});
    std::set<std::uint64_t> leading;  // positions of those that have out-edges
    for (const auto& e : expected.edges) leading.insert(e.source);
    std::vector<std::uint64_t> drawn;  // ids, with ranges
    for (const bool hash : {false, true}) {
      const graph::distributed_graph graph = test_graphs::build(k, cut_by(hash));
      const graph::loaded_graph loaded{graph, expected.ids.size(), expected.edges.size()};
      const std::vector<search_source> sources = choose_sources(loaded, 5).value();
      EXPECT_EQ(sources.size(), expected.ids.empty() ? 0u : 5u);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const search_source& s = sources[i];
        if (!hash) drawn.push_back(s.id);
        EXPECT_EQ(s.id, drawn[i]);
        EXPECT_EQ(s.id, expected.ids.at(s.position));
        EXPECT_EQ(s.number, graph.here().numbers.number(s.position));
        EXPECT_TRUE(leading.empty() || leading.contains(s.position));
      }
      graph.destroy();
    }
  }
}

}  // namespace
}  // namespace orujo::internal::harness
