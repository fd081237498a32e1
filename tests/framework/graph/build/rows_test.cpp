#include "framework/graph/build/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

// One core's part of a graph: its vertices first .. last - 1, cut into groups, and their edges.
struct core_edges {
  struct entry {
    std::uint64_t vertex, neighbour;
    float weight;
    friend auto operator<=>(const entry&, const entry&) = default;
  };
  std::string name;
  std::uint64_t vertices;           // of the whole graph
  std::vector<std::uint64_t> cuts;  // first, where groups end, last
  std::vector<entry> entries;

  grouped_edges grouped(bool weighted) const {
    const edge_keys keys(vertices);
    grouped_edges made;
    made.first_vertex = cuts.front();
    made.keys = machine::huge_array<std::uint64_t>(entries.size());
    if (weighted) made.weights = machine::huge_array<float>(entries.size());
    std::uint64_t at = 0;
    for (std::size_t g = 1; g < cuts.size(); ++g) {
      for (const entry& e : entries) {
        if (e.vertex < cuts[g - 1] || e.vertex >= cuts[g]) continue;
        if (weighted) made.weights[at] = e.weight;
        made.keys[at++] = keys.key(e.vertex, e.neighbour);
      }
      made.groups.push_back({cuts[g], at});
    }
    return made;
  }

  // The expected entries, sorted by `std::sort`.
  std::vector<entry> expected(bool weighted, bool remove_duplicates) const {
    std::vector<entry> sorted = entries;
    if (!weighted) {
      for (entry& e : sorted) e.weight = 1;
    }
    std::sort(sorted.begin(), sorted.end());
    const auto same = [](const entry& a, const entry& b) {
      return a.vertex == b.vertex && a.neighbour == b.neighbour;
    };
    if (remove_duplicates) sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
    return sorted;
  }
};

std::vector<core_edges::entry> entries_of(const rows& r) {
  std::vector<core_edges::entry> all;
  for (std::uint64_t row = 0; row < r.vertices(); ++row) {
    for (std::uint64_t k = r.offsets[row]; k < r.offsets[row + 1]; ++k) {
      all.push_back({r.first_vertex + row, r.neighbour(k), r.weights.size() == 0 ? 1 : r.weights[k]});
    }
  }
  return all;
}

core_edges random_core(std::uint64_t seed, std::uint64_t vertices, std::uint64_t first, std::uint64_t last,
                       std::size_t edges, std::uint64_t hubs) {
  random_stream random(seed);
  core_edges core{"random, seed " + std::to_string(seed), vertices, {first}, {}};
  for (int g = 0; g < 4; ++g) core.cuts.push_back(first + random.below(last - first + 1));
  core.cuts.push_back(last);
  std::sort(core.cuts.begin(), core.cuts.end());
  for (std::size_t k = 0; k < edges; ++k) {
    const std::uint64_t spread = random.below(2) ? last - first : std::min(hubs, last - first);
    core.entries.push_back({first + random.below(spread),
                            vertices - 1 - random.below(std::min(vertices, 2 * hubs)),
                            static_cast<float>(random.below(9))});
  }
  return core;
}

std::vector<core_edges> all_cores() {
  std::vector<core_edges> all;
  all.push_back({"nothing", 0, {0}, {}});
  all.push_back({"no vertex of many", 100, {50, 50}, {}});
  all.push_back({"no edge", 5, {0, 2, 5}, {}});
  all.push_back({"a self-loop of the only vertex", 1, {0, 1}, {{0, 0, 1}}});
  core_edges hub{"all edges at one vertex", 9000, {10, 11, 20}, {}};
  core_edges same{"one edge many times", 9000, {10, 20}, {}};
  for (std::uint64_t k = 0; k < 3000; ++k) {
    hub.entries.push_back({10, 8999 - k, 1});
    same.entries.push_back({15, 4, static_cast<float>((k + 7) % 50)});
  }
  all.push_back(hub);
  all.push_back(same);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    all.push_back(random_core(seed, 5000, 1000, 3000, 100 * seed * seed, seed));
  }
  // Numbers of more than 32 bits; the highest bits of the vertices' do not fit beside those of the
  // neighbours.
  const std::uint64_t many = (std::uint64_t{1} << 40) - 5;
  all.push_back(random_core(21, many, many - 70'000, many, 20'000, 3000));
  return all;
}

TEST(rows, are_the_sorted_edges_of_every_vertex) {
  for (const core_edges& core : all_cores()) {
    for (const bool weighted : {false, true}) {
      for (const bool remove_duplicates : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << core.name << ", weighted " << weighted << ", distinct " << remove_duplicates);
        const rows made = sort_rows(core.grouped(weighted), core.vertices, remove_duplicates);
        ASSERT_EQ(made.first_vertex, core.cuts.front());
        ASSERT_EQ(made.vertices(), core.cuts.back() - core.cuts.front());
        EXPECT_TRUE(entries_of(made) == core.expected(weighted, remove_duplicates));
      }
    }
  }
}

TEST(rows, weigh_what_stays_of_parallel_edges_as_asked) {
  for (const core_edges& core : all_cores()) {
    for (const kept_weight keep : {kept_weight::heaviest, kept_weight::sum}) {
      SCOPED_TRACE(testing::Message() << core.name << ", sum " << (keep == kept_weight::sum));
      std::vector<core_edges::entry> expected;
      for (const core_edges::entry& e : core.expected(true, false)) {
        const bool another = expected.empty() || expected.back().vertex != e.vertex ||
                             expected.back().neighbour != e.neighbour;
        if (another) {
          expected.push_back(e);
        } else {
          expected.back().weight = keep == kept_weight::sum ? expected.back().weight + e.weight : e.weight;
        }
      }
      EXPECT_TRUE(entries_of(sort_rows(core.grouped(true), core.vertices, true, keep)) == expected);
    }
  }
}

// Two edges, of which one weighs 1000 times 2^23 + 1, and the other more than single precision holds.
TEST(rows, add_up_weights_of_parallel_edges_in_double_precision) {
  core_edges core = random_core(6, 100, 10, 20, 0, 10);
  const float most = std::numeric_limits<float>::max();
  core.entries = {{12, 3, most}, {12, 3, most}};
  for (int k = 0; k < 1000; ++k) core.entries.push_back({10, 3, 8388609});
  const std::vector<core_edges::entry> expected{{10, 3, static_cast<float>(8388609e3)},
                                                {12, 3, std::numeric_limits<float>::infinity()}};
  EXPECT_TRUE(entries_of(sort_rows(core.grouped(true), core.vertices, true, kept_weight::sum)) == expected);
}

TEST(rows, take_local_indices_in_place_of_numbers) {
  core_edges core = random_core(5, std::uint64_t{1} << 36, 100, 200, 1000, 50);
  rows made = sort_rows(core.grouped(false), core.vertices, true);
  std::vector<std::uint32_t> expected;
  for (std::uint64_t k = 0; k < made.edges(); ++k)
    expected.push_back(static_cast<std::uint32_t>(made.neighbour(k) >> 4));
  localise(made, [](std::uint64_t number) { return static_cast<std::uint32_t>(number >> 4); });
  for (std::uint64_t k = 0; k < made.edges(); ++k) ASSERT_EQ(made.neighbour(k), expected[k]) << k;
}

TEST(edge_keys, keep_the_order_of_rows_and_give_back_both_ends) {
  for (const std::uint64_t vertices : {1u, 2u, 3u, 1u << 20}) {
    const edge_keys keys(vertices);
    const std::uint64_t last = vertices - 1;
    EXPECT_EQ(keys.row(keys.key(last, last), 0), last);
    EXPECT_EQ(keys.neighbour(keys.key(last, last)), last);
    if (last > 0) {
      EXPECT_LT(keys.key(last - 1, last), keys.key(last, 0));
    }
  }
  const edge_keys keys(std::uint64_t{1} << 40);
  const std::uint64_t first = (std::uint64_t{1} << 40) - keys.most_vertices_of_core();
  EXPECT_EQ(keys.row(keys.key((std::uint64_t{1} << 40) - 1, 7), first), keys.most_vertices_of_core() - 1);
}

}  // namespace
}  // namespace orujo::internal::graph
