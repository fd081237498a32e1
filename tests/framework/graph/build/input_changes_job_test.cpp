#include "framework/graph/build/input_changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::test_graph;

struct changed_input {
  std::vector<std::pair<edge, float>> edges;  // sorted
  std::optional<std::uint64_t> vertex_count;
  std::uint64_t first_id = 0;
  friend bool operator==(const changed_input&, const changed_input&) = default;
};

void append_edges(changed_input& to, std::span<const edge> edges, std::span<const float> weights) {
  for (std::size_t k = 0; k < edges.size(); ++k)
    to.edges.emplace_back(edges[k], weights.empty() ? 1 : weights[k]);
}

// [task; suspends; collective over the job] All cores' edges, at every core.
changed_input gathered(const input_edges& input) {
  std::vector<edge> mine;
  std::vector<float> weights;
  input.visit_batches([&](std::span<const edge> some, std::span<const float> theirs) {
    mine.insert(mine.end(), some.begin(), some.end());
    weights.insert(weights.end(), theirs.begin(), theirs.end());
  });
  changed_input all{{}, input.vertex_count, input.first_id};
  const auto edges_of = collectives::all_gather(mine);
  const auto weights_of = collectives::all_gather(weights);
  for (std::size_t c = 0; c < edges_of.size(); ++c) append_edges(all, edges_of[c], weights_of[c]);
  std::sort(all.edges.begin(), all.edges.end());
  return all;
}

changed_input changed_serially(input_edges input, const input_changes& changes) {
  change_serially(input, changes);
  changed_input made{{}, input.vertex_count, input.first_id};
  append_edges(made, input.mine.edges, input.mine.weights);
  std::sort(made.edges.begin(), made.edges.end());
  return made;
}

constexpr input_changes every_change[] = {{true, false}, {false, true}, {true, true}};

std::vector<test_graph> many_graphs() {
  std::vector<test_graph> graphs = test_graphs::all();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    // About as many edges as vertices, or fewer: many components.
    const bool weighted = seed % 2 == 0;
    test_graph g{
        "random " + std::to_string(seed), test_graphs::random_edges(seed, 300, 40 * seed, weighted), {}};
    if (seed % 3 == 0) g.vertex_count = 300;
    graphs.push_back(std::move(g));
  }
  // A long path whose edges are everywhere, and two components of one size.
  test_graph path{"long path", {}, {}};
  for (std::uint64_t v = 0; v < 3000; ++v)
    path.list.edges.push_back({v * 7919 % 3001, (v + 1) * 7919 % 3001});
  graphs.push_back(path);
  graphs.push_back({"a tie", {{{9, 8}, {3, 4}, {1, 1}, {7, 9}, {5, 4}}, {}}, {}});
  return graphs;
}

// Every process makes them.
const std::vector<test_graph>& graphs_here() {
  static const std::vector<test_graph> graphs = many_graphs();
  return graphs;
}

TEST(input_changes, are_the_same_as_by_one_reader) {
  const std::vector<test_graph>& graphs = graphs_here();
  for (std::size_t index = 0; index < graphs.size(); ++index) {
    for (const input_changes& changes : every_change) {
      for (const std::uint64_t first_id : {0, 1}) {
        SCOPED_TRACE(graphs[index].name);
        const test_graph& whole = graphs[index];
        if (first_id > 0 && !whole.vertex_count) continue;
        input_edges all = test_graphs::part_of_input(whole, 0, 1);
        all.first_id = first_id;
        const changed_input expected = changed_serially(std::move(all), changes);
        const bool same = loops::on_all_cores([index, changes, first_id, want = at_home(expected)] {
          input_edges mine = test_graphs::part_of_input(graphs_here()[index], my_core(), cores());
          mine.first_id = first_id;
          change_input(mine, changes);
          const changed_input got = gathered(mine);
          return my_core() != 0 || got == *want;
        });
        EXPECT_TRUE(same) << "transposed " << changes.transpose;
      }
    }
  }
}

TEST(input_changes, keep_known_components) {
  input_edges input;
  input.mine = {{{9, 8}, {3, 4}, {1, 1}, {7, 9}, {5, 4}}, {1, 2, 3, 4, 5}};
  const changed_input made = changed_serially(input, {.transpose = true, .largest_component = true});
  EXPECT_EQ(made.edges, (std::vector<std::pair<edge, float>>{{{4, 3}, 2}, {{4, 5}, 5}}));
  EXPECT_FALSE(made.vertex_count);
  // The numbering stays that of the file, with all vertices or with some.
  for (const std::uint64_t vertices : {2, 3}) {
    input = {};
    input.mine = {{{0, 1}}, {}};
    input.vertex_count = vertices;
    input.first_id = 1;
    const changed_input kept = changed_serially(input, {.largest_component = true});
    EXPECT_EQ(kept.edges, (std::vector<std::pair<edge, float>>{{{0, 1}, 1}}));
    EXPECT_EQ(kept.vertex_count, vertices == 2 ? std::optional<std::uint64_t>(2) : std::nullopt);
    EXPECT_EQ(kept.first_id, 1u);
  }
  input = {};
  input.vertex_count = 4;
  input.first_id = 1;
  const changed_input alone = changed_serially(input, {.largest_component = true});
  EXPECT_EQ(alone.vertex_count, 1u);
  EXPECT_EQ(alone.first_id, 1u);
}

constexpr const char* generated_graphs[] = {"uniform:9:edgefactor=1:weights=1..9", "tree:100", "mesh2d:9x7"};

TEST(input_changes, reach_generated_edges) {
  for (std::size_t k = 0; k < std::size(generated_graphs); ++k) {
    const char* const text = generated_graphs[k];
    for (const input_changes& changes : every_change) {
      const auto spec = generators::parse_generator(text).value();
      const changed_input expected = changed_serially(read_serially({"", spec, text}).value(), changes);
      int different = 0;
      loops::on_all_cores([k, changes, want = at_home(expected), to = at_home(different)] {
        const char* const here = generated_graphs[k];  // elsewhere in every process
        input_edges mine = read_input({"", generators::parse_generator(here).value(), here}).value();
        change_input(mine, changes);
        const changed_input got = gathered(mine);
        if (my_core() == 0) *to = got == *want ? 0 : 1;
      });
      EXPECT_EQ(different, 0) << text << ", transposed " << changes.transpose;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
