#include "framework/device/grid_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/serial.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::device {
namespace {

// Edges from sources to targets, which have numbers of their own, in rows of either; rows ascend.
struct edges {
  std::uint32_t sources, targets;
  std::vector<std::vector<std::uint32_t>> of_source, of_target;

  edges(std::uint32_t from, std::uint32_t to) : sources(from), targets(to), of_source(from), of_target(to) {}
  void add(std::uint32_t source, std::uint32_t target) {
    of_source[source].push_back(target);
    of_target[target].push_back(source);
  }
};

// Some sources have rows of a few edges, some of many, one of every target; a part of the targets has none.
edges random_edges(std::uint32_t sources, std::uint32_t targets, std::uint64_t seed) {
  edges all(sources, targets);
  random_stream random(seed);
  for (std::uint32_t s = 0; s < sources; ++s) {
    const std::uint64_t kind = random.below(20);
    const std::uint64_t degree = s == 5 ? targets : kind == 0 ? 200 : kind < 4 ? 33 : random.below(6);
    std::set<std::uint32_t> row;
    for (std::uint64_t k = 0; k < degree; ++k)
      row.insert(s == 5 ? static_cast<std::uint32_t>(k) : static_cast<std::uint32_t>(random.below(targets)));
    for (const std::uint32_t t : row) {
      if (t % 7 != 3) all.add(s, t);
    }
  }
  return all;
}

rows<serial> rows_of(serial& on, const std::vector<std::vector<std::uint32_t>>& lists) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  for (const auto& list : lists) {
    neighbours.insert(neighbours.end(), list.begin(), list.end());
    offsets.push_back(neighbours.size());
  }
  return rows<serial>(on, offsets, neighbours);
}

using mask = std::vector<std::uint32_t>;
mask random_mask(std::uint32_t size, std::uint64_t inverse, std::uint64_t seed) {
  mask bits((size + 31) / 32);
  for (std::uint32_t k = 0; k < size; ++k)
    bits[k / 32] |= std::uint32_t{mix64(seed * 977 + k) % inverse == 0} << k % 32;
  return bits;
}
bool has(const mask& bits, std::uint32_t k) { return is_member(bits.data(), k); }

constexpr std::uint32_t no_parent = ~std::uint32_t{0};

TEST(grid_steps, a_push_finds_each_unseen_target_of_the_frontier_once) {
  for (const std::uint32_t targets : {64u, 1000u, 9000u}) {  // the last ones with rows that are cut
    const edges all = random_edges(300, targets, targets);
    serial on;
    const rows<serial> out = rows_of(on, all.of_source);
    for (const std::uint64_t inverse : {1, 3, 100}) {
      const mask frontier = random_mask(all.sources, inverse, 1), before = random_mask(targets, 4, 2);
      mask seen = before, found = before;
      std::vector<std::uint32_t> parents(targets, no_parent), list(all.sources);
      std::vector<row_piece> pieces(most_pieces(out.edges()));
      std::uint32_t size = 0, piece_count = 0;
      const auto words = static_cast<std::uint32_t>(frontier.size());
      on.launch(3, list_members{frontier.data(), nullptr, words, list.data(), &size});
      const find_targets_of_sources visitor{seen.data(), parents.data()};
      on.launch(3, walk_rows<find_targets_of_sources>{
                       {out.view(), list.data(), &size}, pieces.data(), &piece_count, visitor});
      on.launch(3, walk_pieces<find_targets_of_sources>{out.view(), pieces.data(), &piece_count, visitor});
      on.launch(3, for_words<keep_news_of_word>{static_cast<std::uint32_t>(found.size()),
                                                {seen.data(), found.data()}});
      bool cuts = false;
      for (std::uint32_t s = 0; s < all.sources; ++s)
        cuts |= has(frontier, s) && all.of_source[s].size() >= long_row;
      EXPECT_EQ(piece_count > 0, cuts);
      for (std::uint32_t t = 0; t < targets; ++t) {
        const auto& row = all.of_target[t];
        const bool finds =
            !has(before, t) && std::ranges::any_of(row, [&](std::uint32_t s) { return has(frontier, s); });
        ASSERT_EQ(has(found, t), finds) << t;
        ASSERT_EQ(has(seen, t), finds || has(before, t)) << t;
        ASSERT_EQ(parents[t] != no_parent, finds) << t;
        if (finds) {
          EXPECT_TRUE(has(frontier, parents[t]) && std::ranges::binary_search(row, parents[t])) << t;
        }
      }
    }
  }
}

TEST(grid_steps, a_pull_finds_the_first_seen_source_of_unseen_targets_in_its_words) {
  const edges all = random_edges(2000, 640, 3);
  serial on;
  const rows<serial> in = rows_of(on, all.of_target);
  mask pullable(20);
  on.launch(2, for_words<mark_rows_of_word>{20, {in.view(), all.targets, pullable.data()}});
  for (std::uint32_t t = 0; t < all.targets; ++t) ASSERT_EQ(has(pullable, t), !all.of_target[t].empty());
  struct part {
    std::uint32_t words, gap_at, gap;
  };
  for (const part& which : {part{20, 20, 0}, part{6, 0, 4}, part{14, 4, 6}}) {
    for (const std::uint64_t inverse : {1, 9, 300}) {
      const mask sources = random_mask(all.sources, inverse, 5), before = random_mask(all.targets, 3, 6);
      mask seen = before, found(20);
      std::vector<std::uint32_t> parents(all.targets, no_parent);
      on.launch(4, find_sources_of_targets{{in.view(), all.targets, sources.data(), {parents.data()}},
                                           which.words,
                                           which.gap_at,
                                           which.gap,
                                           pullable.data(),
                                           seen.data(),
                                           found.data()});
      for (std::uint32_t t = 0; t < all.targets; ++t) {
        const std::uint32_t w = t / 32;
        const bool asked =
            w < which.gap_at ? w < which.words : w >= which.gap_at + which.gap && w - which.gap < which.words;
        const auto& row = all.of_target[t];
        const auto first = std::ranges::find_if(row, [&](std::uint32_t s) { return has(sources, s); });
        const bool finds = asked && !has(before, t) && first != row.end();
        ASSERT_EQ(has(found, t), finds) << t;
        ASSERT_EQ(has(seen, t), finds || has(before, t)) << t;
        ASSERT_EQ(parents[t], finds ? *first : no_parent) << t;
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::device
