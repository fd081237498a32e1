// Kernels for comparison with the scheduler-aware one: pushing, and the traditional interface, which adds
// every edge vector's result to the total that all cores share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "applications/engine_lab/wide_pull.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::engine_lab {

// Ways to add a result to a total that other cores update at the same time. write_intense stores the total
// also if it stays the same.
struct atomic_update {
  bool write_intense;

  template <class Combine, class T>
  void operator()(Combine combine, T& total, T found) const {
    const std::atomic_ref<T> shared(total);
    T before = shared.load(std::memory_order_relaxed);
    for (;;) {
      const T after = combine(before, found);
      if (!write_intense && after == before) return;
      if (shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) return;
    }
  }
};

// Loses updates if cores meet.
struct nonatomic_update {
  bool write_intense;

  template <class Combine, class T>
  void operator()(Combine combine, T& total, T found) const {
    const std::atomic_ref<T> shared(total);
    const T before = shared.load(std::memory_order_relaxed);
    const T after = combine(before, found);
    if (write_intense || after != before) shared.store(after, std::memory_order_relaxed);
  }
};

// In-edges in one of the encodings. visit() goes over vectors k of [first, last). It calls single(vertex, k)
// for each with edges of one vertex, and bundled(head, k) for each body vector of the bundles that begin
// there.
struct compact_edges {
  static constexpr std::size_t lanes = vectors::lanes;
  template <class Program, class Isa>
  using aware_loop = vectors::pull_loop<Program, Isa>;

  graph::vector_sparse_view view;

  template <class Single, class Bundled>
  void visit(const graph::edge_segment& segment, std::size_t first, std::size_t last, Single single,
             Bundled bundled) const {
    for (std::size_t s = segment.first_slice; s < segment.last_slice; ++s) {
      const graph::edge_slice& slice = view.slices[s];
      if (slice.last <= first || slice.first >= last) continue;
      std::size_t k = std::max(first, slice.first);
      std::uint32_t vertex = k < slice.bundles ? graph::top_level_before(view, k) : 0;
      for (; k < std::min(last, slice.bundles); ++k) {
        vertex = graph::next_top_level(view.edges[k], vertex);
        if (!graph::is_jump(view.edges[k])) single(vertex, k);
      }
      while (k < std::min(last, slice.last)) {
        const std::size_t head = k++;
        const std::size_t end = k + graph::bundle_depth(view.edges[head]);
        for (; k < end; ++k) bundled(view.edges[head], k);
      }
    }
  }
};

struct wide_edges {
  static constexpr std::size_t lanes = vectors::wide_lanes;
  template <class Program, class Isa>
  using aware_loop = vectors::wide_pull_loop<Program, Isa>;

  graph::wide_vector_sparse_view view;

  template <class Single, class Bundled>
  void visit(const graph::edge_segment&, std::size_t first, std::size_t last, Single single, Bundled) const {
    for (std::size_t k = first; k < last; ++k)
      single(static_cast<std::uint32_t>(graph::top_level(view.edges[k])), k);
  }
};

// Vectors [first, last) of a segment by the traditional interface.
template <class Isa, class Program, class Edges, class Update>
void pull_traditionally(const Program& program, const Edges& edges, const graph::edge_segment& segment,
                        std::size_t first, std::size_t last, const typename Program::value* sources,
                        typename Program::value* totals, Update update) {
  using value = typename Program::value;
  using packed = vectors::pack<value, Isa, Edges::lanes>;
  const auto found = [&](std::size_t k) {
    return vectors::contribution(program, sources, edges.view.edges[k], packed(value{1}));
  };
  edges.visit(
      segment, first, last,
      [&](std::uint32_t vertex, std::size_t k) {
        update(Program::combine, totals[vertex], reduce(Program::combine, found(k)));
      },
      [&](const auto& head, std::size_t k) {
        value lane[Edges::lanes];
        found(k).store(lane);
        for (std::size_t i = 0; i < Edges::lanes; ++i) {
          if (graph::is_valid(edges.view.edges[k], i))
            update(Program::combine, totals[graph::neighbour(head, i)], lane[i]);
        }
      });
}

// Pushes the value that a vertex shows along its out-edges: VSS, vectors grouped by source.
template <class Isa, class Program, class Update>
void push_vertex(const Program& program, const graph::wide_vector_sparse_view& out, std::uint32_t vertex,
                 const typename Program::value* sources, typename Program::value* totals, Update update) {
  using value = typename Program::value;
  using packed = vectors::pack<value, Isa, vectors::wide_lanes>;
  for (std::uint64_t k = out.first_vector[vertex]; k < out.first_vector[vertex + 1]; ++k) {
    value lane[vectors::wide_lanes];
    program.gather(packed(sources[vertex]), packed(value{1})).store(lane);
    for (std::size_t i = 0; i < vectors::wide_lanes; ++i) {
      if (graph::is_valid(out.edges[k], i))
        update(Program::combine, totals[graph::neighbour(out.edges[k], i)], lane[i]);
    }
  }
}

}  // namespace orujo::internal::engine_lab
