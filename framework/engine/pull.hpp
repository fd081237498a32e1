// The edge phase of a pull superstep: one scheduler-aware kernel for all vertex programs.
//
// After the scheduler-aware loops of Grossman, Litz, Kozyrakis, "Making Pull-Based Graph Processing
// Performant", PPoPP 2018, section 3: the running aggregate of the current top-level vertex stays in
// registers, and a vertex cut by a chunk boundary meets in a merge buffer with one slot per chunk. So no
// chunk writes what another writes, without atomics, however the vectors are cut into chunks:
//   - the chunk in which a vertex begins writes its total;
//   - a chunk that starts inside a vertex leaves what it finds of that vertex in its own slot;
//   - merge() adds the slots to the totals once all chunks have finished.
// A vertex whose edges span chunks a, b and c is in the totals (a) and in the slots of b and c; one that
// begins exactly at a chunk's start is in no slot.
//
// The total is stored anew with every vector rather than once when the vertex changes: that leaves no branch
// that depends on the degrees. Sum of floats, one core of a Zen 4, ns per edge against the branch: 0.50 to
// 0.77 (Kronecker 2^16 vertices, 16 edges each: sources in L2), 1.25 to 1.47 (2^20), 0.78 to 0.85 (2^18, 64
// edges each), and the one loss, 0.33 to 0.28 (2^12, 256 edges each: sources in L1).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "framework/engine/combine.hpp"
#include "framework/engine/simd.hpp"
#include "framework/graph/vector_sparse.hpp"

namespace orujo::engine {

// What the edge phase asks of a vertex program:
//   using value = float;                                   4 or 8 bytes, arithmetic
//   static constexpr auto combine = orujo::gas::sum{};     see combine.hpp
//   template <class V> V gather(V source_value, V edge_weight) const;   what one in-edge contributes
template <class Program>
concept pull_program = std::is_arithmetic_v<typename Program::value> &&
                       (sizeof(typename Program::value) == 4 || sizeof(typename Program::value) == 8) &&
                       requires(const Program& program, typename Program::value scalar,
                                pack<typename Program::value, isa::scalar> eight) {
  { Program::combine(scalar, scalar) } -> std::same_as<typename Program::value>;
  { Program::combine(eight, eight) } -> std::same_as<decltype(eight)>;
  { Program::combine.template identity<typename Program::value>() } -> std::same_as<typename Program::value>;
  { program.gather(eight, eight) } -> std::same_as<decltype(eight)>;
};

inline constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

// What a chunk leaves for the merge: the vertex it started inside; no_vertex if it started with a new one.
template <class T>
struct merge_slot {
  std::uint32_t vertex = no_vertex;
  T value{};
};

// Sources of more bytes than this (a second-level cache) are prefetched this many vectors ahead. Same
// machine, ns per edge with and without: 1.08 and 1.25 for 4 MiB of sources, 0.97 and 1.04 for 2 MiB, 0.92
// and 0.94 for 1 MiB, 0.80 and 0.72 for 512 KiB, 0.64 and 0.50 for 256 KiB; 24 vectors ahead is 0.1 worse.
inline constexpr std::size_t prefetch_sources_above = std::size_t{1} << 20;
inline constexpr std::size_t prefetch_distance = 16;

// The loop body over edge vectors. run_chunk() is const and may be called by all cores on one object at the
// same time, for disjoint chunks; start_chunk(), body() and finish_chunk() are the same work for a loop that
// deals iterations itself, without prefetching, and need an object per core. Never suspends.
template <pull_program Program, class Isa>
class pull_loop {
 public:
  using value = typename Program::value;

  // sources: by local index (own vertices and mirrors). totals: by own vertex; the vertex phase leaves them
  // at the identity. slots: one per chunk. The program and all memory must outlive the loop.
  pull_loop(const Program& program, const graph::vector_sparse_view& graph, std::span<const value> sources,
            std::span<value> totals, std::span<merge_slot<value>> slots)
      : program_(program), graph_(graph), sources_(sources), totals_(totals.data()), slots_(slots.data()) {}

  // Vectors [first, last) as chunk number `chunk`.
  void run_chunk(std::size_t first, std::size_t last, std::size_t chunk) const {
    slots_[chunk] = {};
    if (first >= last) return;
    const bool far = sources_.size_bytes() > prefetch_sources_above;
    if (graph_.weights.empty()) {
      far ? run<false, true>(first, last, chunk) : run<false, false>(first, last, chunk);
    } else {
      far ? run<true, true>(first, last, chunk) : run<true, false>(first, last, chunk);
    }
  }

  // Vectors first, first + 1, ... last - 1 one by one as chunk number `chunk`; at least one.
  void start_chunk(std::size_t first, std::size_t chunk) {
    slots_[chunk] = {};
    now_ = start(first);
    leading_ = continues(first);
    chunk_ = chunk;
  }
  void body(std::size_t vector) {
    if (leading_ && !continues(vector)) {
      fill_slot(now_, chunk_);
      leading_ = false;
    }
    if (leading_) {
      graph_.weights.empty() ? add<false>(now_, vector) : add<true>(now_, vector);
    } else {
      graph_.weights.empty() ? take<false>(now_, vector) : take<true>(now_, vector);
    }
  }
  void finish_chunk(std::size_t /*last*/, std::size_t chunk) {
    if (leading_) fill_slot(now_, chunk);
  }

 private:
  using packed = pack<value, Isa>;

  // The current top-level vertex and what its edges have contributed so far, lane by lane.
  struct running {
    std::uint32_t vertex;
    packed aggregate;
  };

  static value identity() { return Program::combine.template identity<value>(); }

  running start(std::size_t first) const {
    return {graph::top_level_before(graph_, first), packed(identity())};
  }

  // Whether this vector belongs to the vertex of the vector before it.
  bool continues(std::size_t vector) const { return step(Isa{}, graph_.edges[vector]) == 0; }

  template <bool Weighted, bool Prefetch>
  void run(std::size_t first, std::size_t last, std::size_t chunk) const {
    running now = start(first);
    std::size_t vector = first;
    for (; vector < last && continues(vector); ++vector) add<Weighted>(now, vector);
    if (vector > first) fill_slot(now, chunk);
    for (; vector < last; ++vector) {
      if constexpr (Prefetch)
        prefetch(sources_.data(), graph_.edges[min(vector + prefetch_distance, last - 1)]);
      take<Weighted>(now, vector);
    }
  }

  // add() and take() are inlined by force: as calls they would keep the aggregate in memory.

  // Adds the contributions of a vector that is not a jump.
  template <bool Weighted>
  [[gnu::always_inline]] void add(running& now, std::size_t vector) const {
    const edge_vector& edges = graph_.edges[vector];
    packed weight(value{1});
    if constexpr (Weighted) weight = packed::convert(graph_.weights[vector]);
    const packed contribution = program_.gather(packed::gather_valid(sources_.data(), edges), weight);
    // The selection comes last: a program's gather need not keep the identity.
    now.aggregate =
        Program::combine(now.aggregate, select(packed::valid(edges), contribution, packed(identity())));
  }

  // Follows the top-level vertex, adds the contributions and stores the total so far.
  template <bool Weighted>
  [[gnu::always_inline]] void take(running& now, std::size_t vector) const {
    const edge_vector& edges = graph_.edges[vector];
    if (graph::is_jump(edges)) [[unlikely]] {
      now = {graph::jump_target(edges), packed(identity())};
      return;
    }
    const std::uint32_t advance = step(Isa{}, edges);
    now.vertex += advance;
    now.aggregate = select(packed::every(advance == 0), now.aggregate, packed(identity()));
    add<Weighted>(now, vector);
    totals_[now.vertex] = reduce(Program::combine, now.aggregate);
  }

  void fill_slot(const running& now, std::size_t chunk) const {
    slots_[chunk] = {now.vertex, reduce(Program::combine, now.aggregate)};
  }

  const Program& program_;
  graph::vector_sparse_view graph_;
  std::span<const value> sources_;
  value* totals_;
  merge_slot<value>* slots_;

  // Of the chunk between start_chunk() and finish_chunk().
  running now_{no_vertex, packed(identity())};
  std::size_t chunk_ = 0;
  bool leading_ = false;  // no new vertex yet
};

// Combines the slots of all chunks whose vertex lies in [first_vertex, last_vertex) into the totals, in the
// order of the chunks. Call after all chunks have finished; cores may merge disjoint ranges at the same time.
template <class Combine, class T>
void merge(Combine combine, std::span<const merge_slot<T>> slots, std::uint32_t first_vertex,
           std::uint32_t last_vertex, std::span<T> totals) {
  for (const merge_slot<T>& slot : slots) {
    if (slot.vertex < first_vertex || slot.vertex >= last_vertex) continue;
    totals[slot.vertex] = combine(totals[slot.vertex], slot.value);
  }
}

}  // namespace orujo::engine
