// What the cores of a locale share during a breadth-first search, and its two kinds of supersteps.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/row_pull.hpp"
#include "framework/engine/frontier.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::algorithms::detail {

// The counts of one superstep. Three are used in turn: while one superstep fills its own, slow cores may
// still read those of the last, and the first core clears the next.
struct alignas(64) superstep_counts {
  std::atomic<std::uint64_t> claimed{0};  // of the work, by its chunks
  std::atomic<std::uint64_t> found{0};    // vertices of this locale
  std::uint64_t first = 0;                // place of the first of them in the order; the first core's

  void reset() {
    claimed.store(0, std::memory_order_relaxed);
    found.store(0, std::memory_order_relaxed);
  }
};

// Vertices are found once, so all that are found fit one array, `order`, and each superstep's lie together.
//
// No mask of the frontier is kept. A vertex that was seen before the last superstep has shown itself to all
// its out-neighbours; so whoever is still unseen and has an in-neighbour that was seen at the superstep's
// start is that one's child, one level below the frontier. Pulling therefore reads the mask of the seen
// vertices as it was, and writes another.
struct search_state {
  explicit search_state(const graph::locale_graph& g)
      : seen{frontier(g.own + std::size_t{g.mirrors}), frontier(g.own + std::size_t{g.mirrors})},
        pullable(g.own + std::size_t{g.mirrors}),
        parents(g.own),
        order(g.own) {}

  // Before a search, by one core.
  void reset() {
    placed.store(0, std::memory_order_relaxed);
    for (superstep_counts& c : counts) c.reset();
    level_ends.clear();
  }

  std::array<frontier, 2> seen;                      // by local index; bits of mirrors may come late
  frontier pullable;                                 // own vertices with in-edges
  machine::huge_array<std::uint32_t> parents;        // by own vertex, local indices; of seen ones
  machine::huge_array<std::uint32_t> order;          // own vertices by level
  alignas(64) std::atomic<std::uint64_t> placed{0};  // in order
  std::array<superstep_counts, 3> counts;
  std::vector<std::uint64_t> level_ends;  // in order; the first core's until the end
};

// Who else marks vertices as seen meanwhile.
enum class sharing { none, cores };

// What one core does in a superstep.
class search_step {
 public:
  search_step(const graph::locale_graph& g, search_state& shared, int cores)
      : graph_(g), shared_(shared), cores_(static_cast<std::uint64_t>(cores)) {}

  std::uint64_t found = 0;      // own vertices, since the last reset()
  std::uint64_t out_edges = 0;  // of those found by pushing
  void reset() { found = out_edges = 0; }

  // [task; may suspend] Pushes from vertices order[first..last), shared with the other cores by `claimed`.
  // remote(parent, mirror) is called for mirrors that this locale has not seen yet.
  template <sharing With, class Remote>
  void push(frontier& seen, std::uint64_t first, std::uint64_t last, std::atomic<std::uint64_t>& claimed,
            Remote remote) {
    const std::uint64_t chunk =
        std::clamp<std::uint64_t>((last - first) / (cores_ * 8), 1, most_pushing_vertices);
    for (;;) {
      const std::uint64_t at = first + chunk * claimed.fetch_add(1, std::memory_order_relaxed);
      if (at >= last) break;
      machine::compiled_for(isa_, [&] { push_chunk<With>(seen, at, std::min(at + chunk, last), remote); });
    }
    settle<With>(seen, remote);
  }

  // [task; may suspend] Every unseen vertex looks for a parent among its in-neighbours.
  void pull(const frontier& before, frontier& after, std::atomic<std::uint64_t>& claimed) {
    const std::size_t words = before.size_in_words();
    for (;;) {
      const std::size_t at = words_of_chunk * claimed.fetch_add(1, std::memory_order_relaxed);
      if (at >= words) break;
      machine::compiled_for(isa_,
                            [&] { pull_chunk(before, after, at, std::min(at + words_of_chunk, words)); });
      tasks::yield();
    }
  }

  // A vertex found by a peer's push, already a member of the mask.
  void add(std::uint32_t vertex, std::uint32_t parent) { received_.push_back({vertex, parent}); }
  void place_added() {
    place(received_);
    received_.clear();
  }

 private:
  static constexpr std::size_t most_candidates = 64;
  static constexpr std::uint64_t most_pushing_vertices = 1024;  // of a chunk
  static constexpr std::size_t words_of_chunk = 32;
  static constexpr std::uint64_t ahead = 8;  // vertices whose rows are fetched meanwhile

  struct child {
    std::uint32_t vertex, parent;
  };

  // Unseen targets are candidates first, and become members of the mask many at a time: an atomic operation
  // lets no other memory access overtake it, so the word had better be there already.
  template <sharing With, class Remote>
  void push_chunk(frontier& seen, std::uint64_t first, std::uint64_t last, Remote& remote) {
    const std::uint64_t* const offsets = graph_.out_rows->offsets.data();
    const std::uint32_t* const neighbours = graph_.out_rows->neighbours.data();
    const std::uint32_t* const order = shared_.order.data();
    for (std::uint64_t i = first; i < last; ++i) {
      __builtin_prefetch(offsets + order[std::min(i + 2 * ahead, last - 1)]);
      __builtin_prefetch(neighbours + offsets[order[std::min(i + ahead, last - 1)]]);
      const std::uint32_t parent = order[i];
      const std::uint64_t end = offsets[parent + 1];
      for (std::uint64_t e = offsets[parent]; e < end; ++e) {
        const std::uint32_t target = neighbours[e];
        if constexpr (With == sharing::none) {
          if (seen.test(target)) continue;
          seen.set(target);
        } else {
          if (seen.shared_test(target)) continue;
          __builtin_prefetch(&seen.words()[frontier::word_of(target)], 1);
        }
        __builtin_prefetch(shared_.parents.data() + target, 1);
        __builtin_prefetch(offsets + target);
        candidates_[count_++] = {target, parent};
        if (count_ == most_candidates) settle<With>(seen, remote);
      }
    }
  }

  // Adds the candidates to the mask, and places those who were none of its members.
  template <sharing With, class Remote>
  void settle(frontier& seen, Remote& remote) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const child c = candidates_[k];
      if constexpr (With == sharing::cores) {
        if (!seen.shared_set(c.vertex)) continue;
      }
      if (c.vertex < graph_.own) {
        candidates_[kept++] = c;
      } else {
        remote(c.parent, c.vertex);
      }
    }
    place(std::span<const child>(candidates_.data(), kept));
    count_ = 0;
  }

  // Puts what was found into the order. Many at a time, so that the processor has several misses under way.
  void place(std::span<const child> children) {
    if (children.empty()) return;
    const std::uint64_t* const offsets = graph_.out_rows->offsets.data();
    const std::uint64_t at = shared_.placed.fetch_add(children.size(), std::memory_order_relaxed);
    std::uint32_t* const to = shared_.order.data() + at;
    std::uint32_t* const parents = shared_.parents.data();
    std::uint64_t edges = 0;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const auto [vertex, parent] = children[k];
      to[k] = vertex;
      parents[vertex] = parent;
      edges += offsets[vertex + 1] - offsets[vertex];
    }
    out_edges += edges;
    found += children.size();
  }

  void pull_chunk(const frontier& before, frontier& after, std::size_t first, std::size_t last) {
    std::array<frontier::word, words_of_chunk> found_in;
    std::uint64_t found_here = 0;
    const graph::adjacency& rows = *graph_.in_rows;
    fetch_rows(rows, first, unseen(before, first));
    for (std::size_t w = first; w < last; ++w) {
      if (w + 1 < last) fetch_rows(rows, w + 1, unseen(before, w + 1));
      const frontier::word children = pull_word(rows, before, w, unseen(before, w), shared_.parents.data());
      found_in[w - first] = children;
      after.words()[w] = before.words()[w] | children;
      found_here += static_cast<std::uint64_t>(std::popcount(children));
    }
    if (found_here == 0) return;
    std::uint32_t* to =
        shared_.order.data() + shared_.placed.fetch_add(found_here, std::memory_order_relaxed);
    for (std::size_t w = first; w < last; ++w) {
      for (frontier::word rest = found_in[w - first]; rest != 0; rest &= rest - 1)
        *to++ = static_cast<std::uint32_t>(w * frontier::word_bits) +
                static_cast<std::uint32_t>(std::countr_zero(rest));
    }
    found += found_here;
  }

  frontier::word unseen(const frontier& before, std::size_t w) const {
    return shared_.pullable.words()[w] & ~before.words()[w];
  }

  const graph::locale_graph& graph_;
  search_state& shared_;
  const std::uint64_t cores_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
  std::array<child, most_candidates> candidates_;
  std::size_t count_ = 0;
  std::vector<child> received_;
};

}  // namespace orujo::algorithms::detail
