// Warps of which the lanes run one after the other, and walks along rows with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/rows.hpp"
#include "framework/device/serial.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::device {
namespace {

constexpr serial_warp warp{3, 5};

TEST(warp, tells_which_items_it_has) {
  EXPECT_EQ(warp.first(), 96u);
  EXPECT_EQ(warp.stride(), 160u);
}

TEST(warp, scans_folds_and_takes) {
  serial_warp::each<std::uint32_t> x, y;
  warp.lanes([&](std::uint32_t lane) { x[lane] = y[lane] = lane * lane + 1; });
  serial_warp::each<std::uint32_t> sums = x;
  EXPECT_EQ(warp.scan(sums), 31u * 32 * 63 / 6 + 32);
  for (std::uint32_t lane = 0, before = 0; lane < lanes_of_warp; before += x[lane++])
    EXPECT_EQ(sums[lane], before);
  warp.fold<8>(y, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  for (std::uint32_t group = 0; group < lanes_of_warp; group += 8) {
    std::uint32_t sum = 0;
    for (std::uint32_t lane = group; lane < group + 8; ++lane) sum += x[lane];
    EXPECT_EQ(y[group], sum);
  }
  serial_warp::each<std::uint32_t> taken;
  warp.take(taken, x, [](std::uint32_t lane) { return 31 - lane; });
  for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) EXPECT_EQ(taken[lane], x[31 - lane]);
  EXPECT_EQ(warp.ballot([](std::uint32_t lane) { return lane % 3 == 0; }), 0x49249249u);
}

// The order in which lanes meet is that of a GPU's shuffles.
TEST(warp, folds_in_the_order_of_halves) {
  serial_warp::each<double> x;
  warp.lanes([&](std::uint32_t lane) { x[lane] = 1.0 / (lane + 1); });
  std::array<double, lanes_of_warp> right;
  for (std::uint32_t lane = 0; lane < lanes_of_warp; ++lane) right[lane] = 1.0 / (lane + 1);
  for (std::uint32_t half = 16; half > 0; half /= 2) {
    for (std::uint32_t lane = 0; lane < half; ++lane) right[lane] += right[lane + half];
  }
  warp.fold(x, [](double a, double b) { return a + b; });
  EXPECT_EQ(x[0], right[0]);
}

using seen_edge = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // source, target, slot

struct collector {
  std::vector<seen_edge>* to;
  template <class Warp>
  struct tally {
    std::uint32_t edges;
  };
  template <class Warp>
  void see(const Warp& by, tally<Warp>& all, const typename Warp::template each<std::uint32_t>& sources,
           const typename Warp::template each<std::uint32_t>& targets,
           const typename Warp::template each<std::uint64_t>& slots, std::uint32_t there) const {
    by.lanes([&](std::uint32_t lane) {
      if ((there >> lane & 1) != 0) to->emplace_back(sources[lane], targets[lane], slots[lane]);
    });
    all.edges += Warp::popcount(there);
  }
  template <class Warp>
  void end(const Warp&, tally<Warp>& all) const {
    EXPECT_LE(all.edges, to->size());
  }
};

// Rows of these lengths, of which every `step`-th is walked along, from row `skipped` on.
void expect_walk(const std::vector<std::uint64_t>& lengths, std::uint32_t step, std::uint32_t first_row,
                 std::uint32_t warps) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  std::vector<std::uint32_t> neighbours;
  random_stream random(lengths.size());
  for (std::uint64_t k = 0; k < offsets.back(); ++k)
    neighbours.push_back(static_cast<std::uint32_t>(random.below(1000000)));
  std::vector<std::uint32_t> list;
  for (std::uint32_t row = 0; row < lengths.size(); row += step) list.push_back(first_row + row);
  std::reverse(list.begin(), list.end());
  std::vector<seen_edge> right, found;
  for (const std::uint32_t v : list) {
    for (std::uint64_t k = offsets[v - first_row]; k < offsets[v - first_row + 1]; ++k)
      right.emplace_back(v, neighbours[k], k);
  }
  serial gpu;
  const rows<serial> there(gpu, offsets, neighbours);
  const array<std::uint32_t, serial> listed(gpu, std::span<const std::uint32_t>(list));
  const array<row_piece, serial> pieces(gpu, most_pieces(there.edges()));
  const auto size = static_cast<std::uint32_t>(list.size());
  std::uint32_t piece_count = 0;
  const collector visitor{&found};
  gpu.launch(warps,
             walk_rows<collector>{
                 {there.view(), listed.data(), &size, first_row}, pieces.data(), &piece_count, visitor});
  EXPECT_LE(piece_count, pieces.size());
  gpu.launch(warps, walk_pieces<collector>{there.view(), pieces.data(), &piece_count, visitor});
  std::ranges::sort(right);
  std::ranges::sort(found);
  EXPECT_EQ(found, right);
  EXPECT_EQ(has_long_row(offsets), piece_count > 0 || (step > 1 && has_long_row(offsets)));
}

TEST(walk, sees_every_edge_of_the_listed_rows_once) {
  std::vector<std::uint64_t> lengths{0, 1, 31, 32, 33, 0, 0, 511, 512, 513, 767, 768, 769, 5000, 2, 0};
  for (const std::uint32_t warps : {1u, 4u, 100u}) {
    expect_walk({}, 1, 0, warps);
    expect_walk({0, 0}, 1, 0, warps);
    expect_walk({4}, 1, 7, warps);
    expect_walk(lengths, 1, 0, warps);
    expect_walk(lengths, 3, 1000, warps);
  }
  random_stream random(9);
  for (int k = 0; k < 400; ++k) lengths.push_back(random.below(k % 10 == 0 ? 1200 : 9));
  for (const std::uint32_t warps : {1u, 3u, 64u}) expect_walk(lengths, 1, 0, warps);
}

}  // namespace
}  // namespace orujo::internal::device
