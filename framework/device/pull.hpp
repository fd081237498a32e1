// The pull of a vertex program on a GPU: every vertex combines what its in-neighbours show.
//
// Rows of similar length are walked together, by a lane, by eight lanes or by a warp each. So lanes seldom
// wait for longer rows. A long row is cut into pieces. Each piece leaves its result in a slot of its own, and
// the slots of a row are combined in order. So nothing is atomic, and the result is the same each time. After
// the merge buffers of Grossman, Litz, Kozyrakis, "Making Pull-Based Graph Processing Performant", PPoPP
// 2018.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/rows.hpp"
#include "framework/device/warp.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::device {

// The pieces first .. last - 1 of a long row.
struct long_row_pieces {
  std::uint32_t vertex, first, last;
};

// The vertices of a locale by the lengths of their rows.
template <class On>
class row_classes {
 public:
  // The longest row of each class.
  static constexpr std::array<std::uint64_t, 3> longest{4, 64, 2047};
  // Longer rows are cut into pieces of this many edges, one per warp.
  static constexpr std::uint64_t piece = 1024;

  row_classes() = default;
  row_classes(On& on, std::span<const std::uint64_t> offsets) {
    std::array<std::vector<std::uint32_t>, 3> by_length;
    std::vector<row_piece> cut;
    std::vector<long_row_pieces> rows;
    for (std::uint32_t v = 0; v + 1 < offsets.size(); ++v) {
      const std::uint64_t degree = offsets[v + 1] - offsets[v];
      std::size_t k = 0;
      while (k < longest.size() && degree > longest[k]) ++k;
      if (k < longest.size()) {
        by_length[k].push_back(v);
        continue;
      }
      const auto before = static_cast<std::uint32_t>(cut.size());
      for (std::uint64_t first = offsets[v]; first < offsets[v + 1]; first += piece)
        cut.push_back({v, first, std::min(first + piece, offsets[v + 1])});
      rows.push_back({v, before, static_cast<std::uint32_t>(cut.size())});
    }
    for (std::size_t k = 0; k < longest.size(); ++k)
      vertices[k] = array<std::uint32_t, On>(on, std::span<const std::uint32_t>(by_length[k]));
    pieces = array<row_piece, On>(on, std::span<const row_piece>(cut));
    long_rows = array<long_row_pieces, On>(on, std::span<const long_row_pieces>(rows));
    on.wait();
  }

  std::array<array<std::uint32_t, On>, 3> vertices;
  array<row_piece, On> pieces;
  array<long_row_pieces, On> long_rows;
};

// How a program's contributions meet, as a type: GPUs have no static objects.
template <class Program>
using combine_of = std::remove_cvref_t<decltype(Program::combine)>;

// The arguments of a pull. Kernels overwrite the totals of vertices that are not settled.
template <class Program>
struct pull_view {
  using value = typename Program::value;
  using partial = vectors::partial_total<Program>;

  Program program;
  row_view rows;
  const value* shown;            // by local index
  value* totals;                 // by own vertex
  const std::uint32_t* settled;  // a bit per own vertex, or null

  ORUJO_DEVICE bool is_settled(std::uint32_t v) const {
    return settled != nullptr && (settled[v / 32] >> v % 32 & 1) != 0;
  }
  // Combines the edges first, first + step, ... before last.
  ORUJO_DEVICE partial combined(std::uint64_t first, std::uint64_t last, std::uint32_t step) const {
    partial sum = combine_of<Program>::template identity<partial>();
    for (std::uint64_t k = first; k < last; k += step) {
      const value weight = rows.weights ? static_cast<value>(rows.weights[k]) : value{1};
      sum =
          combine_of<Program>{}(sum, static_cast<partial>(program.gather(shown[rows.neighbours[k]], weight)));
    }
    return sum;
  }
};

// Pulls the listed vertices with Width lanes each.
template <class Program, std::uint32_t Width>
struct pull_rows {
  pull_view<Program> on;
  const std::uint32_t* vertices;
  std::uint32_t size;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<typename pull_view<Program>::partial> sum;
    constexpr std::uint32_t at_a_time = lanes_of_warp / Width;
    for (std::uint32_t first = warp.number * at_a_time; first < size; first += warp.count * at_a_time) {
      warp.lanes([&](std::uint32_t lane) {
        const std::uint32_t k = first + lane / Width;
        sum[lane] = combine_of<Program>::template identity<typename pull_view<Program>::partial>();
        if (k >= size || on.is_settled(vertices[k])) return;
        const std::uint32_t v = vertices[k];
        sum[lane] = on.combined(on.rows.offsets[v] + lane % Width, on.rows.offsets[v + 1], Width);
      });
      warp.template fold<Width>(sum, combine_of<Program>{});
      warp.lanes([&](std::uint32_t lane) {
        const std::uint32_t k = first + lane / Width;
        if (lane % Width != 0 || k >= size || on.is_settled(vertices[k])) return;
        on.totals[vertices[k]] = static_cast<typename Program::value>(sum[lane]);
      });
    }
  }
};

// Pulls the pieces of long rows into slots, one warp per piece.
template <class Program>
struct pull_pieces {
  using partial = typename pull_view<Program>::partial;
  pull_view<Program> on;
  const row_piece* pieces;
  std::uint32_t size;
  partial* slots;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<partial> sum;
    for (std::uint32_t p = warp.number; p < size; p += warp.count) {
      if (on.is_settled(pieces[p].source)) continue;
      warp.lanes([&](std::uint32_t lane) {
        sum[lane] = on.combined(pieces[p].first + lane, pieces[p].last, lanes_of_warp);
      });
      warp.fold(sum, combine_of<Program>{});
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) slots[p] = sum[0];
      });
    }
  }
};

// Merges the slots of long rows into totals.
template <class Program>
struct merge_pieces {
  using partial = typename pull_view<Program>::partial;
  pull_view<Program> on;
  const long_row_pieces* rows;
  std::uint32_t size;
  const partial* slots;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<partial> sum;
    for (std::uint32_t r = warp.number; r < size; r += warp.count) {
      const long_row_pieces row = rows[r];
      if (on.is_settled(row.vertex)) continue;
      warp.lanes([&](std::uint32_t lane) {
        sum[lane] = combine_of<Program>::template identity<partial>();
        for (std::uint32_t p = row.first + lane; p < row.last; p += lanes_of_warp)
          sum[lane] = combine_of<Program>{}(sum[lane], slots[p]);
      });
      warp.fold(sum, combine_of<Program>{});
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) on.totals[row.vertex] = static_cast<typename Program::value>(sum[0]);
      });
    }
  }
};

// Launches all kernels of a pull. slots: one per piece.
template <class Program, class On>
void pull(On& on, const pull_view<Program>& view, const row_classes<On>& classes,
          array<typename pull_view<Program>::partial, On>& slots) {
  const auto of = [&](std::size_t k) { return static_cast<std::uint32_t>(classes.vertices[k].size()); };
  const auto warps = [](std::uint32_t items, std::uint32_t width) {
    return static_cast<std::uint32_t>((std::uint64_t{items} * width + lanes_of_warp - 1) / lanes_of_warp);
  };
  const auto pieces = static_cast<std::uint32_t>(classes.pieces.size());
  const auto rows = static_cast<std::uint32_t>(classes.long_rows.size());
  if (pieces > 0) {
    on.launch(pieces, pull_pieces<Program>{view, classes.pieces.data(), pieces, slots.data()});
    on.launch(rows, merge_pieces<Program>{view, classes.long_rows.data(), rows, slots.data()});
  }
  on.launch(warps(of(2), 32), pull_rows<Program, 32>{view, classes.vertices[2].data(), of(2)});
  on.launch(warps(of(1), 8), pull_rows<Program, 8>{view, classes.vertices[1].data(), of(1)});
  on.launch(warps(of(0), 1), pull_rows<Program, 1>{view, classes.vertices[0].data(), of(0)});
}

// The largest error of a sum of `contributions`, in units roundoff of T times the sum of their magnitudes. It
// is what `vectors::pull_roundings` is for the CPU. Partial results of floats are doubles.
template <class T>
double pull_roundings(double contributions) {
  constexpr double of_lane = 2048 / lanes_of_warp, across_lanes = 5;
  const double all = of_lane + 2 * across_lanes + contributions / (1024 * lanes_of_warp);
  return sizeof(T) == 4 ? 1 + all * 0x1p-29 : all;
}

}  // namespace orujo::internal::device
