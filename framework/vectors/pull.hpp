// The edge phase of a pull superstep: one scheduler-aware kernel for all vertex programs, over the compact
// encoding. Its twin for the paper's encoding is engine_lab's.
//
// After the scheduler-aware loops of Grossman, Litz, Kozyrakis, "Making Pull-Based Graph Processing
// Performant", PPoPP 2018, section 3. The running aggregate of the current top-level vertex stays in
// registers. The parts of a vertex that a chunk boundary cuts meet in a merge buffer with one slot per chunk.
// So no two chunks write the same memory, and no atomics are needed:
//   - the chunk in which a vertex begins combines what it finds of it into its total;
//   - a chunk that starts inside a vertex leaves what it finds of that vertex in its own slot;
//   - merge() adds the slots to the totals once all chunks of all segments have finished;
//   - a bundle (vector_sparse.hpp) belongs to the chunk that has its head, which runs on to the bundle's end.
// A vertex whose edges span chunks a, b and c is in the totals (a) and in the slots of b and c. A vertex that
// begins exactly at a chunk's start is in no slot. Segments are processed in turn, with a barrier in between,
// and all combine into the same totals.
//
// A sum of floats adds few of them in single precision: a vertex's first vectors in a chunk, and then short
// blocks. The sums of blocks meet in double, and so do slots. docs/design/rounding.md bounds the error.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

#include "framework/graph/vector_sparse.hpp"
#include "framework/vectors/combine.hpp"
#include "framework/vectors/simd.hpp"
#include "framework/vectors/source_reads.hpp"

namespace orujo::internal::vectors {

// The edge phase requires these members of a vertex program:
//   using value = float;                                   4 or 8 bytes, arithmetic
//   static constexpr auto combine = sum{};               see combine.hpp
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

// A program that has vertices for which no contribution matters any more; the edge phase passes over them.
template <class Program>
concept settling_program = requires {
  requires Program::settles;
};

// Calls apply() of a vertex program. Without it, a vertex shows the best that it has had.
template <class Program, class Vertex, class Sums>
ORUJO_HOST_DEVICE bool apply_to(Program& program, const Vertex& v, const auto& total, auto& shown,
                                Sums& sums) {
  if constexpr (requires { program.apply(v, total, shown, sums); }) {
    return program.apply(v, total, shown, sums);
  } else {
    using combine = std::remove_cv_t<decltype(Program::combine)>;
    const auto better = combine{}(shown, total);
    if (better == shown) return false;
    shown = better;
    return true;
  }
}

inline constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

// The type in which partial results of a program's contributions meet.
template <class Program>
using partial_total = gas::partial_of<decltype(Program::combine), typename Program::value>;

// Rounds at most once.
template <class Combine, class T, class Partial>
[[gnu::always_inline]] inline void add_to_total(Combine combine, T& total, Partial more) {
  total = static_cast<T>(combine(static_cast<Partial>(total), more));
}

// If partial results are wider than values, few vectors of a vertex are combined in values: vectors_at_first
// of them first, which is all that most vertices have, and then blocks of vectors_of_block. Cycles per
// vector, one core of a Zen 5:
//   a hub of 12,500 vectors      all in values   blocks of 8   of 4
//     AVX-512                    6.0             6.0           6.1
//     AVX2                       4.9             4.1           4.4
//   vertices of 5 to 10 vectors, AVX-512: 8.8 with 16 at the beginning, 9.1 with 8
inline constexpr std::size_t vectors_at_first = 16;
inline constexpr std::size_t vectors_of_block = 8;

// A chunk's entry for the merge: the vertex that it started inside, or no_vertex if it started with a new
// one.
template <class Partial>
struct merge_slot {
  std::uint32_t vertex = no_vertex;
  Partial value{};
};

// The contributions of the valid lanes of an edge vector of any encoding, and the identity in the others. It
// is always inlined: a call would keep the caller's aggregate in memory.
template <class Packed, pull_program Program, class Edges>
[[gnu::always_inline]] inline Packed contribution(const Program& program,
                                                  const typename Program::value* sources, const Edges& edges,
                                                  Packed weight) {
  const Packed gathered = program.gather(Packed::gather_valid(sources, edges), weight);
  // The selection comes last: a program's gather need not keep the identity.
  return select(Packed::valid(edges), gathered,
                Packed(Program::combine.template identity<typename Program::value>()));
}

// Sources that are read as far ones (source_reads.hpp) are prefetched this many vectors ahead. One core of a
// Zen 4 with 1 MiB of second-level cache takes these ns per edge with and without. 4 MiB of sources: 1.08,
// 1.25. 2 MiB: 0.97, 1.04. 1 MiB: 0.92, 0.94. 512 KiB: 0.80, 0.72. 256 KiB: 0.64, 0.50. 24 vectors ahead take
// 0.1 more.
inline constexpr std::size_t prefetch_distance = 16;

// The loop over the edge vectors of one segment, in chunks. run_chunk() may be called by all cores on one
// object at the same time, for disjoint chunks. Never suspends.
template <pull_program Program, class Isa>
class pull_loop {
 public:
  using value = typename Program::value;
  using partial = partial_total<Program>;

  // sources: by local index (own vertices and mirrors). totals: by own vertex; the vertex phase leaves them
  // at the identity. slots: one per chunk. settled: of a settling program, one bit per own vertex. Nothing is
  // gathered for settled vertices, except in bundles with others. The program and all memory must outlive the
  // loop.
  pull_loop(const Program& program, const graph::vector_sparse_view& graph,
            const graph::edge_segment& segment, std::span<const value> sources, std::span<value> totals,
            std::span<merge_slot<partial>> slots, source_reads reads,
            std::span<const std::uint64_t> settled = {})
      : program_(program),
        graph_(graph),
        slices_(graph.slices.subspan(segment.first_slice, segment.last_slice - segment.first_slice)),
        reads_(reads),
        sources_(sources.data()),
        totals_(totals.data()),
        slots_(slots.data()),
        settled_(settled.data()) {}

  // Vectors [first, last) of the segment as chunk number `chunk`.
  void run_chunk(std::size_t first, std::size_t last, std::size_t chunk) const {
    slots_[chunk] = {};
    machine::compiled_for(Isa{}, [=, this] {
      graph_.weights.empty() ? run_reading<false>(first, last, chunk) : run_reading<true>(first, last, chunk);
    });
  }

 private:
  using packed = pack<value, Isa>;
  using partial_pack = pack<partial, Isa>;
  static constexpr bool widens = !std::is_same_v<partial, value>;

  static value identity() { return Program::combine.template identity<value>(); }

  // The step of a vector of a single vertex, or the depth of a bundle that begins here.
  [[gnu::always_inline]] std::uint32_t step_of(std::size_t vector) const {
    return step(Isa{}, graph_.edges[vector]);
  }
  // True if this vector belongs to the vertex of the vector before it, or to the bundle.
  [[gnu::always_inline]] bool continues(std::size_t vector) const { return step_of(vector) == 0; }
  [[gnu::always_inline]] bool begins(std::size_t vector) const { return step_of(vector) != 0; }

  template <bool Weighted>
  [[gnu::always_inline]] void run_reading(std::size_t first, std::size_t last, std::size_t chunk) const {
    switch (reads_) {
      case source_reads::near:
        return run<Weighted, source_reads::near>(first, last, chunk);
      case source_reads::far:
        return run<Weighted, source_reads::far>(first, last, chunk);
      case source_reads::in_runs:
        return run<Weighted, source_reads::in_runs>(first, last, chunk);
    }
  }

  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] void run(std::size_t first, std::size_t last, std::size_t chunk) const {
    for (const graph::edge_slice& slice : slices_) {
      if (slice.last <= first) continue;
      if (slice.first >= last) break;
      const std::size_t singles_end = std::min(last, slice.bundles);
      const std::size_t bundles_first = std::max(first, slice.bundles);
      run_singles<Weighted, Reads>(std::max(first, slice.first), singles_end, chunk);
      run_bundles<Weighted, Reads>(bundles_first, std::min(last, slice.last), slice.last);
    }
  }

  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] void run_singles(std::size_t first, std::size_t last, std::size_t chunk) const {
    if (first >= last) return;
    std::uint32_t vertex = graph::top_level_before(graph_, first);
    std::size_t vector = first;
    while (vector < last) {
      if (graph::is_jump(graph_.edges[vector])) [[unlikely]] {
        vertex = graph::jump_target(graph_.edges[vector]);
        if (++vector == last) return;
      } else if (const std::uint32_t step = step_of(vector); step != 0) {
        vertex += step;
      } else {
        add_rest<Weighted, Reads>(vertex, vector, last, vector == first ? &slots_[chunk] : nullptr);
        continue;
      }
      if (is_settled(vertex)) {
        pass_run(vector, last);
        continue;
      }
      const packed aggregate = add_block<Weighted, Reads>(vector, last, vectors_at_first);
      add_to_total(Program::combine, totals_[vertex], reduce(Program::combine, aggregate));
    }
  }

  [[gnu::always_inline]] bool is_settled(std::uint32_t vertex) const {
    if constexpr (settling_program<Program>) return (settled_[vertex / 64] >> (vertex % 64) & 1) != 0;
    return false;
  }
  [[gnu::always_inline]] bool all_settled(const edge_vector& head) const {
    if constexpr (!settling_program<Program>) return false;
    return std::all_of(std::begin(head.lane), std::end(head.lane),
                       [&](std::uint32_t lane) { return is_settled(lane & graph::local_index_mask); });
  }

  // `vector` is then the first of another vertex, or last.
  [[gnu::always_inline]] void pass_run(std::size_t& vector, std::size_t last) const {
    while (++vector < last && continues(vector)) {
    }
  }

  // Combines vectors of a vertex from here on, as many as it has before `last` or, where partial results are
  // wider, `most`; `vector` is then the first that is left.
  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] packed add_block(std::size_t& vector, std::size_t last, std::size_t most) const {
    const std::size_t end = widens ? std::min(last, vector + most) : last;
    packed aggregate(identity());
    do {
      aggregate = Program::combine(aggregate, contribution_of<Weighted, Reads>(vector, last));
    } while (++vector < end && continues(vector));
    return aggregate;
  }

  // Combines all that is left of a vertex into the slot or, if there is none, its total; `vector` is then
  // the first of another, or last.
  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] void add_rest(std::uint32_t vertex, std::size_t& vector, std::size_t last,
                                       merge_slot<partial>* slot) const {
    if (is_settled(vertex)) return pass_run(vector, last);
    partial_pack sum(Program::combine.template identity<partial>());
    do {
      const packed block = add_block<Weighted, Reads>(vector, last, vectors_of_block);
      if constexpr (widens) {
        sum = Program::combine(sum, partial_pack::convert(block));
      } else {
        sum = block;
      }
    } while (widens && vector < last && continues(vector));
    const partial found = reduce(Program::combine, sum);
    if (slot != nullptr) {
      *slot = {vertex, found};
    } else {
      add_to_total(Program::combine, totals_[vertex], found);
    }
  }

  // The bundles that begin in [first, last); the slice ends at `end`.
  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] void run_bundles(std::size_t first, std::size_t last, std::size_t end) const {
    std::size_t vector = first;
    while (vector < last && !begins(vector)) ++vector;
    while (vector < last) {
      const edge_vector& head = graph_.edges[vector];
      const std::size_t behind = vector + 1 + step_of(vector);
      if (all_settled(head)) {
        vector = behind;
        continue;
      }
      packed aggregate(identity());
      while (++vector < behind)
        aggregate = Program::combine(aggregate, contribution_of<Weighted, Reads>(vector, end));
      add_to_totals<Reads>(head, aggregate);
    }
  }

  // The contributions of a vector, which may be of a bundle's body; its slice or chunk ends at `end`.
  template <bool Weighted, source_reads Reads>
  [[gnu::always_inline]] packed contribution_of(std::size_t vector, std::size_t end) const {
    if constexpr (Reads == source_reads::far)
      prefetch(sources_, graph_.edges[std::min(vector + prefetch_distance, end - 1)]);
    const edge_vector& edges = graph_.edges[vector];
    packed weight(value{1});
    if constexpr (Weighted) weight = packed::convert(graph_.weights[vector]);
    if (Reads == source_reads::in_runs && names_run(Isa{}, edges)) {
      const packed sources = packed::load(sources_ + graph::neighbour(edges, 0));
      return program_.gather(sources, weight);
    }
    return contribution(program_, sources_, edges, weight);
  }

  template <source_reads Reads>
  [[gnu::always_inline]] void add_to_totals(const edge_vector& head, packed aggregate) const {
    if (Reads == source_reads::in_runs && names_run(Isa{}, head)) {
      value* const totals = totals_ + graph::neighbour(head, 0);
      Program::combine(packed::load(totals), aggregate).store(totals);
    } else {
      packed::scatter_valid(totals_, head, Program::combine(packed::gather_valid(totals_, head), aggregate));
    }
  }

  const Program& program_;
  graph::vector_sparse_view graph_;
  std::span<const graph::edge_slice> slices_;
  const source_reads reads_;
  const value* sources_;
  value* totals_;
  merge_slot<partial>* slots_;
  const std::uint64_t* settled_;
};

// Combines the slots of all chunks whose vertex lies in [first_vertex, last_vertex) into the totals, in the
// order of the chunks. Consecutive slots of one vertex, as those of a segment are, are combined first. Call
// it after all chunks have finished. Cores may merge disjoint ranges at the same time.
template <class Combine, class Partial, class T>
void merge(Combine combine, std::span<const merge_slot<Partial>> slots, std::uint32_t first_vertex,
           std::uint32_t last_vertex, std::span<T> totals) {
  for (auto slot = slots.begin(); slot != slots.end();) {
    const auto [vertex, found] = *slot;
    Partial all = found;
    while (++slot != slots.end() && slot->vertex == vertex) all = combine(all, slot->value);
    if (vertex >= first_vertex && vertex < last_vertex) add_to_total(combine, totals[vertex], all);
  }
}

}  // namespace orujo::internal::vectors
