#include "framework/graph/build/segment_model.hpp"

#include <gtest/gtest.h>

#include <set>

#include "framework/graph/build/segments.hpp"
#include "tests/framework/row_store.hpp"

namespace orujo::internal::graph {
namespace {

// Fast up to `near` bytes, then as slow as `far`.
machine::measures machine_with(std::uint64_t near, double far) {
  machine::measures m;
  m.gathers = {{near, 0.5, 0.5, 0.5}, {near * 2, far, far, far}};
  m.barrier = 500;
  return m;
}

// Degree 16, all neighbours at random: each edge needs a line of its own, and a piece nearly.
edge_sample scattered() {
  edge_sample s;
  s.edges = 1 << 19;
  for (std::size_t k = 0; k < s.pieces.size(); ++k)
    s.pieces[k] = std::min<std::uint64_t>(s.edges, s.edges / 16 << k);
  s.blocks = {128, 8};
  s.lines = {s.edges, s.edges};
  return s;
}
// Degree 4, of which all are nearby.
edge_sample local() {
  edge_sample s;
  s.edges = 1 << 19;
  s.pieces.fill(s.edges / 4);
  s.blocks = {128, 8};
  s.lines = {s.edges / 2000, s.edges / 50};
  return s;
}
constexpr edge_work large{1 << 22, 1 << 27, 2};

TEST(segment_model, an_edge_costs_its_loads_its_pieces_and_barriers) {
  machine::measures m = machine_with(1 << 20, 4);
  m.barrier = (1 << 20) - 3500;  // and as much for the chunks of a segment
  edge_sample s = scattered();
  s.lines = {s.edges / 2, s.edges / 4};
  // Half the loads go outside of a block of 4096 edges, whose 2048 lines are 128 KiB. A quarter go outside of
  // 16384 lines, 1 MiB, and a quarter outside of 16 MiB. Four loads of 0.5 ns per piece, 1 of 16 edges. 2^26
  // edges per core.
  EXPECT_NEAR(edge_ns(m, s, large, 0), 0.5 * 0.5 + 0.25 * 0.5 + 0.25 * 4 + 2.0 / 16 + 1.0 / 64, 1e-9);
  // With 16 segments all is near.
  s.pieces[4] = s.edges / 2;
  EXPECT_NEAR(edge_ns(m, s, large, 4), 0.5 + 2.0 / 2 + 16.0 / 64, 1e-9);
}

TEST(segment_model, sources_that_are_near_stay_together) {
  EXPECT_EQ(choose_segments(machine_with(16 << 20, 6), scattered(), large).segments, 1u);
  EXPECT_EQ(choose_segments(machine_with(1 << 20, 6), scattered(), {1 << 18, 1 << 22, 2}).segments, 1u);
}

TEST(segment_model, sources_that_are_far_are_cut_until_they_are_near) {
  EXPECT_EQ(choose_segments(machine_with(4 << 20, 6), scattered(), large).segments, 4u);
  EXPECT_EQ(choose_segments(machine_with(8 << 20, 6), scattered(), large).segments, 2u);
}

TEST(segment_model, a_larger_cache_never_asks_for_more_segments) {
  edge_sample hubs = scattered();  // so many edges per vertex that pieces cost nothing
  for (std::size_t k = 0; k < hubs.pieces.size(); ++k) hubs.pieces[k] = 16 << k;
  std::size_t before = 256;
  for (std::uint64_t near = 1 << 16; near <= 1 << 26; near *= 2) {
    const std::size_t now = choose_segments(machine_with(near, 6), hubs, large).segments;
    EXPECT_LE(now, before) << near;
    before = now;
  }
  EXPECT_EQ(before, 1u);
}

TEST(segment_model, segments_that_gain_too_little_are_not_made) {
  EXPECT_EQ(choose_segments(machine_with(4 << 20, 0.51), scattered(), large).segments, 1u);
}

TEST(segment_model, there_are_at_most_half_as_many_pieces_as_edges) {
  machine::measures steep;
  steep.gathers = {{1 << 14, 1, 1, 1}, {1 << 26, 1000, 1000, 1000}};
  EXPECT_EQ(choose_segments(steep, scattered(), large).segments, 8u);
}

TEST(segment_model, a_mesh_needs_no_segments) {
  EXPECT_EQ(choose_segments(machine_with(1 << 20, 6), local(), {9'000'000, 36'000'000, 2}).segments, 1u);
}

TEST(segment_model, barriers_count_in_small_graphs) {
  machine::measures slow = machine_with(1 << 16, 4);
  slow.barrier = 1e6;
  EXPECT_EQ(choose_segments(slow, scattered(), {1 << 16, 1 << 20, 2}).segments, 1u);
  slow.barrier = 100;
  EXPECT_GT(choose_segments(slow, scattered(), {1 << 16, 1 << 20, 2}).segments, 1u);
}

TEST(segment_model, the_reason_has_all_that_were_compared) {
  const segment_choice choice = choose_segments(machine_with(4 << 20, 6), scattered(), large);
  for (const char* with : {"with 1", "with 2", "with 4", "with 8"})
    EXPECT_NE(choice.reason.find(with), std::string::npos) << choice.reason;
}

TEST(segment_model, without_edges_there_is_one_segment) {
  EXPECT_EQ(choose_segments(machine_with(1 << 20, 6), sample_edges({}, 0), {}).segments, 1u);
  EXPECT_EQ(choose_segments(machine_with(1 << 20, 6), sample_edges({}, 100), {100, 0, 1}).segments, 1u);
}

test_graphs::row_store random_rows(std::uint32_t vertices, std::uint64_t most_degree, std::uint64_t seed) {
  random_stream random(seed);
  test_graphs::row_store store;
  for (std::uint32_t v = 0; v < vertices; ++v)
    store.add_vertex(random() % (most_degree + 1),
                     [&] { return static_cast<std::uint32_t>(random() % vertices); });
  return store;
}

TEST(edge_sample, of_few_edges_has_all_of_them) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::uint32_t n = 1 << 12;
    const test_graphs::row_store store = random_rows(n, 3 * seed, seed);
    const in_edge_rows rows = store.rows(0, n);
    const edge_sample sample = sample_edges(rows, n);
    EXPECT_EQ(sample.edges, store.neighbours.size());
    for (std::size_t k = 0; k <= 12; ++k)
      EXPECT_EQ(sample.pieces[k], count_pieces(rows, cut_sources(n, 0, std::size_t{1} << k))) << k;
    std::uint64_t lines = 0, blocks = 0;
    for (std::size_t at = 0; at < store.neighbours.size(); at += edge_sample::block_edges[0], ++blocks) {
      std::set<std::uint32_t> of_block;
      for (std::size_t k = at; k < std::min(at + edge_sample::block_edges[0], store.neighbours.size()); ++k) {
        const std::uint32_t line = store.neighbours[k] / 16;
        const bool follows = line > 0 && of_block.contains(line - 1);
        if (of_block.insert(line).second && !follows) ++lines;
      }
    }
    EXPECT_EQ(sample.lines[0], lines);
    EXPECT_EQ(sample.blocks[0], blocks);
    std::set<std::uint32_t> of_all;
    for (const std::uint32_t neighbour : store.neighbours) of_all.insert(neighbour / 16);
    EXPECT_EQ(sample.blocks[1], 1u) << "of 65,536 edges";
    EXPECT_EQ(sample.lines[1], of_all.size());
  }
}

TEST(edge_sample, of_many_edges_is_a_part_that_looks_like_all) {
  const std::uint32_t n = 1 << 16;
  const test_graphs::row_store store = random_rows(n, 64, 7);
  const in_edge_rows rows = store.rows(0, n);
  const edge_sample sample = sample_edges(rows, n);
  EXPECT_LT(sample.edges, store.neighbours.size() / 2);
  EXPECT_GT(sample.edges, std::uint64_t{1} << 18);
  for (std::size_t k = 0; k <= 4; ++k) {
    const auto all = static_cast<double>(count_pieces(rows, cut_sources(n, 0, std::size_t{1} << k)));
    const double scale = static_cast<double>(store.neighbours.size()) / static_cast<double>(sample.edges);
    EXPECT_NEAR(static_cast<double>(sample.pieces[k]) * scale / all, 1, 0.05) << k;
  }
}

TEST(edge_sample, of_a_cores_part_of_the_rows_has_its_edges_only) {
  const test_graphs::row_store store = random_rows(1 << 10, 8, 3);
  const edge_sample low = sample_edges(store.rows(0, 300), 1 << 10),
                    high = sample_edges(store.rows(300, 1 << 10), 1 << 10);
  EXPECT_EQ((low + high).edges, store.neighbours.size());
  EXPECT_EQ((low + high).pieces[3], count_pieces(store.rows(0, 1 << 10), cut_sources(1 << 10, 0, 8)));
}

}  // namespace
}  // namespace orujo::internal::graph
