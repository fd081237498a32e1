#include "framework/exchange/mirror_homes.hpp"

#include <gtest/gtest.h>

#include "tests/framework/job_graph.hpp"

namespace orujo::exchange {
namespace {

int wrong_homes(const graph::locale_graph& g) {
  const mirror_homes homes(g);
  int wrong = 0;
  for (std::uint32_t m = 0; m < g.mirrors; ++m) {
    const graph::owned_place here = homes[m], there = g.home_of(m);
    wrong += here.owner != there.owner || here.local != there.local;
  }
  return loops::all_reduce(wrong);
}

TEST(mirror_homes, are_those_that_the_graph_has) {
  for (std::size_t index = 0; index < test_graphs::all().size(); ++index) {
    graph::build_options options;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(index, options);
    int wrong = -1;
    loops::on_all_cores([graph, to = &wrong] {
      const int found = wrong_homes(graph.here());
      if (my_core() == 0) *to = found;
    });
    EXPECT_EQ(wrong, 0) << test_graphs::all()[index].name;
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::exchange
