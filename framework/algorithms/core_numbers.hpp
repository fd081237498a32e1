// The core number of every vertex of an undirected graph: the largest k such that the vertex belongs to a
// subgraph in which all have k neighbours or more.
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

namespace orujo::algorithms {

// The figures of a run of core_numbers.
struct cores_report {
  double seconds = 0;
  int levels = 0;             // different core numbers
  std::uint32_t largest = 0;  // of them
};

// The core number of each vertex: the largest k such that it belongs to the k-core. One task on every core
// makes its part and runs it. The graph is symmetric and has out_rows. A loop counts as one neighbour,
// parallel edges as several. Peels after Kabir, Madduri, "Parallel k-core Decomposition on Multicore
// Platforms", IPDPSW 2017: a level removes the vertices with the fewest neighbours left, and those that have
// no more once these are gone, and so on. Every vertex is removed once and inspected once in each level that
// it outlives, so time is linear in the edges. Takes 12 bytes per own vertex at most, and between locales the
// rows and places of mirrors (graph/mirror_rows.hpp, exchange/mirror_places.hpp). An owner tells each locale
// that mirrors a vertex once that it is removed, which takes 4 bytes at most.
class core_numbers {
 public:
  // [task; suspends; collective over the job] `cores` are the locale's, by own vertex.
  core_numbers(const graph::locale_graph& g, std::span<std::uint32_t> cores);
  core_numbers(const core_numbers&) = delete;

  // [task; suspends; collective over the job] Finds the core numbers, and leaves them in `cores`. Call it any
  // number of times.
  cores_report run();

 private:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  // What a core has found, to be removed in a level, from which all cores of the locale take.
  struct alignas(64) offer {
    std::uint32_t level = nobody;
    std::span<const std::uint32_t> found;
    steps::dealer dealer;
  };
  // What a core has removed in a round.
  struct alignas(64) removed_list {
    std::vector<std::uint32_t> vertices;
  };
  struct arena {
    explicit arena(std::size_t cores)
        : offers{std::vector<offer>(cores), std::vector<offer>(cores)}, removed(cores) {}
    std::vector<offer> offers[2];             // by core; rounds use the two in turn
    std::vector<removed_list> removed;        // by core, between locales
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
  // By own vertex of the locale: neighbours left, and of removed vertices the core number.
  const std::span<std::uint32_t> left_;
  const std::size_t me_;  // core of the locale,
  const bool alone_;      // which has no other
  std::shared_ptr<arena> arena_;
  std::size_t turn_ = 0;
  std::uint32_t bound_ = 0;           // above the level: less is left of vertices that are removed, or found
  std::vector<std::uint32_t> alive_;  // this core's vertices, without those of levels before
  std::vector<std::uint32_t> found_;  // to be removed in this level,
  std::size_t next_ = 0;              // of which those before are
  std::vector<std::uint32_t> offered_[2];
  // Between locales.
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;
  std::vector<std::uint32_t> told_;  // mirrors that their owners have removed
  std::optional<exchange::mirror_values<>> mirrors_;
};

}  // namespace orujo::algorithms
