#include "framework/algorithms/leiden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <span>

#include "framework/gas/load.hpp"
#include "framework/verify/communities_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using positions = std::vector<std::uint64_t>;

constexpr graph::edge_forms forms_of_communities = {.in_vectors = false, .in_rows = true, .arcs = true};

verify::community_rule rule_of(const leiden_options& options) {
  return {options.quality == community_quality::cpm, options.resolution};
}

// The communities that are found, and the report if there is a place for it.
positions found_communities(graph::distributed_graph handle, const leiden_options& options,
                            leiden_report* report = nullptr) {
  const auto labels = graph::property<std::uint64_t>::create(handle);
  const leiden_report found = leiden(handle, labels, options);
  EXPECT_TRUE(found.ended);
  EXPECT_NEAR(partition_quality(handle, labels, options), found.quality, 1e-12);
  positions by_position = test_graphs::by_position(handle, labels);
  labels.destroy();
  if (report) *report = found;
  return by_position;
}

// Each label is the smallest position of its community.
void expect_smallest_positions(const positions& labels) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t v = 0; v < labels.size(); ++v) {
    if (seen.insert(labels[v]).second) {
      EXPECT_EQ(labels[v], v);
    }
  }
}

leiden_report expect_good_communities(graph::distributed_graph handle, const verify::simple_graph& simple,
                                      const leiden_options& options) {
  leiden_report report;
  const positions labels = found_communities(handle, options, &report);
  expect_smallest_positions(labels);
  EXPECT_EQ(report.communities, std::set<std::uint64_t>(labels.begin(), labels.end()).size());
  const verify::community_check check(simple, simple.ids(), labels, rule_of(options), report.quality,
                                      options.method == community_method::leiden);
  EXPECT_TRUE(check.agrees()) << check.describe();
  return report;
}

verify::simple_graph simple_of(const test_graph& whole) {
  return verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true},
                              whole.list.weights);
}
graph::distributed_graph built(const test_graph& whole, const graph::partition_options& partition = {}) {
  return test_graphs::build(whole,
                            {.symmetrize = true, .partition = partition, .keep = forms_of_communities});
}

// All levels at all cores, and all but the lowest at core 0.
leiden_options leiden_in_parallel() { return {.serial_below = 0}; }
leiden_options at_core_0() { return {.serial_below = ~std::uint64_t{0}}; }

std::vector<leiden_options> all_options() {
  std::vector<leiden_options> all = {leiden_in_parallel(), at_core_0()};
  for (const community_method method : {community_method::leiden, community_method::louvain}) {
    const double resolution = method == community_method::leiden ? 0.5 : 3;
    all.push_back({.method = method, .resolution = resolution, .serial_below = 0});
    all.push_back({.method = method,
                   .quality = community_quality::cpm,
                   .resolution = resolution / 100,
                   .seed = 7,
                   .iterations = 1,
                   .serial_below = 0});
  }
  return all;
}

// All graphs by the first options, and by two others in turn.
TEST(leiden, finds_good_and_connected_communities) {
  std::size_t turn = 0;
  for (const test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    const graph::distributed_graph handle = built(whole);
    const verify::simple_graph simple = simple_of(whole);
    const std::vector<leiden_options> all = all_options();
    expect_good_communities(handle, simple, all.front());
    for (int k = 0; k < 2; ++k) expect_good_communities(handle, simple, all[1 + turn++ % (all.size() - 1)]);
    handle.destroy();
  }
}

TEST(leiden, finds_good_and_connected_communities_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    const graph::distributed_graph handle = built(whole, {.hash = true});
    expect_good_communities(handle, simple_of(whole), leiden_in_parallel());
    handle.destroy();
  }
}

// Cliques in a ring, each joined with the next one by an edge. Each of 12 cliques of 6 is a community.
test_graph ring_of_cliques(std::uint64_t cliques, std::uint64_t members) {
  test_graph ring{"ring of cliques", {}, {}};
  for (std::uint64_t c = 0; c < cliques; ++c) {
    for (std::uint64_t u = 0; u < members; ++u) {
      for (std::uint64_t v = u + 1; v < members; ++v)
        ring.list.edges.push_back({c * members + u, c * members + v});
    }
    ring.list.edges.push_back({c * members, (c + 1) % cliques * members + 1});
  }
  return ring;
}

TEST(leiden, finds_cliques) {
  const test_graph ring = ring_of_cliques(12, 6);
  positions expected;
  for (std::uint64_t v = 0; v < 72; ++v) expected.push_back(v / 6 * 6);
  const graph::distributed_graph handle = built(ring);
  leiden_options options = leiden_in_parallel();
  leiden_report report;
  EXPECT_EQ(found_communities(handle, options, &report), expected);
  // 2m is 384, and a clique has 30 of it inside and 32 in all.
  EXPECT_NEAR(report.quality, 12 * (30.0 / 384 - 32.0 * 32 / 384 / 384), 1e-12);
  options.quality = community_quality::cpm;
  options.resolution = 0.5;
  EXPECT_EQ(found_communities(handle, options, &report), expected);
  EXPECT_NEAR(report.quality, 12 * (30 - 0.5 * 36) / 384, 1e-12);
  options.resolution = 2;  // above any weight: all are alone
  EXPECT_EQ(found_communities(handle, options, &report).size(), report.communities);
  handle.destroy();
}

// A small resolution joins cliques, and a large one leaves none together.
TEST(leiden, finds_fewer_communities_with_less_resolution) {
  const graph::distributed_graph handle = built(ring_of_cliques(30, 5));
  std::vector<std::uint64_t> counts;
  for (const double resolution : {0.1, 1.0, 40.0}) {
    leiden_options options = leiden_in_parallel();
    options.resolution = resolution;
    leiden_report report;
    found_communities(handle, options, &report);
    counts.push_back(report.communities);
  }
  EXPECT_LT(counts[0], counts[1]);
  EXPECT_LT(counts[1], counts[2]);
  handle.destroy();
}

std::uint64_t checksum(const positions& labels) {
  std::uint64_t sum = 0;
  for (const std::uint64_t label : labels) sum = mix64(sum + label + 1);
  return sum;
}

// The test runs on several process layouts. So the checksums say that the communities are the same on all.
TEST(leiden, finds_the_same_communities_on_any_layout_and_by_any_core) {
  test_graph whole{"random", test_graphs::random_edges(17, 1000, 6000, true), {}};
  const graph::distributed_graph handle = built(whole);
  EXPECT_EQ(checksum(found_communities(handle, leiden_in_parallel())),
            checksum(found_communities(handle, at_core_0())));
  EXPECT_EQ(checksum(found_communities(handle, leiden_in_parallel())), 8881631013358201275u);
  leiden_options options = leiden_in_parallel();
  options.method = community_method::louvain;
  EXPECT_EQ(checksum(found_communities(handle, options)), 11007823422873608354u);
  options.seed = 2;
  EXPECT_EQ(checksum(found_communities(handle, options)), 4908349800794228698u);
  handle.destroy();
}

TEST(leiden, gives_the_communities_of_each_level) {
  const test_graph whole{"random", test_graphs::random_edges(23, 3000, 9000, false), {}};
  const graph::distributed_graph handle = built(whole);
  const verify::simple_graph simple = simple_of(whole);
  leiden_options options = leiden_in_parallel();
  options.iterations = 1;
  options.method = community_method::louvain;
  leiden_report all;
  found_communities(handle, options, &all);
  ASSERT_GT(all.levels.size(), 2u);
  double before = 0;
  for (std::size_t k = 0; k < all.levels.size(); ++k) {
    options.max_levels = static_cast<int>(k) + 1;
    leiden_report report;
    const positions labels = found_communities(handle, options, &report);
    ASSERT_EQ(report.levels.size(), k + 1);
    EXPECT_EQ(report.communities, all.levels[k].communities);
    EXPECT_EQ(std::set<std::uint64_t>(labels.begin(), labels.end()).size(), all.levels[k].communities);
    EXPECT_GE(report.quality, before);
    before = report.quality;
  }
  EXPECT_NEAR(before, all.quality, 1e-12);
  handle.destroy();
}

TEST(leiden, improves_communities_in_further_iterations) {
  const test_graph whole{"random", test_graphs::random_edges(29, 3000, 9000, false), {}};
  const graph::distributed_graph handle = built(whole);
  std::vector<double> qualities;
  for (const int iterations : {1, 2, 4}) {
    leiden_options options = leiden_in_parallel();
    options.iterations = iterations;
    leiden_report report;
    found_communities(handle, options, &report);
    qualities.push_back(report.quality);
  }
  EXPECT_GE(qualities[1], qualities[0]);
  EXPECT_GE(qualities[2], qualities[1]);
  EXPECT_GT(qualities[2], qualities[0]);
  handle.destroy();
}

TEST(leiden, stops_after_a_sweep) {
  const graph::distributed_graph handle = built(test_graphs::all().back());
  const auto labels = graph::property<std::uint64_t>::create(handle);
  const std::atomic<bool> stop{true};
  const leiden_report report = leiden(handle, labels, {.stop = &stop});
  EXPECT_FALSE(report.ended);
  EXPECT_EQ(report.sweeps, 1);
  labels.destroy();
  handle.destroy();
}

TEST(leiden, takes_any_form_of_rows) {
  test_graphs::expect_in_all_forms(
      {.in_rows = true, .in_arrays = false}, true, "leiden",
      [](const test_graphs::kept_graph& kept) {
        expect_good_communities(kept.handle, *kept.simple, leiden_in_parallel());
      },
      [](const test_graphs::kept_graph& kept) {
        const auto labels = graph::property<std::uint64_t>::create(kept.handle);
        leiden(kept.handle, labels);
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
