// Active vertices of one core that wait while others go first: the buckets of programs with priority().
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex.hpp"
#include "framework/steps/bins.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::gas::detail {

// A vertex whose value changes while it waits gets another entry, and the old one is dropped.
template <class Program>
class held_back {
  using value = typename Program::value;

 public:
  held_back(const Program& program, const graph::locale_graph& g, std::span<const value> shown)
      : program_(program), graph_(g), shown_(shown) {}

  // Returns whether the vertex waits from now on.
  bool takes(std::uint32_t v) {
    const std::uint64_t priority =
        std::min(program_.priority({v, graph_.out_degree[v], &graph_}, shown_[v]), bins::none - 1);
    if (!all_wait_ && priority <= bucket_) return false;
    first_ = std::min(first_, priority);
    bins_.push(priority, {v, shown_[v]});
    return true;
  }
  // takes() takes every vertex until the next take().
  void let_all_wait() { all_wait_ = true; }

  // [task; suspends; collective over the job] Calls go(vertex) for the waiting vertices of the least priority
  // of all cores.
  template <class Go>
  void next(Go go) {
    drop_changed_first();
    take(collectives::all_reduce(first(), [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }),
         go);
  }

  // The greatest priority that is active.
  std::uint64_t bucket() const { return bucket_; }
  // The least priority of this core's entries, or steps::bins::none. Vertices of these entries may have
  // changed.
  std::uint64_t first() { return first_ = bins_.first_from(first_); }
  // Calls visit(vertex) for the entries of the least priority.
  template <class Visit>
  void for_each_first(Visit visit) {
    if (first() == bins::none) return;
    for (const held& h : first_bin()) visit(h.vertex);
  }
  // Drops entries whose vertex shows another value than when it was held back, until the least priority has
  // others. No core of the locale may change values meanwhile.
  void drop_changed_first() {
    while (first() != bins::none) {
      std::erase_if(first_bin(), [this](const held& h) { return has_changed(h); });
      if (!first_bin().empty()) return;
    }
  }
  // Takes the entries up to this priority out, and calls go(vertex) for those whose vertex has not changed.
  // No core of the locale may change values meanwhile.
  template <class Go>
  void take(std::uint64_t bucket, Go go) {
    bucket_ = bucket;
    all_wait_ = false;
    while (first() <= bucket && first_ != bins::none) {
      std::vector<held> some;
      std::swap(some, first_bin());
      for (const held& h : some) {
        if (!has_changed(h)) go(h.vertex);
      }
      bins_.recycle(std::move(some));
    }
  }

 private:
  struct held {
    std::uint32_t vertex;
    value shown;  // when it was held back
  };
  using bins = steps::bins<held>;

  bool has_changed(const held& h) const {
    return std::memcmp(&h.shown, &shown_[h.vertex], sizeof(value)) != 0;
  }
  std::vector<held>& first_bin() {
    if (!bins_.within_window(first_)) bins_.move_window(first_);
    return bins_.bin(first_);
  }

  const Program& program_;
  const graph::locale_graph& graph_;
  const std::span<const value> shown_;
  bins bins_;
  std::uint64_t first_ = bins::none;  // no entry has a lesser priority
  std::uint64_t bucket_ = 0;
  bool all_wait_ = false;
};

}  // namespace orujo::internal::gas::detail
