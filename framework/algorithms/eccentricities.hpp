// Breadth-first searches from up to 64 vertices at once, and the distances that they reach.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/base/check.hpp"

namespace orujo::algorithms {

// Breadth-first searches from up to 64 vertices at once, a vertex program. It finds how far each search gets,
// and how far each vertex is from the farthest source. After Then et al., "The More the Merrier: Efficient
// Multi-Source Graph Traversal", VLDB 2014. A vertex shows a bit for each search that has found it, so that
// one step does what searches have in common. Distances are along the edges; weights do not count.
struct eccentricities {
  using value = std::uint64_t;  // bit k is set if source k has found the vertex
  static constexpr auto combine = gas::bit_or{};
  static constexpr bool incremental = true;
  static constexpr std::size_t most_sources = 64;
  struct aggregate {
    value found = 0;  // searches that have found a vertex in this superstep
    void operator+=(const aggregate& other) { found |= other.found; }
  };

  // `numbers` has the sources, ascending and different, at most most_sources. The property receives what
  // `farthest` describes.
  eccentricities(std::span<const std::uint64_t> numbers, graph::property<std::int32_t> farthest_from)
      : sources(numbers.size()), farthest(farthest_from) {
    check(numbers.size() <= most_sources, "more sources than a value has bits");
    std::ranges::copy(numbers, number.begin());
  }

  template <class V>
  V gather(V found, V) const {
    return found;
  }

  value start(const graph::vertex& v, aggregate& sums) {
    const value mine = first_shown(v);
    farthest.here()[v.local] = mine != 0 ? 0 : -1;
    sums.found |= mine;
    return mine;
  }
  bool starts(const graph::vertex& v) { return first_shown(v) != 0; }

  bool apply(const graph::vertex& v, value total, value& shown, aggregate& sums) {
    const value fresh = total & ~shown;
    if (fresh == 0) return false;
    shown |= fresh;
    sums.found |= fresh;
    farthest.here()[v.local] = distance;
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
    kept.add("farthest", farthest);
    kept.add("eccentricity", of_source);
  }

  value first_shown(const graph::vertex& v) const {
    const auto last = number.begin() + static_cast<std::ptrdiff_t>(sources);
    const auto at = std::lower_bound(number.begin(), last, v.number());
    return at != last && *at == v.number() ? value{1} << (at - number.begin()) : 0;
  }

  std::size_t sources;
  std::array<std::uint64_t, most_sources> number{};  // by source
  // By source: in the end its eccentricity, the greatest distance that it reaches.
  std::array<std::int32_t, most_sources> of_source{};
  // In the end the greatest distance from a source; -1 if none reaches the vertex.
  graph::property<std::int32_t> farthest;
  std::int32_t distance = 0;  // of vertices found in this superstep
};

}  // namespace orujo::algorithms

namespace orujo::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::eccentricities&, graph::distributed_graph, const run_options&);

}  // namespace orujo::gas
