#include "framework/graph/build/degree_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "framework/graph/build/input_sample.hpp"
#include "framework/graph/build/load.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

std::string order_of(const std::string& generate, const edge_forms& keep = {}) {
  graph_request request;
  request.generate = generate;
  const auto loaded = load_graph(request, keep);
  EXPECT_TRUE(loaded.ok()) << loaded.status().message();
  return loaded.ok() ? loaded.value().order.name : "";
}

TEST(degree_order, is_chosen_for_large_graphs_with_hubs) {
  EXPECT_EQ(order_of("kronecker:16:edgefactor=4"), "degree");
  EXPECT_EQ(order_of("kronecker:15:edgefactor=4"), "none") << "too small";
  EXPECT_EQ(order_of("uniform:16:edgefactor=4"), "none") << "no hubs";
  EXPECT_EQ(order_of("mesh2d:300x300"), "none") << "neighbours are near";
  EXPECT_EQ(order_of("barabasi_albert:70000:edgefactor=4"), "none") << "the first vertices are the hubs";
}

TEST(degree_order, yields_to_what_is_requested) {
  EXPECT_EQ(order_of("kronecker:16:edgefactor=4", {.order = requested_order::of_ids}), "none");
  graph_request request;
  request.generate = "kronecker:16:edgefactor=4";
  request.partition = "hash";
  EXPECT_EQ(load_graph(request).value().order.name, "none");
}

struct sampled_edges {
  std::uint64_t count = 0, hash = 0;
  void add(const edge& e) {
    ++count;
    hash += (e.source * 1024 + e.target) * 0x9e3779b97f4a7c15;
  }
  bool operator==(const sampled_edges&) const = default;
};

// This core's edges, to be made or in memory.
input_edges my_part(const generators::generator_spec& spec, bool generated) {
  const index_range part = my_part_of_job({0, spec.edge_count()});
  input_edges input;
  if (generated) {
    input.generated = {spec, part.first, part.last, {}, false};
  } else {
    input.mine = generators::generate(spec, part.first, part.last);
  }
  return input;
}

// 1,024 of 8,192 edges, in runs of which every eighth is taken.
TEST(input_sample, is_the_same_for_any_split) {
  const auto spec = generators::parse_generator("kronecker:10:edgefactor=8").value();
  const formats::edge_list all = generators::generate(spec, 0, spec.edge_count());
  for (const auto& [generated, run] :
       {std::pair(false, 1u), std::pair(true, 1u), std::pair(true, 3u), std::pair(true, 64u)}) {
    const sampled_edges found = loops::on_all_cores([spec, generated = generated, run = run] {
      const input_edges input = my_part(spec, generated);
      sampled_edges mine;
      input_sample(input, 1000, run).visit([&](const edge& e) { mine.add(e); });
      return collectives::all_reduce(mine, [](const sampled_edges& a, const sampled_edges& b) {
        return sampled_edges{a.count + b.count, a.hash + b.hash};
      });
    });
    sampled_edges expected;
    for (std::size_t k = 0; k < all.edges.size(); ++k) {
      if (k / run % 8 == 0) expected.add(all.edges[k]);
    }
    EXPECT_EQ(found, expected) << generated << " " << run;
  }
}

}  // namespace
}  // namespace orujo::internal::graph
