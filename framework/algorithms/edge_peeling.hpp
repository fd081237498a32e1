// Peels the edges of a graph by the triangles that they have left: one core's part of truss_numbers().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/common_neighbours.hpp"
#include "framework/algorithms/edge_rows.hpp"
#include "framework/graph/valued_edge.hpp"
#include "framework/steps/dealer.hpp"
#include "system/machine/huge_array.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::algorithms::detail {

// One task on every core makes its part, counts, and then peels or not.
class edge_peeling {
 public:
  // [task; suspends; collective over the job] `wide` is that of degree_ranks.hpp.
  edge_peeling(const graph::locale_graph& g, bool wide);
  // [task; suspends; collective over the job] The barrier ensures that no message arrives later.
  ~edge_peeling();
  edge_peeling(const edge_peeling&) = delete;

  // [task; suspends; collective over the job] Counts the triangles of every edge.
  void count();
  // [task; suspends; collective over the job] After count(), before peel(): the number of all triangles.
  std::uint64_t triangles() const;
  // [task] Keeps the triangles of this core's edges as their values.
  void keep_counts();
  // [task; suspends; collective over the job] After count(): finds the truss numbers, and keeps them as
  // values at the core that finds them.
  void peel();
  std::span<const graph::valued_edge<std::uint32_t>> values() const { return values_; }
  int levels() const { return levels_; }
  int rounds() const { return rounds_; }

 private:
  // The triangles that an edge has left. A removed edge has `removed` and its level, and `current` if the
  // present round has removed it.
  static constexpr std::uint32_t removed = 1u << 31, current = 1u << 30;

  struct named_edge {
    std::uint64_t first, last, slot;  // slot: where the edge belongs
  };
  struct slot_count {
    std::uint64_t slot, count;
  };
  struct hear;
  struct add_count;
  struct take_one;
  struct outgoing;
  // Edges that a core of the locale has, its own and those of other locales. All cores take some.
  struct alignas(64) offer {
    std::span<const ranked_edge> own;
    std::vector<ranked_edge> heard;
    steps::dealer of_own, of_heard;
  };
  struct shared {
    shared(const graph::locale_graph& g, bool wide)
        : rows(g, wide), left(g.out_rows->edges()), offers(my_locales_cores()) {}
    edge_rows rows;
    machine::huge_array<std::uint32_t> left;  // by slot
    by_core<offer> offers;                    // by core of the locale
  };
  // Messages of one kind: a phase of all cores is over when as many values have arrived as were sent here.
  struct phase {
    by_core<std::uint64_t> sent_to = by_core<std::uint64_t>(cores());
    std::uint64_t expected = 0, received = 0;  // in all phases
  };

  std::uint32_t left_at(std::uint64_t slot) const {
    return std::atomic_ref(left_[slot]).load(std::memory_order_relaxed);
  }
  void set(std::uint64_t slot, std::uint32_t left) {
    std::atomic_ref(left_[slot]).store(left, std::memory_order_relaxed);
  }
  void send_news(std::span<const ranked_edge> edges);
  void offer_edges(std::span<const ranked_edge> edges);
  template <class Work>
  void work_off(const Work& work);
  void count_some(std::span<const ranked_edge> edges);
  void add(std::uint64_t slot, std::uint32_t triangles);
  void send_remote();
  void shorten_rows();
  std::uint32_t find_fewest();
  bool round();
  void set_current();
  void set_gone();
  void remove_some(std::span<const ranked_edge> edges);
  void take(std::uint64_t slot, std::uint32_t one, std::uint32_t other);
  bool take_here(std::uint64_t slot);
  void keep_value(const ranked_edge& edge, std::uint32_t value);
  void send_count(core_id to, const slot_count& count);
  void receive(phase& p, std::size_t values);
  template <class T, class Combine = std::plus<>>
  T complete(phase& p, T value, Combine combine = {});

  const graph::locale_graph& graph_;
  const bool alone_;  // the locale has no other core
  std::shared_ptr<shared> shared_;
  edge_rows& rows_;
  std::uint32_t* const left_;
  offer& mine_;
  std::unique_ptr<outgoing> out_;
  phase news_, changes_;
  tasks::wait_queue waiting_;

  common_neighbours thirds_;
  std::vector<std::uint32_t> by_place_;  // triangles of the edges of one row
  std::vector<named_edge> heard_;
  std::vector<ranked_edge> alive_;    // this core's edges that no earlier level has removed
  std::vector<ranked_edge> found_;    // edges to be removed,
  std::vector<ranked_edge> coming_;   // those of the round that begins,
  std::vector<ranked_edge> removed_;  // and of the round that other cores may be in
  std::vector<graph::valued_edge<std::uint32_t>> values_;
  std::uint32_t level_ = 0;
  std::uint64_t edges_left_ = 0, edges_removed_ = 0;  // of the job; removed since rows were last shortened
  int levels_ = 0, rounds_ = 0;
};

}  // namespace orujo::internal::algorithms::detail
