// Sweeps of asynchronous programs over rows of in-edges: the contributions that a vertex receives from all of
// its in-neighbours or some, and the value that most vertices show.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "framework/gas/program.hpp"
#include "framework/graph/adjacency.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::gas::detail {

// In a short sweep a vertex examines this number of in-neighbours.
inline constexpr std::uint64_t short_sweep_neighbours = 2;

// The only value that more than half of a sample of vertices can show, and the edges of those that do; cores
// add their samples.
template <class Value>
struct frequent_value {
  Value shown{};
  std::uint64_t edges = 0, of_all = 0;  // of the vertices that show it, and of the whole sample
  bool agreed = true;                   // no core has found another one

  friend frequent_value operator+(const frequent_value& a, const frequent_value& b) {
    if (a.of_all == 0) return b;
    if (b.of_all == 0) return a;
    return {a.shown, a.edges + b.edges, a.of_all + b.of_all, a.agreed && b.agreed && a.shown == b.shown};
  }
  bool is_at_most_of_edges() const { return agreed && 2 * edges > of_all; }
  bool is_at_nearly_all_edges() const { return agreed && of_all > 0 && 256 * (of_all - edges) < of_all; }
};

// Reads rows while other cores of the locale change what vertices show.
template <asynchronous_program Program>
class row_sweep {
  using value = typename Program::value;

 public:
  row_sweep(const Program& program, const graph::adjacency& in_rows, std::span<value> shown)
      : program_(program), in_rows_(in_rows), shown_(shown.data()) {}

  static constexpr std::uint32_t all_sources = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t edges = 0;  // examined so far

  // Returns the contributions of all in-neighbours of v. Other cores may change the neighbours' values
  // meanwhile.
  value total_of_all(std::uint32_t v) {
    value total = identity();
    const std::uint64_t first = in_rows_.offsets[v], last = in_rows_.offsets[v + 1];
    for (std::uint64_t k = first; k < last; ++k) add(total, k);
    edges += last - first;
    return total;
  }

  // Fetches what a sweep that reads few places of a row will read after vertex v, up to `end`.
  [[gnu::always_inline]] void fetch(std::uint32_t v, std::uint32_t end, int sweep) const {
    constexpr std::uint32_t rows_ahead = 24, values_ahead = 12;
    if (v + rows_ahead >= end) return;
    const std::uint64_t first = short_sweep_neighbours * static_cast<std::uint64_t>(sweep);
    const std::uint64_t at =
        in_rows_.offsets[v + values_ahead] + first;  // in the next row, if this one is short
    __builtin_prefetch(in_rows_.neighbours.data() + in_rows_.offsets[v + rows_ahead] + first);
    if (at + 1 >= in_rows_.neighbours.size()) return;
    __builtin_prefetch(shown_ + in_rows_.neighbours[at]);
    __builtin_prefetch(shown_ + in_rows_.neighbours[at + 1]);
  }

  // Returns the contributions of a few in-neighbours, others in every sweep. Those from index `end` on
  // contribute nothing.
  value total_of_some(std::uint32_t v, int sweep, std::uint32_t end) {
    value total = identity();
    const row_places of(in_rows_, v, sweep);
    for (std::uint64_t k = 0, at = of.start; k < of.some; ++k, at = of.after(at)) {
      if (end == all_sources) {
        add(total, of.first + at);
        continue;
      }
      value more = identity();
      add(more, of.first + at);
      // Not a branch, which would be unpredictable.
      total = Program::combine(total, in_rows_.neighbours[of.first + at] < end ? more : identity());
    }
    edges += of.some;
    return total;
  }

  // Returns the contributions of the in-neighbours up to the first that shows `common`.
  value total_until(std::uint32_t v, value common) {
    value total = identity();
    const std::uint64_t first = in_rows_.offsets[v], last = in_rows_.offsets[v + 1];
    std::uint64_t k = first;
    while (k < last && add(total, k++) != common) {
    }
    edges += k - first;
    return total;
  }

  // Returns a value that may be frequent among the vertices with in-neighbours, by a sample that differs with
  // `seed`. Without weights only, as an edge then passes on the same value as any other.
  frequent_value<value> sample(std::uint32_t own, std::uint64_t seed) const {
    frequent_value<value> found;
    if (in_rows_.weights.size() != 0 || own == 0) return found;
    struct vertex_seen {
      value shows;
      std::uint64_t edges;
    };
    std::array<vertex_seen, 512> all;
    std::size_t sampled = 0, lead = 0;
    for (std::uint64_t k = 0; k < all.size(); ++k) {
      const std::uint64_t drawn = mix64(seed * all.size() + k) >> 32;
      const auto v = static_cast<std::uint32_t>(drawn * own >> 32);
      if (in_rows_.degree(v) > 0) all[sampled++] = {shown(v), in_rows_.degree(v)};
    }
    for (std::size_t k = 0; k < sampled; ++k) {
      if (lead == 0) found.shown = all[k].shows;
      lead = all[k].shows == found.shown ? lead + 1 : lead - 1;
      found.of_all += all[k].edges;
    }
    for (std::size_t k = 0; k < sampled; ++k) found.edges += all[k].shows == found.shown ? all[k].edges : 0;
    return found;
  }

  value shown(std::uint32_t v) const {
    return std::atomic_ref<value>(shown_[v]).load(std::memory_order_relaxed);
  }
  void show(std::uint32_t v, value now) const {
    std::atomic_ref<value>(shown_[v]).store(now, std::memory_order_relaxed);
  }

 private:
  // The places in a row that a short sweep reads.
  struct row_places {
    row_places(const graph::adjacency& rows, std::uint32_t v, int sweep)
        : first(rows.offsets[v]),
          size(rows.offsets[v + 1] - first),
          start(short_sweep_neighbours * static_cast<std::uint64_t>(sweep)),
          some(std::min(size, short_sweep_neighbours)) {
      while (start >= size && size > 0) start -= size;  // less than a division: there are few short sweeps
    }
    std::uint64_t after(std::uint64_t at) const { return at + 1 == size ? 0 : at + 1; }

    std::uint64_t first, size, start, some;
  };

  static value identity() { return Program::combine.template identity<value>(); }
  // Returns the value of the neighbour.
  value add(value& total, std::uint64_t k) {
    const value weight = in_rows_.weights.size() != 0 ? static_cast<value>(in_rows_.weights[k]) : value{1};
    const value theirs = shown(in_rows_.neighbours[k]);
    total = Program::combine(total, program_.gather(theirs, weight));
    return theirs;
  }

  const Program& program_;
  const graph::adjacency& in_rows_;
  value* const shown_;
};

}  // namespace orujo::internal::gas::detail
