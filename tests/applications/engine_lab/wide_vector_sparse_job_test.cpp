#include "applications/engine_lab/wide_vector_sparse.hpp"

#include <gtest/gtest.h>

#include "system/collectives/collectives.hpp"
#include "tests/applications/engine_lab/wide_store.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

// Everything that must hold of a locale's rows in the wide encoding, made by its cores together.
void expect_encodes(const locale_graph& g, const adjacency& rows) {
  const core_part& part = g.my_part();
  const std::uint32_t indices = g.own + g.mirrors;
  const auto graph = encode_wide(rows, part.first, part.last, indices);
  if (leads_locale()) {
    EXPECT_EQ(test_graphs::fault_of(graph->view(), indices), "");
    std::uint64_t k = 0, wrong = 0;
    test_graphs::for_each_edge(graph->view(),
                               [&](std::uint64_t vertex, std::uint64_t neighbour, float weight) {
                                 while (vertex + 1 < rows.offsets.size() && k >= rows.offsets[vertex + 1])
                                   ++wrong, ++k;
                                 wrong += k < rows.offsets[vertex] || neighbour != rows.neighbours[k] ||
                                          weight != (g.weighted ? rows.weights[k] : 1.0f);
                                 ++k;
                               });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(k, rows.edges());
    EXPECT_EQ(graph->slices.size(), static_cast<std::size_t>(my_locales_cores()));
  }
  collectives::barrier(collectives::group::locale);
}

TEST(wide_vector_sparse, is_encoded_by_all_cores_in_both_directions) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[index].name);
    build_options options;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const distributed_graph handle = test_graphs::build(index, options);
    loops::on_all_cores([handle] {
      const locale_graph& g = handle.here();
      expect_encodes(g, *g.in_rows);
      expect_encodes(g, *g.out_rows);
    });
    handle.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::graph
