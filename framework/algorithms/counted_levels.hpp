// The order in which the cores of a locale handle the vertices of an acyclic graph. Each vertex comes after
// its predecessors, and on the way back after its successors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/centrality_state.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::algorithms::detail {

// One core's part; one task per core constructs and uses it. Vertices are own vertices of the locale. A round
// is what a locale can do without others, and consists of levels. The vertices of a level have no edges to
// each other, and the cores share them, unless one core works on them alone in an order of its own.
class counted_levels {
 public:
  using list = std::vector<std::uint32_t>;

  // [task; suspends; collective over the locale]
  explicit counted_levels(const graph::locale_graph& g)
      : graph_(g), me_(my_core_of_locale()), shared_(collectives::share_on_locale<arena>([] {
          return std::make_shared<arena>(my_locales_cores());
        })) {}

  // [task] Forgets all vertices. A collective over the locale precedes it.
  void start() {
    shared_->levels[me_].assign(1, {});
    is_alone_.assign(1, false);
    rounds_.assign(1, 0);
  }
  // [task] This core's list of vertices to go on from. The caller appends those of a new round.
  list& found() { return shared_->levels[me_].back(); }
  // The number of rounds that have ended.
  std::size_t rounds() const { return rounds_.size() - 1; }

  // [task; suspends; collective over the locale] Does a round: calls pass(v) for each vertex found, once, and
  // for those that pass() appends to found(). A core that goes on from a vertex sees all that was written
  // before the vertex was appended. No core writes to found() until all others have returned.
  template <class Pass>
  void go_on(Pass pass) {
    for (;;) {
      offer(shared_->levels[me_].size() - 1);
      auto& all = shared_->offers[turn_];
      if (std::ranges::all_of(all, [](const auto& share) { return share.part.empty(); })) break;
      const bool alone = is_small();
      is_alone_.push_back(alone);
      shared_->levels[me_].emplace_back();
      if (alone) {
        go_on_alone(pass);
      } else {
        take_chunks(all, vertices_of_piece, [&](auto part, std::size_t first, std::size_t last) {
          for (std::size_t k = first; k < last; ++k) pass(part[k]);
        });
      }
    }
    rounds_.push_back(shared_->levels[me_].size() - 1);
  }

  // [task; suspends; collective over the locale] Calls turn(v) for each vertex of a round, after the calls
  // for its successors of the round.
  template <class Turn>
  void go_back(std::size_t round, Turn turn) {
    for (std::size_t level = rounds_[round + 1]; level-- > rounds_[round];) {
      offer(level);
      auto& all = shared_->offers[turn_];
      if (!is_alone_[level] && !is_small()) {
        take_chunks(all, vertices_of_piece, [&](auto part, std::size_t first, std::size_t last) {
          for (std::size_t k = first; k < last; ++k) turn(part[k]);
        });
      } else if (leads_locale()) {
        for (const auto& share : all) {
          for (std::size_t k = share.part.size(); k-- > 0;) {
            turn(share.part[k]);
            if (k % handled_at_once == 0) tasks::yield();
          }
        }
      }
    }
    collectives::barrier(collectives::group::locale);
  }

  // [task] The vertices of a round, those of all cores of the locale, until the next round begins.
  std::vector<std::span<const std::uint32_t>> of_round(std::size_t round) const {
    std::vector<std::span<const std::uint32_t>> lists;
    for (const std::vector<list>& of_core : shared_->levels) {
      for (std::size_t level = rounds_[round]; level < rounds_[round + 1]; ++level) {
        if (!of_core[level].empty()) lists.emplace_back(of_core[level]);
      }
    }
    return lists;
  }

 private:
  static constexpr std::size_t vertices_of_piece = 64;
  // One core works on a level of at most this many vertices and edges, while the others wait.
  static constexpr std::size_t few_vertices = 64;
  static constexpr std::uint64_t few_edges = 1000;
  static constexpr std::size_t handled_at_once = 1024;  // arriving messages wait meanwhile

  struct arena {
    explicit arena(int cores) : levels(cores) {
      for (auto& of_turn : offers) of_turn = shared_lists::value_type(cores);
    }
    by_core<std::vector<list>> levels;  // and by level
    shared_lists offers;                // of the level in hand, and of the one before
  };

  // Offers this core's part of a level to the cores of the locale. Returns when all have offered theirs.
  void offer(std::size_t level) {
    turn_ = 1 - turn_;
    shared_->offers[turn_][me_].offer(shared_->levels[me_][level]);
    collectives::barrier(collectives::group::locale);
  }

  // Returns whether one core works on the offered level.
  bool is_small() const {
    if (my_locales_cores() == 1) return true;
    std::size_t vertices = 0;
    for (const auto& share : shared_->offers[turn_]) vertices += share.part.size();
    if (vertices > few_vertices) return false;
    std::uint64_t edges = 0;
    for (const auto& share : shared_->offers[turn_]) {
      for (const std::uint32_t v : share.part) edges += graph_.out_rows->degree(v);
    }
    return edges <= few_edges;
  }

  // The leader of the locale goes on by itself while few edges are ahead. It leaves the other vertices to a
  // level of their own.
  template <class Pass>
  void go_on_alone(Pass pass) {
    list left;
    if (leads_locale()) {
      for (const auto& share : shared_->offers[turn_]) std::ranges::for_each(share.part, pass);
      std::size_t next = 0;
      std::uint64_t edges = 0;  // ahead
      for (std::size_t seen = 0; next < found().size(); ++next) {
        for (; seen < found().size(); ++seen) edges += graph_.out_rows->degree(found()[seen]);
        if (edges > few_edges && my_locales_cores() > 1) break;
        edges -= graph_.out_rows->degree(found()[next]);
        pass(found()[next]);
        if (next % handled_at_once == 0) tasks::yield();
      }
      left.assign(found().begin() + static_cast<std::ptrdiff_t>(next), found().end());
      found().resize(next);
    }
    shared_->levels[me_].push_back(std::move(left));
    is_alone_.push_back(false);
  }

  const graph::locale_graph& graph_;
  const int me_;  // core of the locale
  const std::shared_ptr<arena> shared_;
  std::vector<std::size_t> rounds_;  // by round: its first level, and at last the number of levels
  std::vector<bool> is_alone_;       // by level: one core has worked on it, in an order of its own
  std::size_t turn_ = 0;             // of the offers
};

}  // namespace orujo::internal::algorithms::detail
