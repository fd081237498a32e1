// The compact Vector-Sparse encoding: layout, slices, side index, checks.
#include "framework/graph/vector_sparse.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::graph {
namespace {

using edge = std::tuple<std::uint32_t, std::uint32_t, float>;  // top-level vertex, neighbour, weight

// The in-edges of vertices 0 .. vertices - 1 as compressed rows.
struct row_store {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  std::vector<float> weights;

  void add_vertex(std::uint64_t degree, const std::function<std::uint32_t()>& neighbour) {
    for (std::uint64_t i = 0; i < degree; ++i) {
      neighbours.push_back(neighbour());
      weights.push_back(static_cast<float>(neighbours.size() % 97) + 0.5f);
    }
    offsets.push_back(neighbours.size());
  }
  void add_empty(std::size_t count) { offsets.resize(offsets.size() + count, neighbours.size()); }

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  in_edge_rows rows(std::size_t first, std::size_t last) const {
    return {static_cast<std::uint32_t>(first), std::span(offsets).subspan(first, last - first + 1),
            neighbours, weights};
  }
  std::vector<edge> edges() const {
    std::vector<edge> all;
    for (std::uint32_t v = 0; v < vertices(); ++v) {
      for (std::uint64_t e = offsets[v]; e < offsets[v + 1]; ++e)
        all.emplace_back(v, neighbours[e], weights[e]);
    }
    return all;
  }
};

struct encoded {
  std::vector<edge_vector> edges;
  std::vector<weight_vector> weights;
  std::vector<std::uint32_t> top_level_at;

  vector_sparse_buffer buffer() { return {edges, weights, top_level_at}; }
};

// Encodes the slices [cuts[i], cuts[i + 1]), the last one first.
encoded encode_slices(const row_store& store, const std::vector<std::size_t>& cuts) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    starts.push_back(starts.back() + count_vectors(store.rows(cuts[i], cuts[i + 1])));
  }
  encoded graph;
  graph.edges.resize(starts.back());
  graph.weights.resize(starts.back());
  graph.top_level_at.resize(count_index_entries(starts.back()), 0xdeadbeef);
  for (std::size_t i = cuts.size() - 1; i-- > 0;)
    encode(store.rows(cuts[i], cuts[i + 1]), starts[i], graph.buffer());
  return graph;
}

encoded encode_all(const row_store& store) { return encode_slices(store, {0, store.vertices()}); }

std::vector<edge> decode(encoded& graph) {
  std::vector<edge> all;
  for_each_edge(graph.buffer(), [&](auto... each) { all.emplace_back(each...); });
  return all;
}

// Everything that must hold of an encoded graph.
void expect_encodes(encoded& graph, const row_store& store, std::uint32_t local_indices) {
  EXPECT_EQ(decode(graph), store.edges());
  const status valid = validate(graph.buffer(), store.vertices(), local_indices);
  EXPECT_TRUE(valid.ok()) << valid.message();
  std::uint32_t vertex = 0;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    // Inside a block a jump is seen from the vertex before it.
    const bool indexed_jump = k % vectors_per_index_entry == 0 && is_jump(graph.edges[k]);
    ASSERT_EQ(top_level_before(graph.buffer(), k), indexed_jump ? jump_target(graph.edges[k]) : vertex) << k;
    vertex = next_top_level(graph.edges[k], vertex);
  }
}

row_store random_store(random_stream& random, std::uint32_t vertices, std::uint32_t local_indices) {
  row_store store;
  while (store.vertices() < vertices) {
    switch (random.below(8)) {
      case 0:
        store.add_empty(1 + random.below(4));
        break;
      case 1:
        store.add_empty(random.below(16) == 0 ? 200 + random.below(120) : 0);
        break;
      case 2:
        store.add_vertex(random.below(100), [&] { return random.below(local_indices); });
        break;
      default:
        store.add_vertex(random.below(20), [&] { return random.below(local_indices); });
    }
  }
  return store;
}

TEST(vector_sparse, lays_out_known_bits) {
  // 3 <- 7    5 <- 9 times 1
  row_store store;
  store.add_empty(3);
  store.add_vertex(1, [] { return 7; });
  store.add_empty(1);
  store.add_vertex(9, [] { return 1; });
  const encoded graph = encode_all(store);
  ASSERT_EQ(graph.edges.size(), 4u);
  const std::uint32_t expected[4][8] = {
      {0x40000003, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000},
      {0x80000007, 0, 0, 0, 0, 0, 0, 0},
      {0x80000001, 0xc0000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001},
      {0x80000001, 0, 0, 0, 0, 0, 0, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(graph.edges[k].lane[i], expected[k][i]) << k << ", " << i;
  }
  EXPECT_EQ(graph.weights[1].lane[0], 1.5f);
  EXPECT_EQ(graph.weights[1].lane[1], 0.0f);
  EXPECT_EQ(graph.top_level_at, std::vector<std::uint32_t>{3});
}

TEST(vector_sparse, takes_no_vectors_for_no_edges) {
  row_store store;
  EXPECT_EQ(count_vectors(in_edge_rows{}), 0u);
  EXPECT_EQ(count_vectors(store.rows(0, 0)), 0u);
  store.add_empty(1000);
  encoded graph = encode_all(store);
  EXPECT_TRUE(graph.edges.empty());
  EXPECT_EQ(packing_efficiency(graph.buffer()), 1.0);
  expect_encodes(graph, store, 1);
}

TEST(vector_sparse, bridges_gaps_with_steps_to_255_and_jumps_beyond) {
  for (const std::uint32_t gap : {1u, 2u, 128u, 254u, 255u, 256u, 257u, 1000u, 5'000'000u}) {
    row_store store;
    store.add_vertex(1, [] { return 0; });
    store.add_empty(gap - 1);
    store.add_vertex(1, [] { return 0; });
    encoded graph = encode_all(store);
    EXPECT_EQ(graph.edges.size(), gap <= max_step ? 3u : 4u) << "gap " << gap;
    expect_encodes(graph, store, 1);
  }
}

TEST(vector_sparse, holds_all_edges_of_one_vertex) {
  for (const std::uint64_t degree : {1, 7, 8, 9, 16, 17, 511, 512, 513, 10'000}) {
    row_store store;
    std::uint32_t next = 0;
    store.add_vertex(degree, [&] { return next++; });
    encoded graph = encode_all(store);
    EXPECT_EQ(graph.edges.size(), 1 + (degree + 7) / 8);
    expect_encodes(graph, store, next);
  }
}

TEST(vector_sparse, keeps_duplicates_self_loops_and_the_largest_index) {
  row_store store;
  store.add_vertex(20, [] { return 0; });
  store.add_vertex(3, [] { return local_index_mask; });
  encoded graph = encode_all(store);
  expect_encodes(graph, store, local_index_mask + 1);
}

TEST(vector_sparse, round_trips_random_graphs_in_any_slices) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const std::uint32_t local_indices = static_cast<std::uint32_t>(1 + random.below(2000));
    const row_store store =
        random_store(random, static_cast<std::uint32_t>(random.below(1500)), local_indices);
    std::vector<std::size_t> cuts{0, store.vertices()};
    for (std::uint64_t i = random.below(7); i > 0; --i) cuts.push_back(random.below(store.vertices() + 1));
    std::sort(cuts.begin(), cuts.end());
    encoded graph = encode_slices(store, cuts);
    expect_encodes(graph, store, local_indices);
  }
}

TEST(vector_sparse, weighs_edges_without_weights_one) {
  row_store store;
  store.add_vertex(10, [] { return 0; });
  in_edge_rows rows = store.rows(0, 1);
  rows.weights = {};
  encoded graph = encode_all(store);
  encode(rows, 0, graph.buffer());
  for (const auto& [vertex, neighbour, weight] : decode(graph)) EXPECT_EQ(weight, 1.0f);
  graph.weights.clear();
  encode(rows, 0, graph.buffer());
  EXPECT_EQ(decode(graph).size(), 10u);
  for (const auto& [vertex, neighbour, weight] : decode(graph)) EXPECT_EQ(weight, 1.0f);
}

TEST(vector_sparse, reports_how_full_its_lanes_are) {
  row_store store;
  store.add_vertex(12, [] { return 0; });
  encoded graph = encode_all(store);
  EXPECT_DOUBLE_EQ(packing_efficiency(graph.buffer()), 12.0 / 24.0);
}

TEST(vector_sparse, validation_finds_each_kind_of_damage) {
  random_stream random(7);
  row_store store;
  for (int i = 0; i < 200; ++i) store.add_vertex(1 + random.below(12), [&] { return random.below(100); });
  const encoded good = encode_all(store);
  ASSERT_GT(good.edges.size(), 2 * vectors_per_index_entry);
  const auto fails = [&](const std::function<void(encoded&)>& damage) {
    encoded graph = good;
    damage(graph);
    const status found = validate(graph.buffer(), store.vertices(), 100);
    return found.code() == exit_status::bad_data && !found.message().empty();
  };
  EXPECT_FALSE(fails([](encoded&) {}));
  EXPECT_TRUE(fails([](encoded& graph) { graph.weights.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.top_level_at.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.top_level_at[1] += 1; }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0] = graph.edges[1]; }));  // starts without a jump
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0].lane[0] += 1; }));      // one vertex too far
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0].lane[3] = 0; }));       // jump without step
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5] = graph.edges[0]; }));  // backwards
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[0] |= 100; }));    // no such neighbour
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[0] &= ~edge_valid_bit; }));  // hole
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[1] ^= edge_step_bit; }));    // wrong step
}

}  // namespace
}  // namespace orujo::graph
