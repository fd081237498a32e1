// Arithmetic of vertices' values while shortest paths are counted, in double precision or, beyond its range,
// in scaled numbers. It writes values of one level, given by its parity, and reads those of the other parity.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/algorithms/centrality_state.hpp"
#include "framework/algorithms/scaled_number.hpp"
#include "framework/graph/adjacency.hpp"

namespace orujo::internal::algorithms::detail {

struct plain_values {
  plain_values(const centrality_state& shared, std::size_t parity)
      : values(shared.values[parity].data()), others(shared.values[1 - parity].data()) {}

  double* values;
  const double* others;

  // Returns minus the number of paths to the in-neighbours.
  [[gnu::always_inline]] double paths_before(const graph::adjacency& in, std::uint32_t vertex) const {
    return sum(in, vertex, [](double x) { return x; });
  }
  static bool is_zero(double paths) { return paths == 0; }
  void set_paths(std::uint32_t vertex, double paths) const { values[vertex] = paths; }

  // Sets the value for the way back in the deepest level, where dependencies are 0.
  void turn(std::uint32_t vertex) const { values[vertex] = -1 / values[vertex]; }
  // Sets the value for the way back, and returns the dependency.
  [[gnu::always_inline]] double go_back(const graph::adjacency& out, std::uint32_t vertex) const {
    const double quotients = sum(out, vertex, [](double x) { return x > 0 ? x : 0; });
    const double paths = -values[vertex];
    values[vertex] = 1 / paths + quotients;
    return paths * quotients;
  }
  // Does the same, and adds the part of each edge, by slot.
  double go_back(const graph::adjacency& out, std::uint32_t vertex, double* of_edges) const {
    const double paths = -values[vertex];
    double quotients = 0;
    for (std::uint64_t slot = out.offsets[vertex]; slot < out.offsets[vertex + 1]; ++slot) {
      const double quotient = others[out.neighbours[slot]];
      if (!(quotient > 0)) continue;
      quotients += quotient;
      of_edges[slot] += paths * quotient;
    }
    values[vertex] = 1 / paths + quotients;
    return paths * quotients;
  }

 private:
  // Sums value(others[neighbour]) over a row. It keeps four sums, because each addition waits for the one
  // before it.
  template <class Value>
  [[gnu::always_inline]] double sum(const graph::adjacency& rows, std::uint32_t vertex, Value value) const {
    const std::uint32_t* at = rows.neighbours.data() + rows.offsets[vertex];
    const std::uint32_t* const end = rows.neighbours.data() + rows.offsets[vertex + 1];
    double a = 0, b = 0, c = 0, d = 0;
    for (; end - at >= 4; at += 4) {
      a += value(others[at[0]]);
      b += value(others[at[1]]);
      c += value(others[at[2]]);
      d += value(others[at[3]]);
    }
    for (; at != end; ++at) a += value(others[*at]);
    return (a + b) + (c + d);
  }
};

// The same arithmetic for levels whose numbers of paths are scaled. On the way back it also serves the level
// before the first of these, whose own values are plain and stay so (`own_plain`).
struct scaled_values {
  scaled_values(const centrality_state& shared, std::size_t parity, bool own_plain)
      : values(shared.values[parity].data()),
        others(shared.values[1 - parity].data()),
        exponents(shared.exponents[parity].data()),
        other_exponents(shared.exponents[1 - parity].data()),
        plain(own_plain) {}

  double* values;
  const double* others;
  std::int32_t* exponents;
  const std::int32_t* other_exponents;
  bool plain;

  scaled_number paths_before(const graph::adjacency& in, std::uint32_t vertex) const {
    scaled_number paths;
    for (const std::uint32_t u : in.of(vertex)) paths += {-others[u], other_exponents[u]};
    return paths;
  }
  static bool is_zero(const scaled_number& paths) { return paths.is_zero(); }
  void set_paths(std::uint32_t vertex, const scaled_number& paths) const {
    const scaled_number same = paths.normalised();
    values[vertex] = -same.fraction();
    exponents[vertex] = static_cast<std::int32_t>(same.exponent());
  }

  void turn(std::uint32_t vertex) const { set_quotient(vertex, paths_of(vertex).reciprocal()); }
  double go_back(const graph::adjacency& out, std::uint32_t vertex, double* of_edges = nullptr) const {
    const scaled_number paths = paths_of(vertex);
    scaled_number quotients;
    for (std::uint64_t slot = out.offsets[vertex]; slot < out.offsets[vertex + 1]; ++slot) {
      const std::uint32_t w = out.neighbours[slot];
      if (!(others[w] > 0)) continue;
      const scaled_number quotient(others[w], other_exponents[w]);
      quotients += quotient;
      if (of_edges) of_edges[slot] += (paths * quotient.normalised()).rounded();
    }
    quotients = quotients.normalised();
    scaled_number quotient = paths.reciprocal().normalised();
    set_quotient(vertex, quotient += quotients);
    return (paths * quotients).rounded();
  }

 private:
  scaled_number paths_of(std::uint32_t vertex) const {
    return scaled_number(-values[vertex], exponents[vertex]).normalised();
  }
  void set_quotient(std::uint32_t vertex, const scaled_number& quotient) const {
    const scaled_number same = quotient.normalised();
    values[vertex] = plain ? same.rounded() : same.fraction();
    exponents[vertex] = plain ? 0 : static_cast<std::int32_t>(same.exponent());
  }
};

}  // namespace orujo::internal::algorithms::detail
