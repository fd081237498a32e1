// What every graph application does with a graph's vertices: the same for every partition.
#include "applications/harness/graph_harness.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "applications/harness/sources.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::harness {
namespace {

graph::build_options cut_by(bool hash) { return {.partition = {.hash = hash}}; }

TEST(graph_harness, visits_all_vertices_in_ascending_order_of_the_ids) {
  const std::vector<test_graphs::test_graph> graphs = test_graphs::all();
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    for (const bool hash : {false, true}) {
      const graph::distributed_graph graph = test_graphs::build(k, cut_by(hash));
      const auto doubled = gas::property<std::uint64_t>::create(graph);
      loops::on_all_cores([=] {
        const graph::locale_graph& g = graph.here();
        for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
          doubled.here()[v] = 2 * g.external_id(v);
      });
      std::vector<std::uint64_t> ids;
      visit_vertices(graph, doubled, [&](const vertex_values<std::uint64_t>& some) {
        ids.insert(ids.end(), some.ids.begin(), some.ids.end());
        for (std::size_t i = 0; i < some.ids.size(); ++i) EXPECT_EQ(some.values[i], 2 * some.ids[i]);
      });
      EXPECT_EQ(ids, test_graphs::expected_graph(graphs[k], {}).ids)
          << graphs[k].name << (hash ? ", hash" : "");
      doubled.destroy();
      graph.destroy();
    }
  }
}

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
}  // namespace orujo::harness
