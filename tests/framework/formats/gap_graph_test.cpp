// Serialized graphs of the GAP suite: what is one, its edges in any parts, and what is wrong with bad ones.
#include "framework/formats/gap_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "framework/formats/source_bytes.hpp"
#include "system/base/random.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

// Sources ascend.
void append_rows(std::string& to, std::uint64_t vertices, const edge_list& list) {
  std::size_t edge = 0;
  for (std::uint64_t v = 0; v <= vertices; ++v) {
    append_number(to, std::uint64_t{edge});
    while (edge < list.edges.size() && list.edges[edge].source == v) ++edge;
  }
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    append_number(to, static_cast<std::uint32_t>(list.edges[k].target));
    if (!list.weights.empty()) append_number(to, static_cast<std::int32_t>(list.weights[k]));
  }
}

std::string gap_file(bool directed, std::uint64_t vertices, const edge_list& list) {
  std::string file(1, directed ? '\1' : '\0');
  append_number(file, std::uint64_t{list.edges.size()});
  append_number(file, vertices);
  for (int direction = 0; direction < (directed ? 2 : 1); ++direction) append_rows(file, vertices, list);
  return file;
}

const edge_list unweighted{{{1, 2}, {1, 0}, {4, 4}, {5, 1}, {5, 2}, {5, 3}}, {}};
const edge_list weighted{unweighted.edges, {1, -2, 3, 4, 5, 16777216}};

TEST(gap_graph, reads_every_kind_in_any_parts) {
  for (const edge_list& list : {unweighted, weighted, edge_list{}}) {
    for (const bool directed : {false, true}) {
      for (const std::size_t most : {std::size_t{1}, std::size_t{7}, std::string::npos}) {
        memory_source source(gap_file(directed, 8, list), "F", most);
        const auto found = find_gap_layout(source);
        ASSERT_TRUE(found.ok() && found.value());
        const gap_layout layout = *found.value();
        EXPECT_EQ(layout.directed, directed);
        EXPECT_EQ(layout.weighted, !list.weights.empty());
        EXPECT_EQ(layout.vertices, 8u);
        for (std::uint64_t cut = 0; cut <= layout.edges; ++cut) {
          edge_list both = read_gap_edges(source, layout, 0, cut).value();
          const edge_list rest = read_gap_edges(source, layout, cut, layout.edges).value();
          both.edges.insert(both.edges.end(), rest.edges.begin(), rest.edges.end());
          both.weights.insert(both.weights.end(), rest.weights.begin(), rest.weights.end());
          EXPECT_EQ(both, list) << cut;
        }
      }
    }
  }
}

TEST(gap_graph, takes_nothing_else_for_one) {
  const std::string file = gap_file(true, 8, weighted);
  for (const std::string& other : {std::string("1 2\n3 4\n"), std::string(), std::string(17, '\0'),
                                   file + "x", file.substr(0, file.size() - 1), "\2" + file.substr(1)}) {
    memory_source source(other);
    EXPECT_FALSE(find_gap_layout(source).value()) << other.size();
  }
  memory_source compressed(file, "F", std::string::npos, false);
  EXPECT_FALSE(find_gap_layout(compressed).value());
}

TEST(gap_graph, says_what_is_wrong_and_where) {
  const std::string good = gap_file(false, 8, unweighted);
  const auto error_with = [&](std::size_t byte, char value) {
    std::string bad = good;
    bad[byte] = value;
    memory_source source(bad);
    const gap_layout layout = *find_gap_layout(source).value();
    return read_gap_edges(source, layout, 0, layout.edges).status().message();
  };
  EXPECT_EQ(error_with(17 + 8 * 3, 1), "F: byte 41: offset 1 is not in 2..6");
  EXPECT_EQ(error_with(17 + 8 * 6, 9), "F: byte 65: offset 9 is not in 3..6");
  EXPECT_EQ(error_with(17 + 8 * 9 + 4 * 5, 8), "F: byte 109: neighbour 8 is not one of 8 vertices");
  EXPECT_EQ(error_with(17 + 8 * 6, 5), "");  // an edge of another vertex, which cannot be detected
}

TEST(gap_graph, checks_offsets_in_any_parts) {
  const std::string good = gap_file(false, 8, unweighted);
  for (std::uint64_t v = 0; v <= 8; ++v) {
    for (char value = 0; value < 8; ++value) {
      std::string changed = good;
      changed[17 + 8 * v] = value;
      std::vector<std::uint64_t> offsets;
      for (std::uint64_t k = 0; k <= 8; ++k)
        offsets.push_back(static_cast<unsigned char>(changed[17 + 8 * k]));
      const bool right = std::is_sorted(offsets.begin(), offsets.end()) && offsets[0] == 0 && offsets[8] == 6;
      memory_source source(changed);
      const gap_layout layout = *find_gap_layout(source).value();
      const std::string whole = check_gap_offsets(source, layout, 0, 8).message();
      EXPECT_EQ(whole.empty(), right) << v << " " << int{value};
      for (std::uint64_t cut = 0; cut <= 8; ++cut) {
        const std::string first = check_gap_offsets(source, layout, 0, cut).message();
        EXPECT_EQ(first.empty() ? check_gap_offsets(source, layout, cut, 8).message() : first, whole);
      }
    }
  }
}

TEST(gap_graph, survives_mutations) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::string bad = gap_file(round % 2 == 0, 8, round % 3 == 0 ? weighted : unweighted);
    for (int edits = 0; edits < 3; ++edits)
      bad[17 + random.below(bad.size() - 17)] = static_cast<char>(random());
    memory_source source(bad);
    const auto found = find_gap_layout(source);
    if (!found.value()) continue;
    const std::uint64_t edges = found.value()->edges, cut = random.below(edges + 1);
    for (const auto& [first, last] : {std::pair(std::uint64_t{0}, cut), std::pair(cut, edges)}) {
      const auto list = read_gap_edges(source, *found.value(), first, last);
      if (!list.ok()) continue;
      EXPECT_EQ(list.value().edges.size(), last - first);
      for (const edge& e : list.value().edges) EXPECT_LT(std::max(e.source, e.target), 8u);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::formats
