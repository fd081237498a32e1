// The edge phase of asynchronous programs on one locale: vertex after vertex, over the rows of in-edges. What
// a vertex is told may be of the same superstep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/gas/program.hpp"
#include "framework/graph/adjacency.hpp"
#include "system/base/random.hpp"

namespace orujo::gas::detail {

// Of the short sweeps at a run's beginning, where all vertices have something to tell: in-neighbours that
// each looks at, sweeps at most, and the part of the vertices that must have changed for another one.
inline constexpr std::uint64_t short_sweep_neighbours = 2;
inline constexpr int most_short_sweeps = 8;
inline constexpr std::uint64_t short_sweep_part = 16;

template <asynchronous_program Program>
class row_sweep {
  using value = typename Program::value;

 public:
  row_sweep(const Program& program, const graph::adjacency& in_rows, std::span<value> shown)
      : program_(program), in_rows_(in_rows), shown_(shown.data()) {}

  std::uint64_t edges = 0;  // looked at so far

  // What all in-neighbours of v contribute. Other cores may change what they show meanwhile.
  value total_of_all(std::uint32_t v) {
    value total = identity();
    const std::uint64_t last = in_rows_.offsets[v + 1];
    for (std::uint64_t k = in_rows_.offsets[v]; k < last; ++k) add(total, k);
    return total;
  }

  // What a few contribute: others in every sweep.
  value total_of_some(std::uint32_t v, int sweep) {
    value total = identity();
    const std::uint64_t first = in_rows_.offsets[v], size = in_rows_.offsets[v + 1] - first;
    std::uint64_t at = short_sweep_neighbours * static_cast<std::uint64_t>(sweep);
    if (at >= size && size > 0) at %= size;
    for (std::uint64_t k = std::min(size, short_sweep_neighbours); k > 0; --k) {
      add(total, first + at);
      if (++at == size) at = 0;
    }
    return total;
  }

  // What they contribute up to the first that shows `common`.
  value total_until(std::uint32_t v, value common) {
    value total = identity();
    const std::uint64_t last = in_rows_.offsets[v + 1];
    for (std::uint64_t k = in_rows_.offsets[v]; k < last; ++k) {
      if (add(total, k) == common) break;
    }
    return total;
  }

  // What more than half of the vertices that have in-neighbours show, if there is such a value and the edges
  // have no weights; by a sample.
  std::optional<value> common_value(std::uint32_t own) const {
    if (in_rows_.weights.size() != 0 || own == 0) return std::nullopt;
    std::vector<value> sample;
    for (std::uint64_t k = 0; k < 1024; ++k) {
      const auto v = static_cast<std::uint32_t>(mix64(k) % own);
      if (in_rows_.degree(v) > 0) sample.push_back(shown(v));
    }
    std::sort(sample.begin(), sample.end());
    if (sample.empty()) return std::nullopt;
    const value middle = sample[sample.size() / 2];
    const auto [first, last] = std::equal_range(sample.begin(), sample.end(), middle);
    if (static_cast<std::size_t>(last - first) * 2 <= sample.size()) return std::nullopt;
    return middle;
  }

  value shown(std::uint32_t v) const {
    return std::atomic_ref<value>(shown_[v]).load(std::memory_order_relaxed);
  }
  void show(std::uint32_t v, value now) const {
    std::atomic_ref<value>(shown_[v]).store(now, std::memory_order_relaxed);
  }

 private:
  static value identity() { return Program::combine.template identity<value>(); }
  // Returns what the neighbour shows.
  value add(value& total, std::uint64_t k) {
    const value weight = in_rows_.weights.size() != 0 ? static_cast<value>(in_rows_.weights[k]) : value{1};
    const value theirs = shown(in_rows_.neighbours[k]);
    total = Program::combine(total, program_.gather(theirs, weight));
    ++edges;
    return theirs;
  }

  const Program& program_;
  const graph::adjacency& in_rows_;
  value* const shown_;
};

}  // namespace orujo::gas::detail
