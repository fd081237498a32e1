#include "framework/graph/build/segments.hpp"

#include <algorithm>

namespace orujo::internal::graph {
namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// The nearest of the ascending `places` that is at most so far away, or else `at`.
std::uint64_t snap(std::uint64_t at, std::span<const std::uint32_t> places, std::uint64_t most) {
  const auto after = std::lower_bound(places.begin(), places.end(), at);
  std::uint64_t to = at;
  if (after != places.end() && *after - at <= most) {
    to = *after;
    most = to - at;
  }
  if (after != places.begin() && at - after[-1] <= most) to = after[-1];
  return to;
}

// Appends the ends of `parts` equal ranges of [first, first + count); `places` count from `first`.
void cut_evenly(std::uint32_t first, std::uint32_t count, std::uint64_t parts,
                std::span<const std::uint32_t> places, std::vector<std::uint32_t>& bounds) {
  for (std::uint64_t k = 1; k <= parts; ++k) {
    const std::uint64_t even = count * k / parts;
    const auto end =
        static_cast<std::uint32_t>(first + (k < parts ? snap(even, places, count / parts / 2) : even));
    if (end > bounds.back()) bounds.push_back(end);
  }
}

}  // namespace

std::vector<std::uint32_t> cut_sources(std::uint32_t own, std::uint32_t mirrors, std::size_t segments,
                                       std::span<const std::uint32_t> peers_end) {
  std::vector<std::uint32_t> bounds{0};
  const std::uint64_t all = std::uint64_t{own} + mirrors;
  if (segments <= 1 || all == 0) {
    bounds.push_back(static_cast<std::uint32_t>(all));
    return bounds;
  }
  const std::uint64_t each = divide_up(all, segments);
  std::uint64_t of_own = divide_up(own, each);
  if (mirrors > 0) of_own = std::min<std::uint64_t>(of_own, segments - 1);
  cut_evenly(0, own, of_own, {}, bounds);
  cut_evenly(own, mirrors, segments - of_own, peers_end, bounds);
  return bounds;
}

std::uint64_t count_pieces(const in_edge_rows& rows, std::span<const std::uint32_t> bounds) {
  std::uint64_t pieces = 0;
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    std::uint32_t end = 0;
    std::size_t segment = 0;
    for (std::uint64_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k) {
      if (rows.neighbours[k] < end) continue;
      while (rows.neighbours[k] >= bounds[segment + 1]) ++segment;
      end = bounds[segment + 1];
      ++pieces;
    }
  }
  return pieces;
}

}  // namespace orujo::internal::graph
