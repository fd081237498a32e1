#include "framework/graph/build/shuffle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::plain_edge;

std::vector<test_graphs::test_graph> make_numbered_graphs() {
  std::vector<test_graphs::test_graph> graphs;
  for (test_graphs::test_graph g : test_graphs::all()) {
    std::uint64_t largest = 0;
    for (const edge& e : g.list.edges) largest = std::max({largest, e.source, e.target});
    if (largest >= 100'000) continue;
    if (!g.vertex_count) g.vertex_count = largest + 1;
    graphs.push_back(std::move(g));
  }
  // More edges than fit one bin, many to few vertices.
  graphs.push_back({"several_bins", test_graphs::random_edges(6, 3000, 200'000, true), 3000});
  return graphs;
}

// Graphs whose ids are the vertex numbers; the same list in every process, made once.
const std::vector<test_graphs::test_graph>& numbered_graphs() {
  static const std::vector<test_graphs::test_graph> graphs = make_numbered_graphs();
  return graphs;
}

// [task; suspends; collective over the job] This core's rows, row by row: {row's vertex, neighbour, weight}.
std::vector<plain_edge> rows_here(const test_graphs::test_graph& whole, const build_options& options,
                                  rows_of grouping) {
  input_edges input = test_graphs::part_of_input(whole, my_core(), cores());
  edge_counts by_target = count_edges(input, *whole.vertex_count, options, rows_of::in_edges);
  const partition owners = choose_partition(by_target, 4);
  edge_counts by_source = count_edges(input, *whole.vertex_count, options, rows_of::out_edges);
  by_source.add_up();
  const rows made =
      make_rows(input, owners, options, grouping == rows_of::in_edges ? by_target : by_source, last_use::yes);
  std::vector<plain_edge> edges;
  CHECK_EQ(made.vertices(), owners.last_of(my_core()) - owners.first_of(my_core()));
  for (std::uint64_t row = 0; row < made.vertices(); ++row) {
    for (std::uint64_t k = made.offsets[row]; k < made.offsets[row + 1]; ++k) {
      edges.push_back({owners.first_of(my_core()) + row, made.neighbour(k),
                       whole.list.weights.empty() ? 1.0f : made.weights[k]});
    }
  }
  return edges;
}

void expect_right_rows(const build_options& options, rows_of grouping) {
  const auto& graphs = numbered_graphs();
  std::vector<std::vector<plain_edge>> got(graphs.size());
  loops::on_all_cores([options, grouping, to = got.data()] {
    const auto& same_graphs = numbered_graphs();
    for (std::size_t g = 0; g < same_graphs.size(); ++g) {
      const auto all = collectives::gather(rows_here(same_graphs[g], options, grouping), 0);
      for (const auto& part : all) to[g].insert(to[g].end(), part.begin(), part.end());
    }
  });
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    SCOPED_TRACE(graphs[g].name);
    std::vector<plain_edge> expected = test_graphs::expected_graph(graphs[g], options).edges;
    if (grouping == rows_of::in_edges) {
      for (plain_edge& e : expected) std::swap(e.source, e.target);
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(got[g] == expected) << got[g].size() << " edges, expected " << expected.size();
  }
}

TEST(shuffle, gives_every_core_its_in_edges) {
  expect_right_rows({}, rows_of::in_edges);
  expect_right_rows({.remove_self_loops = true, .symmetrize = true, .remove_duplicates = false},
                    rows_of::in_edges);
}

TEST(shuffle, gives_every_core_its_out_edges) {
  expect_right_rows({}, rows_of::out_edges);
  expect_right_rows({.remove_self_loops = false, .symmetrize = false, .remove_duplicates = true},
                    rows_of::out_edges);
}

// A generated input is made anew whenever it is visited; as a list it gives the same, whatever the numbers.
TEST(shuffle, takes_generated_edges_as_it_takes_lists) {
  int different = 0;
  loops::on_all_cores([to = at_home(different)] {
    const auto spec = generators::parse_generator("kronecker:9:weights=1..9").value();
    input_source source{"", spec, ""};
    input_edges generated = read_input(source).value(), listed = read_input(source).value();
    listed.mine = generators::generate(spec, listed.generated->first, listed.generated->last);
    const numbering numbers = numbering::scattered(spec.vertex_count());
    generated.generated->numbers = numbers;
    for (edge& e : listed.mine.edges) e = {numbers.number(e.source), numbers.number(e.target)};
    listed.generated.reset();
    const build_options options{.remove_self_loops = true, .symmetrize = true, .remove_duplicates = true};
    edge_counts counts = count_edges(generated, spec.vertex_count(), options, rows_of::in_edges);
    const partition owners = choose_partition(counts, 4);
    const rows a = make_rows(generated, owners, options, counts, last_use::yes);
    const rows b = make_rows(listed, owners, options, counts, last_use::yes);
    const bool same = std::ranges::equal(a.offsets, b.offsets) &&
                      std::ranges::equal(a.neighbours.part(0, a.edges()), b.neighbours.part(0, a.edges())) &&
                      std::ranges::equal(a.weights.part(0, a.edges()), b.weights.part(0, a.edges()));
    const int failures = collectives::reduce(same ? 0 : 1, 0);
    if (my_core() == 0) *to = failures;
  });
  EXPECT_EQ(different, 0) << "cores have different rows";
}

}  // namespace
}  // namespace orujo::internal::graph
