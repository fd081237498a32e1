// Small vertex programs with an obvious result, and what runs them on the test graphs.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "framework/gas/run.hpp"
#include "framework/graph/neighbours.hpp"
#include "framework/graph/property.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::gas::small_programs {

// Every vertex gets the smallest vertex number that reaches it: connected components on symmetric graphs.
struct smallest_label {
  static constexpr bool incremental = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;

  smallest_label(const graph::locale_graph& g, std::span<std::uint32_t> labels)
      : labels_(labels.data()), first_(static_cast<std::uint32_t>(g.first_vertex)) {}
  template <class V>
  V gather(V label, V) const {
    return label;
  }
  value start(const vertex& v, aggregate&) { return labels_[v.local] = first_ + v.local; }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    if (total >= labels_[v.local]) return false;
    labels_[v.local] = shown = total;
    return true;
  }
  bool next(int, const aggregate&) { return true; }

  std::uint32_t* labels_;
  std::uint32_t first_;
};

// Distances from vertex 0 by repeated relaxation.
struct shortest_paths {
  static constexpr bool incremental = true;
  using value = float;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;

  shortest_paths(const graph::locale_graph& g, std::span<float> distances)
      : distances_(distances.data()), first_(g.first_vertex) {}
  template <class V>
  V gather(V distance, V weight) const {
    return distance + weight;
  }
  value start(const vertex& v, aggregate&) {
    return distances_[v.local] = first_ + v.local == 0 ? 0 : minimum::identity<float>();
  }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    if (total >= distances_[v.local]) return false;
    distances_[v.local] = shown = total;
    return true;
  }
  bool next(int, const aggregate&) { return true; }
  bool starts(const vertex& v) const { return first_ + v.local == 0; }

  float* distances_;
  std::uint64_t first_;
};

// The number of edges from vertex 0, by a program that is done with vertices once it has reached them.
struct levels {
  static constexpr bool incremental = true, settles = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  static constexpr value unreached = minimum::identity<value>();

  levels(const graph::locale_graph& g, std::span<std::uint32_t> found)
      : levels_(found.data()), first_(g.first_vertex) {}
  template <class V>
  V gather(V level, V) const {
    using vectors::min;
    return min(level, V(unreached - 1)) + V(1);
  }
  value start(const vertex& v, aggregate&) { return levels_[v.local] = starts(v) ? 0 : unreached; }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    if (total >= levels_[v.local]) return false;
    levels_[v.local] = shown = total;
    return true;
  }
  bool next(int, const aggregate&) { return true; }
  bool starts(const vertex& v) const { return first_ + v.local == 0; }
  bool settled(const vertex& v) const { return levels_[v.local] != unreached; }

  std::uint32_t* levels_;
  std::uint64_t first_;
};

// One superstep that counts in-edges in double precision, and all edges as an aggregate.
struct in_degrees {
  using value = double;
  static constexpr auto combine = sum{};
  struct aggregate {
    std::uint64_t edges = 0;
    void operator+=(const aggregate& other) { edges += other.edges; }
  };
  in_degrees(const graph::locale_graph&, std::span<double> degrees) : degrees_(degrees.data()) {}
  template <class V>
  V gather(V one, V) const {
    return one;
  }
  value start(const vertex&, aggregate&) { return 1; }
  bool apply(const vertex& v, value total, value&, aggregate& sums) {
    degrees_[v.local] = total;
    sums.edges += static_cast<std::uint64_t>(total);
    return true;
  }
  bool next(int superstep, const aggregate& last) {
    edges = last.edges;
    return superstep < 1;
  }
  double* degrees_;
  std::uint64_t edges = 0;
};

// Runs the program on graph number `index` and brings the property to core 0, by vertex number.
template <class Program, class T>
std::vector<T> run_on(std::size_t index, const graph::build_options& build,
                      const vectors::edge_loop_options& edges = {},
                      const steps::direction_options& direction = {},
                      machine::instruction_set simd = machine::simd_from_flags(),
                      const exchange::codec_options& codec = {}) {
  const graph::distributed_graph handle = test_graphs::build(index, build);
  const auto state = property<T>::create(handle);
  loops::on_all_cores([=] {
    Program program(handle.here(), state.here());
    run(program, handle.here(),
        {.most_supersteps = 5000, .edges = edges, .direction = direction, .simd = simd, .codec = codec});
  });
  std::vector<T> all(handle.here().vertices);
  std::vector<std::uint64_t> numbers(all.size());
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  graph::gather_values(handle, state, numbers, std::span(all));
  state.destroy();
  handle.destroy();
  return all;
}

// Repeats `relax` over all edges until nothing changes.
template <class T, class Relax>
void settle(const std::vector<test_graphs::plain_edge>& edges, std::vector<T>& values, Relax relax) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& e : edges) {
      const T offered = relax(values[e.source], e.weight);
      if (offered < values[e.target]) {
        values[e.target] = offered;
        changed = true;
      }
    }
  }
}

// By vertex number.
inline std::vector<double> expected_in_degrees(std::size_t index) {
  const test_graphs::expected_graph expected(test_graphs::all()[index], {});
  std::vector<double> degrees(expected.ids.size());
  for (const auto& e : expected.edges) ++degrees[e.target];
  return degrees;
}

}  // namespace orujo::internal::gas::small_programs
