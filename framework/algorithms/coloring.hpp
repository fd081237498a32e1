// Colours for the vertices of an undirected graph such that no two neighbours have the same.
#pragma once

#include <bit>
#include <cstdint>

#include "framework/gas/property.hpp"
#include "framework/gas/run.hpp"
#include "system/base/random.hpp"

namespace orujo::algorithms {

// Jones, Plassmann, "A Parallel Graph Coloring Heuristic", SIAM Journal on Scientific Computing 14, 1993,
// with the order of Welsh, Powell, "An Upper Bound for the Chromatic Number of a Graph", 1967: vertices with
// more neighbours go first, of as many those with the smaller hash of the id. A vertex waits until all
// neighbours that go before it are coloured, and takes the smallest colour that none of them has. So the
// result is that of a serial program which colours one after the other in this order, whatever the split.
// Loops do not count but for the degree. For graphs made with --symmetrize.
struct coloring {
  static constexpr std::int32_t none = -1;
  struct value {
    std::uint64_t hash;
    std::uint32_t degree;
    std::int32_t color;
    bool goes_before(const value& other) const {
      return degree != other.degree ? degree > other.degree : hash < other.hash;
    }
  };
  using accumulator = std::int32_t;  // the vertex's colour, or none as yet
  using aggregate = gas::nothing;

  // Of different ids different: mix64 is a bijection.
  static std::uint64_t hash(std::uint64_t id) { return mix64(id); }

  value start(const gas::vertex& v, aggregate&) { return {hash(v.id()), v.out_degree, none}; }

  std::int32_t collect(const gas::vertex&, const value& own, const gas::neighbours<value>& all) {
    if (own.color != none) return own.color;
    for (std::int32_t first = 0;; first += 64) {
      std::uint64_t taken = 0;  // of the colours from `first` on
      for (const auto& [other, weight] : all) {
        if (!other.goes_before(own)) continue;
        if (other.color == none) return none;
        const std::int64_t place = std::int64_t{other.color} - first;
        if (place >= 0 && place < 64) taken |= std::uint64_t{1} << place;
      }
      if (taken != ~std::uint64_t{0}) return first + std::countr_one(taken);
    }
  }

  bool apply(const gas::vertex& v, std::int32_t color, value& shown, aggregate&) {
    if (shown.color == color) return color == none;
    colors.here()[v.local] = shown.color = color;
    return false;
  }

  gas::property<std::int32_t> colors;
};

}  // namespace orujo::algorithms
