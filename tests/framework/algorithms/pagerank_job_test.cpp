#include "framework/algorithms/pagerank.hpp"

#include <gtest/gtest.h>

#include "framework/verify/pagerank_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

TEST(pagerank, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<pagerank<double>>(
        symmetrized, [](const test_graphs::kept_graph& kept) {
          const auto ranks = gas::property<double>::create(kept.handle);
          loops::on_all_cores([=, graph = kept.handle] {
            pagerank<double> program(graph.here(), ranks.here(), {.iterations = 8});
            gas::run(program, graph.here());
          });
          const std::vector<double> found = test_graphs::by_vertex_number(ranks);
          ranks.destroy();
          const std::vector<double> right = verify::pagerank(*kept.simple, {.iterations = 8}).ranks;
          ASSERT_EQ(found.size(), right.size());
          for (std::size_t v = 0; v < right.size(); ++v)
            ASSERT_NEAR(found[v], right[v], 1e-12 * right[v]) << v;
        });
  }
}

}  // namespace
}  // namespace orujo::algorithms
