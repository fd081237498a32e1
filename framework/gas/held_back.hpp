// Active vertices of one core that wait while others go first: the buckets of programs with priority().
//
// Near and far: Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU Methods for Single-Source
// Shortest Paths", IPDPS 2014.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::gas::detail {

template <class Program>
class held_back {
  using value = typename Program::value;

 public:
  held_back(const Program& program, const graph::locale_graph& g, std::span<const value> shown)
      : program_(program), graph_(g), shown_(shown) {}

  // True if the vertex waits from this call on.
  bool takes(std::uint32_t v) {
    if (!all_wait_ && program_.priority(at(v), shown_[v]) <= bucket_) return false;
    all_.push_back({v, shown_[v]});
    return true;
  }
  // Makes takes() accept every vertex until the next take().
  void let_all_wait() { all_wait_ = true; }

  // [task; suspends; collective over the job] Calls go(vertex) for the waiting vertices of the least
  // priority.
  template <class Go>
  void next(Go go) {
    forget_changed();
    std::uint64_t least = ~std::uint64_t{0};
    for_each([&](std::uint32_t, std::uint64_t priority) { least = std::min(least, priority); });
    take(loops::all_reduce(least, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }), go);
  }

  // The greatest priority that is active.
  std::uint64_t bucket() const { return bucket_; }
  // Drops entries whose vertex shows another value: that value has an entry of its own, or was active. No
  // core of the locale may change values meanwhile.
  void forget_changed() {
    std::erase_if(
        all_, [&](const held& h) { return std::memcmp(&h.shown, &shown_[h.vertex], sizeof(value)) != 0; });
  }
  // Calls go(vertex) for entries of at most this priority, and removes them.
  template <class Go>
  void take(std::uint64_t bucket, Go go) {
    bucket_ = bucket;
    all_wait_ = false;
    before_.swap(all_);
    all_.clear();
    for (const held& h : before_) {
      if (program_.priority(at(h.vertex), h.shown) <= bucket) {
        go(h.vertex);
      } else {
        all_.push_back(h);
      }
    }
  }
  // Calls visit(vertex, priority) for the vertices that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const held& h : all_) visit(h.vertex, program_.priority(at(h.vertex), h.shown));
  }

 private:
  struct held {
    std::uint32_t vertex;
    value shown;  // when it was held back
  };
  vertex at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  const Program& program_;
  const graph::locale_graph& graph_;
  const std::span<const value> shown_;
  std::vector<held> all_, before_;
  std::uint64_t bucket_ = 0;
  bool all_wait_ = false;
};

}  // namespace orujo::gas::detail
