// Breadth-first searches from up to 64 vertices at once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "framework/gas/program.hpp"
#include "framework/graph/program_state.hpp"
#include "framework/graph/vertex.hpp"
#include "system/base/check.hpp"

namespace orujo::internal::algorithms {

// Breadth-first searches from up to 64 vertices at once, a vertex program. After Then et al., "The More the
// Merrier: Efficient Multi-Source Graph Traversal", VLDB 2014. A vertex shows a bit for each search that has
// found it, so that one step does what searches have in common. Distances are along the edges; weights do not
// count.
//
// Visitor, a base, stores what the searches find. It is copied to every core, so it holds properties and
// numbers. It has these members:
//   - `void start(const vertex& v, bool is_source)` is called for every own vertex, in the beginning.
//   - `void find(const vertex& v, std::uint64_t searches, std::int32_t distance)`: searches find v at this
//     distance, one for each bit that is set. Called in ascending order of distances.
//   - `void checkpoint(program_state& kept)`.
template <class Visitor>
struct multi_source_search : Visitor {
  using value = std::uint64_t;  // bit k is set if source k has found the vertex
  static constexpr auto combine = gas::bit_or{};
  static constexpr bool incremental = true, improves = true;
  static constexpr std::size_t most_sources = 64;
  struct aggregate {
    value found = 0;  // searches that have found a vertex in this superstep
    void operator+=(const aggregate& other) { found |= other.found; }
  };

  // `numbers` has the sources, ascending and different, at most most_sources.
  multi_source_search(std::span<const std::uint64_t> numbers, Visitor visitor)
      : Visitor(std::move(visitor)), sources(numbers.size()) {
    check(numbers.size() <= most_sources, "more sources than a value has bits");
    std::ranges::copy(numbers, number.begin());
  }

  template <class V>
  V gather(V found, V) const {
    return found;
  }

  value start(const graph::vertex& v, aggregate& sums) {
    const value mine = first_shown(v);
    Visitor::start(v, mine != 0);
    sums.found |= mine;
    return mine;
  }
  bool starts(const graph::vertex& v) { return first_shown(v) != 0; }

  bool apply(const graph::vertex& v, value total, value& shown, aggregate& sums) {
    const value fresh = total & ~shown;
    if (fresh == 0) return false;
    shown |= fresh;
    sums.found |= fresh;
    Visitor::find(v, fresh, distance);
    return true;
  }

  // A vertex is found in the superstep whose number is its distance; the first is 1.
  bool next(int superstep, const aggregate& last) {
    for (value found = last.found; found != 0; found &= found - 1)
      of_source[static_cast<std::size_t>(std::countr_zero(found))] = superstep;
    distance = superstep + 1;
    return true;
  }

  void checkpoint(graph::program_state& kept) {
    Visitor::checkpoint(kept);
    kept.add("eccentricity", of_source);
  }

  value first_shown(const graph::vertex& v) const {
    const std::uint64_t its = v.number();
    if (sources == 0 || its < number[0] || its > number[sources - 1]) return 0;
    const auto at =
        std::lower_bound(number.begin(), number.begin() + static_cast<std::ptrdiff_t>(sources), its);
    return *at == its ? value{1} << (at - number.begin()) : 0;
  }

  std::size_t sources;
  std::array<std::uint64_t, most_sources> number{};  // by source
  // By source: in the end its eccentricity, the greatest distance that it reaches.
  std::array<std::int32_t, most_sources> of_source{};
  std::int32_t distance = 0;  // of vertices found in this superstep
};

}  // namespace orujo::internal::algorithms
