// The common part of the tests of the pull kernels: programs, graphs, cuts into chunks, and the oracle.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "framework/vectors/pull.hpp"
#include "tests/framework/row_store.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::vectors::test_pull {

// Values and weights are small integers throughout, so sums of floats are exact in any order.

struct sum_of_floats {
  using value = float;
  static constexpr auto combine = gas::sum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value * factor + edge_weight;
  }
  float factor = 2;
};

struct sum_of_doubles {
  using value = double;
  static constexpr auto combine = gas::sum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value * edge_weight;
  }
};

struct smallest_label {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
};

struct shortest_path {
  using value = float;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value + edge_weight;
  }
};

// Adding to the identity wraps to a small number: lanes without an edge must not count.
struct shortest_path_in_integers {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value + edge_weight;
  }
};

struct union_of_sets {
  using value = std::uint32_t;
  static constexpr auto combine = gas::bit_or{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value | 1024u;
  }
};

struct union_of_large_sets {
  using value = std::uint64_t;
  static constexpr auto combine = gas::bit_or{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
};

struct largest_integer {
  using value = std::int32_t;
  static constexpr auto combine = gas::maximum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value - edge_weight;
  }
};

using row_store = test_graphs::row_store;

// `degrees` are those of the own vertices. The neighbours are random among local_indices.
inline row_store make_rows(random_stream& random, const std::vector<std::uint64_t>& degrees,
                           std::uint32_t local_indices) {
  row_store store;
  for (const std::uint64_t degree : degrees) {
    store.add_vertex(degree, [&] { return static_cast<std::uint32_t>(random.below(local_indices)); });
  }
  for (float& weight : store.weights) weight = static_cast<float>(1 + random.below(9));
  return store;
}

using programs =
    testing::Types<sum_of_floats, sum_of_doubles, smallest_label, shortest_path, shortest_path_in_integers,
                   union_of_sets, union_of_large_sets, largest_integer>;

template <class T>
std::vector<T> make_sources(random_stream& random, std::uint32_t count) {
  std::vector<T> sources(count);
  for (T& each : sources) each = static_cast<T>(100 + random.below(900));
  return sources;
}

// The oracle: edge by edge, no packs.
template <class Program>
std::vector<typename Program::value> totals_by_edge(const Program& program, const row_store& rows,
                                                    bool weighted,
                                                    const std::vector<typename Program::value>& sources) {
  using T = typename Program::value;
  std::vector<T> totals(rows.vertices(), Program::combine.template identity<T>());
  for (const auto& [vertex, neighbour, weight] : rows.edges()) {
    const T used = weighted ? static_cast<T>(weight) : T{1};
    totals[vertex] = Program::combine(totals[vertex], program.gather(sources[neighbour], used));
  }
  return totals;
}

// Every way to cut this many vectors into three chunks, some of them empty.
inline std::vector<std::vector<std::size_t>> all_pairs_of_cuts(std::size_t vectors) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t a = 0; a <= vectors; ++a) {
    for (std::size_t b = a; b <= vectors; ++b) all.push_back({0, a, b, vectors});
  }
  return all;
}

inline std::vector<std::size_t> one_vector_chunks(std::size_t vectors) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i <= vectors; ++i) cuts.push_back(i);
  return cuts;
}

// Calls check(isa tag, its name) for all that this processor runs.
template <class Check>
void for_each_isa(Check check) {
  for (const auto set : test_isa::all()) {
    machine::with_isa(set, [&](auto isa) { check(isa, machine::name_of(set)); });
  }
}

}  // namespace orujo::internal::vectors::test_pull
