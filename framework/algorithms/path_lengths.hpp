// Lengths of paths as values of a relaxation: delta-stepping (steps/relaxation.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/relaxation.hpp"
#include "system/base/index_range.hpp"

namespace orujo::internal::algorithms {

// A vertex shows the least length of paths from a source so far, and its bin is length / delta. Without
// weights every edge has length 1. Length is float or double.
template <class Length, bool ByWeights = true>
struct path_lengths {
  using value = Length;
  static constexpr bool by_weights = ByWeights, monotone = ByWeights;
  static constexpr std::uint64_t most_ahead = 256;
  static constexpr Length unreached = std::numeric_limits<Length>::infinity();

  explicit path_lengths(float delta = 1) : inverse_delta(1 / delta) {}

  Length along(Length length, float weight) const { return length + weight; }
  bool improves(Length known, Length through) const { return through < known; }
  Length better(Length, Length through) const { return through; }
  // Monotone in the length. That suffices, because bins are worked off until nothing is left.
  std::uint64_t bin_of(Length length) const {
    constexpr Length most = 1e18f;
    const Length bin = length * inverse_delta;
    return static_cast<std::uint64_t>(bin < most ? bin : most);
  }
  std::uint64_t bin(std::uint32_t, Length length) const { return bin_of(length); }
  bool leads(Length) const { return true; }

  Length inverse_delta;
};

template <class Length>
using delta_stepping = steps::relaxation<path_lengths<Length>>;
// Levels of a breadth-first search; a bin is a level.
using level_stepping = steps::relaxation<path_lengths<float, false>>;

// [task; suspends; collective over the job] Begins a run from the vertex of this number, for whose lengths
// the stepping was made.
template <class Length>
void begin_at(delta_stepping<Length>& stepping, const graph::locale_graph& g, std::span<Length> lengths,
              std::uint64_t source) {
  stepping.clear();
  const graph::core_part& part = g.my_part();
  std::fill(lengths.begin() + part.first, lengths.begin() + part.last, path_lengths<Length>::unreached);
  const index_range mirrors = my_part_of_locale({g.own, std::size_t{g.own} + g.mirrors});
  std::ranges::fill(lengths.subspan(mirrors.first, mirrors.size()), path_lengths<Length>::unreached);
  const std::uint64_t place = source - g.first_vertex;
  if (place >= part.first && place < part.last) {
    lengths[place] = 0;
    stepping.add(static_cast<std::uint32_t>(place));
  }
  stepping.agree();
}

}  // namespace orujo::internal::algorithms

namespace orujo::internal::steps {

// Compiled once, in path_lengths.cpp.
extern template class relaxation<algorithms::path_lengths<float>>;
extern template class relaxation<algorithms::path_lengths<double>>;
extern template class relaxation<algorithms::path_lengths<float, false>>;

}  // namespace orujo::internal::steps
