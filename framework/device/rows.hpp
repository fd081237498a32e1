// Rows of edges in a GPU's memory, and the walk along the rows of listed vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/device/array.hpp"
#include "framework/device/warp.hpp"
#include "framework/graph/adjacency.hpp"

namespace orujo::internal::device {

// Rows as kernels see them. weights: null if every weight is 1.
struct row_view {
  const std::uint64_t* offsets;
  const std::uint32_t* neighbours;
  const float* weights;

  ORUJO_HOST_DEVICE std::uint64_t degree(std::uint32_t row) const { return offsets[row + 1] - offsets[row]; }
};

// The same bytes as on the CPU, and as many of them (adjacency.hpp).
template <class On>
class rows {
 public:
  rows() = default;
  // Throws failure if there is no memory. The rows may be read until on.wait().
  rows(On& on, std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> neighbours,
       std::span<const float> weights = {})
      : offsets_(on, offsets), neighbours_(on, neighbours), weights_(on, weights) {}
  // Copies the rows of the first `vertices` vertices, whose neighbours lie in arrays.
  rows(On& on, const graph::adjacency& of, std::size_t vertices, bool weights)
      : rows(on, of.offsets.part(0, vertices + 1), of.neighbours.part(0, of.edges()),
             weights ? of.weights.part(0, of.weights.size() == 0 ? 0 : of.edges()) : std::span<float>()) {}

  row_view view() const { return {offsets_.data(), neighbours_.data(), weights_.data()}; }
  std::uint64_t edges() const { return neighbours_.size(); }

 private:
  array<std::uint64_t, On> offsets_;
  array<std::uint32_t, On> neighbours_;
  array<float, On> weights_;
};

// A part of a long row: the work of one warp.
struct row_piece {
  std::uint32_t source;
  std::uint64_t first, last;
};
// Rows of long_row edges or more are cut into pieces of edges_of_piece. A warp takes a microsecond or two for
// 32 edges.
inline constexpr std::uint64_t long_row = 512, edges_of_piece = 256;
// The largest number of pieces among this many edges: a row of n has at most n / 256 + 1.
constexpr std::size_t most_pieces(std::uint64_t edges) {
  return edges / edges_of_piece + edges / long_row + 1;
}

// Returns whether some row is long enough to be cut into pieces.
inline bool has_long_row(std::span<const std::uint64_t> offsets) {
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row + 1] - offsets[row] >= long_row) return true;
  }
  return false;
}

// The vertices whose rows a walk traverses: list[0 .. *size), with the rows list[i] - first_row.
struct row_list {
  row_view rows;
  const std::uint32_t* list;
  const std::uint32_t* size;
  std::uint32_t first_row = 0;
};

// A walk is two kernels, one after the other: walk_rows, which leaves the long rows in pieces[0 ..
// *piece_count), and walk_pieces. They pass 32 edges at a time to a visitor, which is copied with the kernel:
//   template <class Warp> struct tally;       what a warp keeps of all that it has seen
//   see(warp, tally&, sources, targets, slots, there)
//       each<std::uint32_t> sources, targets; each<std::uint64_t> slots: places in the rows; there: a bit for
//       each lane that has an edge. Values of other lanes mean nothing
//   end(warp, tally&)
//
// A warp takes up to 32 vertices at a time, fewer if there is not one for every lane of the GPU. All its
// lanes walk a row of 32 edges or more. Edges of shorter rows are dealt to the lanes one by one, so none
// waits for the longest row.
template <class Visitor>
struct walk_rows {
  row_list of;
  row_piece* pieces;
  std::uint32_t* piece_count;
  Visitor visitor;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Visitor::template tally<Warp> tally{};
    const std::uint32_t size = *of.size, share = (size + warp.count - 1) / warp.count,
                        at_a_time = share < lanes_of_warp ? share : lanes_of_warp;
    for (std::uint32_t first = warp.number * at_a_time; first < size; first += warp.count * at_a_time)
      walk(warp, tally, first, first + at_a_time < size ? first + at_a_time : size);
    visitor.end(warp, tally);
  }

 private:
  template <class Warp, class Tally>
  ORUJO_DEVICE void walk(const Warp& warp, Tally& tally, std::uint32_t first, std::uint32_t last) const {
    typename Warp::template each<std::uint32_t> source, length;
    typename Warp::template each<std::uint64_t> begin;
    warp.lanes([&](std::uint32_t lane) {
      source[lane] = length[lane] = 0;
      begin[lane] = 0;
      if (first + lane >= last) return;
      source[lane] = of.list[first + lane];
      begin[lane] = of.rows.offsets[source[lane] - of.first_row];
      const std::uint64_t edges = of.rows.degree(source[lane] - of.first_row);
      if (edges >= long_row) {
        cut<Warp>(source[lane], begin[lane], begin[lane] + edges);
      } else {
        length[lane] = static_cast<std::uint32_t>(edges);
      }
    });
    std::uint32_t wide = warp.ballot([&](std::uint32_t lane) { return length[lane] >= lanes_of_warp; });
    for (; wide != 0; wide &= wide - 1) {
      const std::uint32_t lane = Warp::first_bit(wide);
      walk_row(warp, tally, visitor, of.rows, warp.from(source, lane), warp.from(begin, lane),
               warp.from(begin, lane) + warp.from(length, lane));
    }
    warp.lanes([&](std::uint32_t lane) {
      if (length[lane] >= lanes_of_warp) length[lane] = 0;
    });
    walk_short(warp, tally, source, begin, length);
  }

  template <class Warp>
  ORUJO_DEVICE void cut(std::uint32_t source, std::uint64_t first, std::uint64_t last) const {
    const auto count = static_cast<std::uint32_t>((last - first + edges_of_piece - 1) / edges_of_piece);
    row_piece* to = pieces + Warp::fetch_add(piece_count, count);
    for (; first < last; first += edges_of_piece)
      *to++ = {source, first, first + edges_of_piece < last ? first + edges_of_piece : last};
  }

  // start becomes the number of edges of the lanes before; edge r is that of the last lane with start <= r.
  template <class Warp, class Tally>
  ORUJO_DEVICE void walk_short(const Warp& warp, Tally& tally,
                               const typename Warp::template each<std::uint32_t>& source,
                               const typename Warp::template each<std::uint64_t>& begin,
                               typename Warp::template each<std::uint32_t>& start) const {
    const std::uint32_t edges = warp.scan(start);
    typename Warp::template each<std::uint32_t> owner, from, target;
    typename Warp::template each<std::uint64_t> slot;
    for (std::uint32_t first = 0; first < edges; first += lanes_of_warp) {
      warp.lanes([&](std::uint32_t lane) { owner[lane] = 0; });
      for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
        warp.take(from, start, [&](std::uint32_t lane) { return owner[lane] + step; });
        warp.lanes([&](std::uint32_t lane) {
          if (from[lane] <= first + lane) owner[lane] += step;
        });
      }
      typename Warp::template each<std::uint64_t> row;
      typename Warp::template each<std::uint32_t> sources;
      warp.take(row, begin, [&](std::uint32_t lane) { return owner[lane]; });
      warp.take(from, start, [&](std::uint32_t lane) { return owner[lane]; });
      warp.take(sources, source, [&](std::uint32_t lane) { return owner[lane]; });
      const std::uint32_t there = warp.ballot([&](std::uint32_t lane) { return first + lane < edges; });
      warp.lanes([&](std::uint32_t lane) {
        slot[lane] = row[lane] + (first + lane - from[lane]);
        target[lane] = (there >> lane & 1) != 0 ? of.rows.neighbours[slot[lane]] : 0;
      });
      visitor.see(warp, tally, sources, target, slot, there);
    }
  }
};

template <class Warp, class Tally, class Visitor>
ORUJO_DEVICE void walk_row(const Warp& warp, Tally& tally, const Visitor& visitor, const row_view& rows,
                           std::uint32_t of, std::uint64_t first, std::uint64_t last) {
  typename Warp::template each<std::uint32_t> source, target;
  typename Warp::template each<std::uint64_t> slot;
  for (; first < last; first += lanes_of_warp) {
    const std::uint32_t there = warp.ballot([&](std::uint32_t lane) { return first + lane < last; });
    warp.lanes([&](std::uint32_t lane) {
      source[lane] = of;
      slot[lane] = first + lane;
      target[lane] = (there >> lane & 1) != 0 ? rows.neighbours[slot[lane]] : 0;
    });
    visitor.see(warp, tally, source, target, slot, there);
  }
}

template <class Visitor>
struct walk_pieces {
  row_view rows;
  const row_piece* pieces;
  const std::uint32_t* piece_count;
  Visitor visitor;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Visitor::template tally<Warp> tally{};
    const std::uint32_t count = *piece_count;
    for (std::uint32_t p = warp.number; p < count; p += warp.count)
      walk_row(warp, tally, visitor, rows, pieces[p].source, pieces[p].first, pieces[p].last);
    visitor.end(warp, tally);
  }
};

}  // namespace orujo::internal::device
