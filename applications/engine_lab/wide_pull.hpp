// The scheduler-aware pull kernel over the paper's encoding (wide_vector_sparse.hpp). It is the twin of
// pull.hpp, whose programs, packs, contributions, slots and merge() it shares. Here every vector names its
// vertex, so there are neither jumps nor bundles, and a chunk can start anywhere without a side index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "applications/engine_lab/simd_wide.hpp"
#include "applications/engine_lab/wide_vector_sparse.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::vectors {

// As pull_loop.
template <pull_program Program, class Isa>
class wide_pull_loop {
 public:
  using value = typename Program::value;

  // `sources`, `totals` and `slots` are as in pull_loop.
  wide_pull_loop(const Program& program, const graph::wide_vector_sparse_view& graph,
                 const graph::edge_segment&, std::span<const value> sources, std::span<value> totals,
                 std::span<merge_slot<partial_total<Program>>> slots, source_reads reads)
      : program_(program),
        edges_(graph.edges.data()),
        weights_(graph.weights.empty() ? nullptr : graph.weights.data()),
        far_(reads == source_reads::far),
        sources_(sources.data()),
        totals_(totals.data()),
        slots_(slots.data()) {}

  // Vectors first, first + 1, ... last - 1 as chunk number `chunk`.
  void run_chunk(std::size_t first, std::size_t last, std::size_t chunk) const {
    slots_[chunk] = {};
    machine::compiled_for(Isa{}, [=, this] {
      if (weights_ == nullptr) {
        far_ ? run<false, true>(first, last, chunk) : run<false, false>(first, last, chunk);
      } else {
        far_ ? run<true, true>(first, last, chunk) : run<true, false>(first, last, chunk);
      }
    });
  }

 private:
  using packed = pack<value, Isa, wide_lanes>;

  static value identity() { return Program::combine.template identity<value>(); }

  [[gnu::always_inline]] std::uint32_t top_level_of(std::size_t vector) const {
    return static_cast<std::uint32_t>(graph::top_level(edges_[vector]));
  }
  // Returns whether this vector belongs to the vertex of the vector before it.
  [[gnu::always_inline]] bool continues(std::size_t vector) const {
    return same_top_level(Isa{}, edges_[vector - 1], edges_[vector]);
  }

  template <bool Weighted, bool Prefetch>
  [[gnu::always_inline]] void run(std::size_t first, std::size_t last, std::size_t chunk) const {
    std::size_t vector = first;
    if (first > 0 && first < last && continues(first)) {
      const packed aggregate = add_run<Weighted, Prefetch>(vector, last);
      slots_[chunk] = {top_level_of(first), reduce(Program::combine, aggregate)};
    }
    while (vector < last) {
      value& total = totals_[top_level_of(vector)];
      const packed aggregate = add_run<Weighted, Prefetch>(vector, last);
      total = Program::combine(total, reduce(Program::combine, aggregate));
    }
  }

  // Combines the vectors of a vertex from here on; `vector` is then the first of another, or last.
  template <bool Weighted, bool Prefetch>
  [[gnu::always_inline]] packed add_run(std::size_t& vector, std::size_t last) const {
    packed aggregate(identity());
    do {
      if constexpr (Prefetch) prefetch(sources_, edges_[std::min(vector + prefetch_distance, last - 1)]);
      add<Weighted>(aggregate, vector);
    } while (++vector < last && continues(vector));
    return aggregate;
  }

  template <bool Weighted>
  [[gnu::always_inline]] void add(packed& aggregate, std::size_t vector) const {
    packed weight(value{1});
    if constexpr (Weighted) weight = packed::convert(weights_[vector]);
    aggregate = Program::combine(aggregate, contribution(program_, sources_, edges_[vector], weight));
  }

  const Program& program_;
  const wide_edge_vector* edges_;
  const wide_weight_vector* weights_;  // null: every weight is 1
  const bool far_;                     // the sources are not in the second-level cache
  const value* sources_;
  value* totals_;
  merge_slot<partial_total<Program>>* slots_;
};

}  // namespace orujo::internal::vectors
