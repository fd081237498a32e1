// State that the cores of a locale share while they count shortest paths, and the work of one core on a chunk
// of a level.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "system/base/identity.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::algorithms::detail {

using graph::bit_set;

// One core's part of a level: its vertices, or words of the mask.
template <class Part>
struct alignas(64) centrality_share {
  Part part{};
  steps::dealer dealer;

  void offer(Part all) {
    part = all;
    dealer.reset();
  }
};

// Shares by the parity of a level and the core of the locale.
template <class Part>
using shares_by_parity = std::array<by_core<centrality_share<Part>>, 2>;
using shared_lists = shares_by_parity<std::span<const std::uint32_t>>;
using shared_words = shares_by_parity<index_range>;

// [task; may suspend] Calls work(part, first, last) for pieces of the parts of a level.
template <class Shares, class Work>
void take_chunks(Shares& shares, std::size_t chunk, Work work) {
  steps::deal_shares(shares, [&](auto& share) {
    share.dealer.deal(share.part.size(), chunk, [&](std::size_t first, std::size_t last) {
      work(share.part, first, last);
      tasks::yield();
    });
  });
}

// Every vertex that was found has a value. It is minus the number of its paths, which is less than 0, until
// the way back reaches the vertex. Then it is (1 + dependency) / paths. Values lie in two arrays, by the
// parity of the level, so that no loop over neighbours has to examine their levels:
//
// - An in-neighbour of a vertex of level L + 1 has level L or a later one. So in the array of L's parity only
//   those of level L have values, as long as no path has been counted beyond L + 1.
// - An out-neighbour of a vertex of level L has at most level L + 1. So on the way back, in the array of the
//   parity of L + 1, only those of L + 1 have values above 0.
//
// No core writes to the array that others read at the time, so accesses are not atomic.
//
// A value beyond the range of double is scaled. It is a scaled_number together with its exponent, which lies
// in an array of the same parity. Exponents are 0 at vertices of levels that are not scaled.
struct centrality_state {
  centrality_state(const graph::locale_graph& g, int cores_here)
      : values{machine::huge_array<double>(g.own + std::size_t{g.mirrors}),
               machine::huge_array<double>(g.own + std::size_t{g.mirrors})},
        seen(g.own) {
    for (const std::size_t parity : {0, 1}) {
      levels[parity] = shared_lists::value_type(cores_here);
      mirrors[parity] = shared_lists::value_type(cores_here);
      words[parity] = shared_words::value_type(cores_here);
    }
  }

  std::array<machine::huge_array<double>, 2> values;           // by local index
  std::array<machine::huge_array<std::int32_t>, 2> exponents;  // by local index, if needed
  bit_set seen;                                                // by own vertex
  // Cores take the shares of one level while they offer those of the next. Mirrors are numbered from the
  // first mirror on.
  shared_lists levels, mirrors;
  shared_words words;
};

// The scores of a locale, by own vertex and, if they are wanted, by slot of the rows of out-edges.
struct centrality_scores {
  std::span<double> of_vertices, of_edges;

  // [task] Sets the calling core's share of them to 0; `own` vertices are the locale's.
  void clear(std::size_t own) const {
    const index_range vertices = my_part_of_locale({0, own});
    std::ranges::fill(of_vertices.subspan(vertices.first, vertices.size()), 0);
    const index_range edges = my_part_of_locale({0, of_edges.size()});
    std::ranges::fill(of_edges.subspan(edges.first, edges.size()), 0);
  }
};

// The work of one core on chunks of a level.
class centrality_step {
 public:
  centrality_step(const graph::locale_graph& g, centrality_state& shared) : graph_(g), shared_(shared) {}

  std::vector<std::uint32_t>* found = nullptr;  // where own vertices of the next level go
  std::uint64_t out_edges = 0;                  // of these

  // Counts the paths to a chunk's vertices, as sums over their in-neighbours. Numbers is plain_values or
  // scaled_values.
  template <class Numbers>
  void count_paths(std::span<const std::uint32_t> chunk, const Numbers& numbers) {
    for (std::size_t k = 0; k < chunk.size(); ++k) {
      fetch(*graph_.in_rows, chunk, k, numbers.values);
      numbers.set_paths(chunk[k], numbers.paths_before(*graph_.in_rows, chunk[k]));
    }
  }

  // Finds the unseen own vertices to which the rows of a chunk lead, a chunk of own vertices or of mirrors.
  // Alone says that no other core of the locale works meanwhile, so bits are set without atomics.
  template <bool Alone>
  void push(std::span<const std::uint32_t> chunk, const std::uint64_t* offsets,
            const std::uint32_t* targets) {
    const std::size_t first = found->size();
    std::array<std::uint32_t, most_candidates + row_piece> candidates;
    std::size_t count = 0;
    for (std::size_t k = 0; k < chunk.size(); ++k) {
      fetch(offsets, targets, chunk, k);
      const std::span<const std::uint32_t> row = own_part(offsets, targets, chunk[k]);
      for (std::size_t at = 0; at < row.size(); at += row_piece) {
        for (const std::uint32_t target : row.subspan(at, std::min(row_piece, row.size() - at))) {
          candidates[count] = target;  // without a branch, as it could not be predicted
          count += shared_.seen.shared_test(target) ? 0 : 1;
        }
        if (count < most_candidates) continue;
        claim<Alone>(std::span(candidates).first(count));
        count = 0;
      }
    }
    claim<Alone>(std::span(candidates).first(count));
    add_out_edges(first);
  }

  // Finds the unseen vertices of these words of the mask that have in-neighbours in the level before, and
  // counts their paths at once.
  template <class Numbers>
  void pull(std::size_t first_word, std::size_t last_word, const Numbers& numbers) {
    const std::size_t before_all = found->size();
    for (std::size_t w = first_word; w < last_word; ++w) {
      bit_set::word unseen = ~shared_.seen.shared_word(w), children = 0;
      const std::size_t left = graph_.own - w * bit_set::word_bits;
      if (left < bit_set::word_bits) unseen &= (bit_set::word{1} << left) - 1;
      for (; unseen != 0; unseen &= unseen - 1) {
        const auto vertex = static_cast<std::uint32_t>(w * bit_set::word_bits) +
                            static_cast<std::uint32_t>(std::countr_zero(unseen));
        const auto paths = numbers.paths_before(*graph_.in_rows, vertex);
        if (Numbers::is_zero(paths)) continue;
        numbers.set_paths(vertex, paths);
        children |= bit_set::bit_of(vertex);
        found->push_back(vertex);
      }
      if (children != 0) shared_.seen.words()[w] |= children;
    }
    add_out_edges(before_all);
  }

  // Adds the dependencies of a chunk's vertices to their scores, and those of their out-edges to these if
  // there are any. They are 0 in the deepest level. Level 0, the source, has no score.
  template <class Numbers>
  void go_back(std::span<const std::uint32_t> chunk, const Numbers& numbers, bool deepest, bool source,
               const centrality_scores& scores) {
    for (std::size_t k = 0; k < chunk.size(); ++k) {
      const std::uint32_t vertex = chunk[k];
      if (deepest) {
        numbers.turn(vertex);
        continue;
      }
      fetch(*graph_.out_rows, chunk, k, numbers.values);
      const double dependency = scores.of_edges.empty()
                                    ? numbers.go_back(*graph_.out_rows, vertex)
                                    : numbers.go_back(*graph_.out_rows, vertex, scores.of_edges.data());
      if (!source) scores.of_vertices[vertex] += dependency;
    }
  }

 private:
  static constexpr std::size_t most_candidates = 64, row_piece = 64;
  static constexpr std::size_t ahead = 8;  // distance of prefetches, in vertices

  static void fetch(const graph::adjacency& rows, std::span<const std::uint32_t> chunk, std::size_t k,
                    const double* values) {
    fetch(rows.offsets.data(), rows.neighbours.data(), chunk, k);
    __builtin_prefetch(values + chunk[std::min(k + ahead, chunk.size() - 1)]);
  }
  static void fetch(const std::uint64_t* offsets, const std::uint32_t* neighbours,
                    std::span<const std::uint32_t> chunk, std::size_t k) {
    __builtin_prefetch(offsets + chunk[std::min(k + 2 * ahead, chunk.size() - 1)]);
    __builtin_prefetch(neighbours + offsets[chunk[std::min(k + ahead, chunk.size() - 1)]]);
  }

  // Returns the own vertices of a row. They are contiguous; mirrors may lie before and after them.
  std::span<const std::uint32_t> own_part(const std::uint64_t* offsets, const std::uint32_t* targets,
                                          std::uint32_t vertex) const {
    const std::uint32_t* first = targets + offsets[vertex];
    const std::uint32_t* const last = targets + offsets[vertex + std::size_t{1}];
    while (first != last && *first >= graph_.own) ++first;
    if (first == last || last[-1] < graph_.own) return {first, last};
    return {first, std::lower_bound(first, last, graph_.own)};
  }

  template <bool Alone>
  void claim(std::span<const std::uint32_t> candidates) {
    for (const std::uint32_t target : candidates) {
      if constexpr (Alone) {
        if (shared_.seen.test(target)) continue;
        shared_.seen.set(target);
      } else {
        if (!shared_.seen.shared_set(target)) continue;
      }
      __builtin_prefetch(graph_.out_rows->offsets.data() + target);
      found->push_back(target);
    }
  }

  void add_out_edges(std::size_t first) {
    for (std::size_t k = first; k < found->size(); ++k) out_edges += graph_.out_rows->degree((*found)[k]);
  }

  const graph::locale_graph& graph_;
  centrality_state& shared_;
};

}  // namespace orujo::internal::algorithms::detail
