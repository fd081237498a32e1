// The two kinds of supersteps of a search, in which every vertex is visited at most once. A push goes from
// the vertices of a small frontier, and a pull is made by all unvisited vertices.
//
// After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "framework/steps/found_share.hpp"
#include "framework/steps/row_pull.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::steps {

// The counts of one superstep. Three are used in turn: while one superstep fills its own, slow cores may
// still read those of the last, and the first core clears the next.
struct alignas(64) search_counts {
  dealer own, mirrors;                  // of a push; in a pull, own: of the words of the mask
  std::atomic<std::uint64_t> found{0};  // vertices of this locale
  std::uint64_t first = 0;              // position of the first found in the order; written by the first core

  void reset() {
    own.reset();
    mirrors.reset();
    found.store(0, std::memory_order_relaxed);
  }
};

// State that the cores of a locale share. A vertex is found once, so all found vertices fit one array,
// `order`, in which those of a superstep lie together. Another array, `mirrors`, has the mirrors of vertices
// that other locales have found, likewise.
//
// There is no mask of the frontier. A vertex that was seen before the last superstep has shown itself to all
// its out-neighbours. So if an unseen vertex has an in-neighbour that was seen when the superstep began, it
// is reached from that neighbour, which is in the frontier. A pull therefore reads the mask of the seen
// vertices as it was, and writes another.
struct search_state {
  search_state(const graph::locale_graph& g, int cores)
      : seen{bit_set(g.own + std::size_t{g.mirrors}), bit_set(g.own + std::size_t{g.mirrors})},
        pullable(g.own + std::size_t{g.mirrors}),
        order(g.own),
        mirrors(g.mirrors),
        shares{by_core<found_share>(cores), by_core<found_share>(cores)} {}

  // Called before a search, by one core.
  void reset() {
    placed.store(0, std::memory_order_relaxed);
    mirrors_placed.store(0, std::memory_order_relaxed);
    for (search_counts& c : counts) c.reset();
  }

  std::array<bit_set, 2> seen;                       // by local index; bits of mirrors come a superstep late
  bit_set pullable;                                  // own vertices with in-edges
  bool knows_pullable = false;                       // set by the first core
  machine::huge_array<std::uint32_t> order;          // own vertices by superstep
  machine::huge_array<std::uint32_t> mirrors;        // mirrors pushed from, by superstep; local indices
  alignas(64) std::atomic<std::uint64_t> placed{0};  // vertices in `order`
  std::atomic<std::uint64_t> mirrors_placed{0};      // in `mirrors`
  std::array<search_counts, 3> counts;
  std::array<by_core<found_share>, 2> shares;  // for two supersteps in turn: what it has found in `order`
};

// A vertex that had not been seen, and the in-neighbour from which it is reached; local indices.
struct discovery {
  std::uint32_t vertex, parent;
};

// Other threads that mark vertices as seen at the same time.
enum class sharing { none, cores };

// The rows of the vertices order[first..last), which are a part of search_state's order or mirrors. Rows have
// the edges to own vertices.
struct push_rows {
  const std::uint64_t* offsets;
  const std::uint32_t* targets;  // local indices; mirrors among them are skipped
  std::uint32_t first_vertex;    // vertex of the first row
  const std::uint32_t* order;
};

// One core's part of a superstep. The visitor has these members for vertices that are found.
//   `void fetch(vertex)` announces a vertex that will be visited soon.
//   `std::size_t visit(std::span<discovery>)` visits own vertices found by pushing. It moves those of the
//       next frontier to the front and returns their number.
//   `std::uint32_t* parents_of(w)` returns room for the parents of the vertices of word w in a pull. The
//       rooms of two consecutive words are in use at a time.
//   `void fetch(children, parents)` announces children that will be visited with these parents soon.
//   `std::uint32_t* visit(w, children, parents, std::uint32_t* to)` visits own vertices of word w found by
//       pulling. It clears the bits in `children` of vertices that are not reached after all, writes those
//       of the next frontier to `to`, and returns the end.
template <class Visitor>
class search_step {
 public:
  // The argument `simd` is the instruction set of pulls.
  search_step(const graph::locale_graph& g, search_state& shared, Visitor& visitor, int cores,
              machine::instruction_set simd)
      : graph_(g),
        shared_(shared),
        visitor_(visitor),
        cores_(static_cast<std::uint64_t>(cores)),
        simd_(simd) {}

  std::uint64_t found = 0;      // vertices of the next frontier, since the last reset()
  std::uint64_t out_edges = 0;  // of the vertices found by pushing
  void reset() { found = out_edges = 0; }

  push_rows own_rows() const {
    return {graph_.out_rows->offsets.data(), graph_.out_rows->neighbours.data(), 0, shared_.order.data()};
  }

  // [task] Pushes from vertices order[first..last). Not compiled for --simd: nothing is summed, and compilers
  // turn the loops over candidates into gathers and scatters, which are slower for few candidates.
  template <sharing With>
  void push(const push_rows& rows, bit_set& seen, std::uint64_t first, std::uint64_t last, dealer& by) {
    by.deal(last - first, pushed_at_once(last - first), [&](std::size_t begin, std::size_t end) {
      push_chunk<With>(rows, seen, first + begin, first + end);
    });
  }
  // Pushes from the positions in the shares, `vertices` in all. Each core begins with what it has found
  // itself: the children are near, in lines that this core has written, and no other.
  template <sharing With>
  void push(const push_rows& rows, bit_set& seen, by_core<found_share>& shares, int me,
            std::uint64_t vertices) {
    const std::uint64_t chunk = pushed_at_once(vertices);
    for (;;) {
      const index_range some = shares[me].take(chunk);
      if (some.first < some.last) {
        push_chunk<With>(rows, seen, some.first, some.last);
        continue;
      }
      index_range stolen{};
      for (int k = 1; k < my_locales_cores() && stolen.first == stolen.last; ++k)
        stolen = shares[(me + k) % my_locales_cores()].steal(chunk);
      if (stolen.first == stolen.last) break;
      shares[me].reset(stolen);
    }
  }
  // Ends this core's pushes of a superstep; returns the range of the order that has what they have found.
  template <sharing With>
  index_range end_push(bit_set& seen) {
    settle<With>(seen);
    return place_found();
  }

  // [task; may suspend] Every unseen vertex searches its in-neighbours for a parent.
  void pull(const bit_set& before, bit_set& after, dealer& by) {
    by.deal(before.size_in_words(), words_of_chunk, [&](std::size_t first, std::size_t last) {
      machine::compiled_for(simd_, [&] { pull_chunk(before, after, first, last); });
      tasks::yield();
    });
  }

  // Appends vertices of the next frontier to the order, and returns their range.
  index_range place(std::span<const discovery> active) {
    if (active.empty()) return {};
    const std::uint64_t at = shared_.placed.fetch_add(active.size(), std::memory_order_relaxed);
    write_found(active, shared_.order.data() + at);
    return {at, at + active.size()};
  }

 private:
  static constexpr std::size_t most_candidates = 64;
  static constexpr std::uint64_t most_pushing_vertices = 1024;  // of a chunk
  static constexpr std::size_t words_of_chunk = 32;
  static constexpr std::size_t vertices_of_chunk = words_of_chunk * bit_set::word_bits;
  static constexpr std::uint64_t ahead = 8;  // vertices whose rows are fetched before their turn

  // Unseen targets are candidates first, and join the mask in batches. No other memory access overtakes an
  // atomic operation, so the word should be in the cache by then.
  template <sharing With>
  void push_chunk(const push_rows& rows, bit_set& seen, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t* const offsets = rows.offsets;
    const std::uint32_t* const targets = rows.targets;
    const std::uint32_t* const order = rows.order;
    const std::uint32_t first_vertex = rows.first_vertex, own = graph_.own;
    const std::uint64_t* const own_offsets = graph_.out_rows->offsets.data();
    for (std::uint64_t i = first; i < last; ++i) {
      __builtin_prefetch(offsets + (order[std::min(i + 2 * ahead, last - 1)] - first_vertex));
      __builtin_prefetch(targets + offsets[order[std::min(i + ahead, last - 1)] - first_vertex]);
      const std::uint32_t parent = order[i];
      const std::uint64_t end = offsets[parent - first_vertex + 1];
      for (std::uint64_t e = offsets[parent - first_vertex]; e < end; ++e) {
        const std::uint32_t target = targets[e];
        if (target >= own) continue;  // their owners handle these edges
        if constexpr (With == sharing::none) {
          if (seen.test(target)) continue;
          seen.set(target);
        } else {
          if (seen.shared_test(target)) continue;
          __builtin_prefetch(&seen.words()[bit_set::word_of(target)], 1);
        }
        visitor_.fetch(target);
        __builtin_prefetch(own_offsets + target);
        candidates_[count_++] = {target, parent};
        if (count_ == most_candidates) settle<With>(seen);
      }
    }
  }

  std::uint64_t pushed_at_once(std::uint64_t vertices) const {
    return std::clamp<std::uint64_t>(vertices / (cores_ * 8), 1, most_pushing_vertices);
  }

  // Batches keep several cache misses under way.
  void write_found(std::span<const discovery> active, std::uint32_t* to) {
    const std::uint64_t* const offsets = graph_.out_rows->offsets.data();
    std::uint64_t edges = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const std::uint32_t vertex = active[k].vertex;
      to[k] = vertex;
      edges += offsets[vertex + 1] - offsets[vertex];
    }
    out_edges += edges;
    found += active.size();
  }
  // Keeps vertices for the order. They lie together there, as the next push of this core begins with them.
  void keep_found(std::span<const discovery> active) {
    if (found_.size() < kept_ + active.size())
      found_.resize(std::max(2 * found_.size(), kept_ + active.size()));
    write_found(active, found_.data() + kept_);
    kept_ += active.size();
  }
  index_range place_found() {
    if (kept_ == 0) return {};
    const std::uint64_t at = shared_.placed.fetch_add(kept_, std::memory_order_relaxed);
    std::copy_n(found_.begin(), kept_, shared_.order.data() + at);
    return {at, at + std::exchange(kept_, 0)};
  }

  // Adds the candidates to the mask, and visits those that are new there.
  template <sharing With>
  void settle(bit_set& seen) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const discovery c = candidates_[k];
      if constexpr (With == sharing::cores) {
        if (!seen.shared_set(c.vertex)) continue;
      }
      // All of them are own vertices. Without the test, compilers read candidates as vectors, and wait for
      // halves that have just been written: a search of one core on a mesh takes 1.15 times as long.
      if (c.vertex < graph_.own) candidates_[kept++] = c;
    }
    const std::span<discovery> visited(candidates_.data(), kept);
    const std::span<const discovery> active = visited.first(visitor_.visit(visited));
    if constexpr (With == sharing::cores) {
      keep_found(active);
    } else {
      place(active);
    }
    count_ = 0;
  }

  void pull_chunk(const bit_set& before, bit_set& after, std::size_t first, std::size_t last) {
    if (found_.size() < vertices_of_chunk) found_.resize(vertices_of_chunk);
    std::uint32_t* end = found_.data();
    const graph::adjacency& rows = *graph_.in_rows;
    fetch_rows(rows, first, unseen(before, first));
    bit_set::word children = 0;
    const auto visit = [&](std::size_t w) {
      end = visitor_.visit(w, children, visitor_.parents_of(w), end);
      after.words()[w] = before.words()[w] | children;
    };
    // A word is visited while what the next one's parents show is fetched.
    for (std::size_t w = first; w < last; ++w) {
      if (w + 1 < last) fetch_rows(rows, w + 1, unseen(before, w + 1));
      std::uint32_t* const parents = visitor_.parents_of(w);
      const bit_set::word found_now = pull_word(rows, before, w, unseen(before, w), parents);
      visitor_.fetch(found_now, parents);
      if (w > first) visit(w - 1);
      children = found_now;
    }
    visit(last - 1);
    const auto found_here = static_cast<std::uint64_t>(end - found_.data());
    if (found_here == 0) return;
    std::copy(found_.data(), end,
              shared_.order.data() + shared_.placed.fetch_add(found_here, std::memory_order_relaxed));
    found += found_here;
  }

  bit_set::word unseen(const bit_set& before, std::size_t w) const {
    return shared_.pullable.words()[w] & ~before.words()[w];
  }

  const graph::locale_graph& graph_;
  search_state& shared_;
  Visitor& visitor_;
  const std::uint64_t cores_;
  const machine::instruction_set simd_;
  std::array<discovery, most_candidates> candidates_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> found_;  // found vertices that are not in the order yet
  std::size_t kept_ = 0;              // of it in use between chunks that push
};

}  // namespace orujo::internal::steps
