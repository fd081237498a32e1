// Programs that run on GPUs in the tests.
#pragma once

#include <cstdint>
#include <limits>

#include "framework/gas/program.hpp"
#include "framework/graph/device_state.hpp"
#include "framework/graph/property.hpp"
#include "system/base/host_device.hpp"

namespace orujo::internal::test_programs {

using graph::vertex;

// The smallest number of a vertex that reaches it.
struct least_label {
  static constexpr bool incremental = true;
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  ORUJO_HOST_DEVICE V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number()); }
  ORUJO_HOST_DEVICE bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};

// The greatest, over edges that raise it up to a bound: 8 bytes, a gather that compares, no apply(), and an
// order that GPUs do not follow.
struct greatest_raised {
  static constexpr bool incremental = true, improves = true;
  using value = std::uint64_t;
  static constexpr auto combine = gas::maximum{};
  using aggregate = gas::nothing;
  static constexpr value bound = (value{1} << 40) + 70;
  template <class V>
  ORUJO_HOST_DEVICE V gather(V shown, V) const {
    return gas::min(shown + V(1), V(bound));
  }
  value start(const vertex& v, aggregate&) { return (value{1} << 40) + v.number() % 50; }
  std::uint64_t priority(const vertex&, value shown) const { return bound - shown; }
};

// Lengths from the first vertices: with weights, settled where nothing can be less, and active there at
// first.
struct lengths_from_several {
  static constexpr bool incremental = true, settles = true;
  using value = float;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  ORUJO_HOST_DEVICE V gather(V length, V weight) const {
    return length + weight;
  }
  static bool is_source(std::uint64_t number) { return number < 3; }
  bool starts(const vertex& v) const { return is_source(v.number()); }
  value start(const vertex& v, aggregate&) {
    if (is_source(v.part->first_vertex)) sources_here = static_cast<std::uint32_t>(3 - v.part->first_vertex);
    return starts(v) ? 0 : std::numeric_limits<float>::infinity();
  }
  ORUJO_HOST_DEVICE bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
  ORUJO_HOST_DEVICE bool settled(const vertex& v) const { return v.local < sources_here; }
  std::uint32_t sources_here = 0;  // own vertices of the locale
};

// For some supersteps every vertex takes the sum of the values of its in-neighbours, times the weights. It
// keeps the sum of all it took in a property, and aggregates over all vertices.
struct weighted_sums {
  using value = double;
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double taken = 0;
    std::uint64_t degrees = 0;
    ORUJO_HOST_DEVICE void operator+=(const aggregate& more) {
      taken += more.taken;
      degrees += more.degrees;
    }
  };
  template <class V>
  ORUJO_HOST_DEVICE V gather(V shown, V weight) const {
    return shown * weight;
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number() % 5); }
  ORUJO_HOST_DEVICE bool apply(const vertex& v, value total, value& shown, aggregate& sums) {
    kept[v] += total + least;
    sums.taken += total;
    sums.degrees += v.out_degree;
    shown = total;
    return true;
  }
  bool next(int superstep, const aggregate& last) {
    if (superstep > 0) all += last.taken;
    if (superstep > 0) degrees = last.degrees;
    least = superstep;
    return superstep < 3;
  }
  void device_state(graph::device_state& on) { on.vertices(kept); }

  graph::property<double> kept;
  double all = 0, least = 0;
  std::uint64_t degrees = 0;
};

// The number of walks of a bounded length that end here. A shown value is sent once.
struct walks_that_end {
  static constexpr bool incremental = true, deltas = true;
  using value = std::uint64_t;
  static constexpr auto combine = gas::sum{};
  using aggregate = gas::nothing;
  template <class V>
  ORUJO_HOST_DEVICE V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) {
    counts[v.local] = v.number() < 7 ? 1 : 0;
    return counts[v.local];
  }
  ORUJO_HOST_DEVICE bool apply(const vertex& v, value total, value& shown, aggregate&) {
    counts[v.local] += total;
    shown = total;
    return total > 0;
  }
  bool next(int superstep, const aggregate&) { return superstep < 5; }
  void device_state(graph::device_state& on) { on.vertices(counts); }

  value* counts;
};

}  // namespace orujo::internal::test_programs
