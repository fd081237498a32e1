// The lengths of shortest paths from one vertex, as vertex programs of the tests compute them.
#pragma once

#include <cstdint>
#include <limits>

#include "framework/gas/program.hpp"

namespace orujo::internal::test_graphs {

using graph::vertex;

// The first vertex is that of this number, or id. A program that derives from it decides how it runs: with
// apply(), or by priority().
template <std::uint64_t First, auto Name = &vertex::number>
struct length_program {
  static constexpr bool incremental = true, improves = true;
  using value = float;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  V gather(V length, V weight) const {
    return length + weight;
  }
  bool starts(const vertex& v) const { return (v.*Name)() == First; }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : std::numeric_limits<value>::infinity(); }
};

// Number of edges from vertex 0. Needs no apply().
struct hops_from_first {
  static constexpr bool incremental = true, improves = true;
  using value = std::uint32_t;
  static constexpr value far = 1'000'000;  // where no vertex is
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  V gather(V hops, V) const {
    return hops + V{1};
  }
  bool starts(const vertex& v) const { return v.number() == 0; }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : far; }
};

template <std::uint64_t First, auto Name = &vertex::number>
struct lengths_in_order : length_program<First, Name> {
  std::uint64_t priority(const vertex&, const float& length) const {
    return static_cast<std::uint64_t>(length);
  }
};

}  // namespace orujo::internal::test_graphs
