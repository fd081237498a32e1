// Active vertices of one core that wait, as others go first: the buckets of programs with priority().
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

  // Whether the vertex waits from now on.
  bool takes(std::uint32_t v) {
    if (!all_wait_ && program_.priority(at(v), shown_[v]) <= bucket_) return false;
    all_.push_back({v, shown_[v]});
    return true;
  }
  // takes() takes any until the next take().
  void let_all_wait() { all_wait_ = true; }

  // [task; suspends; collective over the job] Calls go(vertex) for those of the least priority.
  template <class Go>
  void next(Go go) {
    forget_changed();
    std::uint64_t least = ~std::uint64_t{0};
    for_each([&](std::uint32_t, std::uint64_t priority) { least = std::min(least, priority); });
    take(loops::all_reduce(least, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }), go);
  }

  // The greatest priority that goes now.
  std::uint64_t bucket() const { return bucket_; }
  // While nobody of the locale changes what vertices show: what has changed since it was held back waits, or
  // was active, as what it is now.
  void forget_changed() {
    std::erase_if(
        all_, [&](const held& h) { return std::memcmp(&h.shown, &shown_[h.vertex], sizeof(value)) != 0; });
  }
  // Calls go(vertex) for those up to this priority, which waits no longer.
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
  // Calls visit(vertex, priority) for those that wait.
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
