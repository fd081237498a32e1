// The core number of every vertex of an undirected graph: the largest k such that the vertex belongs to a
// subgraph in which every vertex has at least k neighbours.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/dealer.hpp"

namespace orujo::internal::algorithms {

// The figures of a run of core_numbers.
struct cores_report {
  double seconds = 0;
  int levels = 0;             // different core numbers
  std::uint32_t largest = 0;  // of them
};

// Core numbers by peeling. One task on every core constructs its part and runs it. The graph is symmetric and
// has out_rows. A loop counts as one neighbour, parallel edges as several.
//
// The algorithm is Kabir, Madduri, "Parallel k-core Decomposition on Multicore Platforms", IPDPSW 2017. A
// level removes the vertices with the fewest neighbours left, then those that are left with no more
// neighbours than these had, and so on. Every vertex is removed once and inspected once in each level that it
// outlives, so time is linear in the edges.
//
// Memory is 12 bytes per own vertex at most, and between locales the rows and places of mirrors
// (graph/mirror_rows.hpp, exchange/mirror_places.hpp). An owner tells each locale that mirrors a vertex
// (ghost vertex) once that it is removed, which takes 4 bytes at most.
class core_numbers {
 public:
  // [task; suspends; collective over the job] `cores` is the locale's array, by own vertex.
  core_numbers(const graph::locale_graph& g, std::span<std::uint32_t> cores);
  core_numbers(const core_numbers&) = delete;

  // [task; suspends; collective over the job] Finds the core numbers, and leaves them in `cores`. It may be
  // called any number of times.
  cores_report run();

 private:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  // Vertices that a core has found to be removed in a level. All cores of the locale take some.
  struct alignas(64) offer {
    std::uint32_t level = nobody;
    std::span<const std::uint32_t> found;
    steps::dealer dealer;
  };
  // Vertices that a core has removed in a round.
  struct alignas(64) removed_list {
    std::vector<std::uint32_t> vertices;
  };
  struct arena {
    explicit arena(int cores) : offers{by_core<offer>(cores), by_core<offer>(cores)}, removed(cores) {}
    by_core<offer> offers[2];                 // rounds use the two in turn
    by_core<removed_list> removed;            // between locales
    alignas(64) std::atomic<int> waiting{0};  // cores that have nothing to remove
  };

  std::vector<std::uint32_t>& mine_removed() { return arena_->removed[me_].vertices; }
  void start();
  bool next_level();
  std::uint32_t find_fewest();
  bool next_round();
  void make_offer(std::uint32_t level);
  void work_off_offers();
  void work_off_own();
  void remove(std::span<const std::uint32_t> vertices);
  void tell_mirrors();
  template <bool Alone>
  void lower(std::uint32_t vertex);
  template <bool Alone>
  void lower_each(std::span<const std::uint32_t> rows, const std::uint64_t* offsets,
                  const std::uint32_t* neighbours);
  void lower_neighbours(std::span<const std::uint32_t> rows, const std::uint64_t* offsets,
                        const std::uint32_t* neighbours);

  const graph::locale_graph& graph_;
  const graph::adjacency& rows_;
  // By own vertex of the locale: the number of neighbours left, or the core number of a removed vertex.
  const std::span<std::uint32_t> left_;
  const int me_;      // this core of the locale
  const bool alone_;  // the locale has no other core
  std::shared_ptr<arena> arena_;
  std::size_t turn_ = 0;
  std::uint32_t bound_ = 0;  // the level + 1; vertices with fewer neighbours left are removed or found
  std::vector<std::uint32_t> alive_;  // this core's vertices that no earlier level has removed
  std::vector<std::uint32_t> found_;  // vertices to be removed in this level
  std::size_t next_ = 0;              // in found_: those before it are removed
  std::vector<std::uint32_t> offered_[2];
  // The members below are for several locales.
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;
  std::vector<std::uint32_t> told_;  // mirrors that their owners have removed
  std::optional<exchange::mirror_values<>> mirrors_;
};

}  // namespace orujo::internal::algorithms
