// How many shortest paths lead through each vertex: Brandes, "A Faster Algorithm for Betweenness Centrality",
// Journal of Mathematical Sociology 25, 2001.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/scatter.hpp"

namespace orujo::algorithms {

struct centrality_report {
  double seconds = 0;
  int levels = 0;             // of the deepest search
  std::uint64_t reached = 0;  // vertices, over all searches
};

// One core's part, made and used by one task per core. The graph has in_rows and out_rows; weights do not
// count, parallel edges are different paths. A search goes along the out-edges level by level and counts the
// shortest paths, and back along the in-edges, adding up each vertex's dependency. Contributions to other
// cores' vertices are messages of 16 bytes, one for every edge out of a level, gathered. Takes 24 bytes per
// own vertex.
class betweenness_centrality {
 public:
  // [task; suspends; collective over the job] scores: the locale's, by own vertex.
  betweenness_centrality(const graph::locale_graph& g, std::span<double> scores);
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~betweenness_centrality();
  betweenness_centrality(const betweenness_centrality&) = delete;

  // [task; suspends; collective over the job] Makes the scores the sums, over the sources (numbers of
  // vertices, the same at every core), of the share of shortest paths from the source to any other vertex
  // that leads through a vertex, both ends excluded. In a symmetric graph a path and its reverse are two.
  centrality_report run(std::span<const std::uint64_t> sources);

 private:
  struct contribution {
    std::uint32_t vertex;  // of its core
    std::int32_t level;    // of that vertex, if the contribution is for it
    double amount;
  };
  using handler = void (betweenness_centrality::*)(const contribution&);
  template <handler Handle>
  struct receiver {
    using value = contribution;
    betweenness_centrality* there;
    void operator()(std::span<const contribution> all) const {
      for (const contribution& c : all) (there->*Handle)(c);
      there->received_ += all.size();
    }
  };
  struct end {
    betweenness_centrality* part;
    std::uint32_t event;  // number, of core 0's
  };

  void search(std::uint64_t source);
  void start(std::uint64_t source);
  void count_paths(const contribution& c);     // a handler's
  void add_dependency(const contribution& c);  // a handler's
  void push_forward(std::size_t level);
  void push_back(std::size_t level);
  template <handler Handle, class Amount>
  void push(const graph::adjacency& rows, std::size_t level, std::int32_t to_level, Amount amount);
  std::uint64_t settle();

  const graph::locale_graph& graph_;
  const std::uint32_t first_, count_;  // this core's vertices, as local indices of the locale
  const std::span<double> scores_;     // of this core's vertices, as are the next three
  std::vector<std::int32_t> levels_;
  std::vector<double> paths_;            // from the source
  std::vector<double> dependencies_;     // sums of what vertices of the next level have pushed back
  std::vector<std::uint32_t> order_;     // those reached, by level
  std::vector<std::size_t> level_ends_;  // in order_
  std::vector<end> ends_;                // by core
  std::optional<delegates::completion_event> event_;  // at core 0, for the messages of all
  std::uint64_t sent_ = 0, received_ = 0;             // contributions, since the beginning
  centrality_report report_;
};

}  // namespace orujo::algorithms
