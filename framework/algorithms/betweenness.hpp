// How many shortest paths lead through each vertex: Brandes, "A Faster Algorithm for Betweenness Centrality",
// Journal of Mathematical Sociology 25, 2001; from level to level as in Madduri, Ediger, Jiang, Bader,
// Chavarria-Miranda, "A Faster Parallel Algorithm and Efficient Multithreaded Implementations for Evaluating
// Betweenness Centrality on Massive Datasets", IPDPS 2009, but without their lists of successors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_state.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/isa.hpp"

namespace orujo::algorithms {

struct centrality_report {
  double seconds = 0;
  int levels = 0;             // of the deepest search
  std::uint64_t reached = 0;  // vertices, over all searches
};

// One core's part, made and used by one task per core. The graph has in_rows and out_rows; weights do not
// count, parallel edges are different paths. Numbers of paths are doubles: where one exceeds 1e308, as on
// large meshes, scores are infinite or no numbers.
//
// The cores of a locale share its values and take chunks of a level; a level costs one reduction. Between
// locales travel at most 4 bytes for a vertex and locale that finds it by pushing, and 16 bytes for a vertex
// and locale that mirrors it, once forward and once back. Takes, per local index of the locale, 16 bytes and
// 1 bit; per own vertex 4 bytes and, with several locales, 4 more and 8 per mirror elsewhere.
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
  // Where other locales mirror own vertices: those of vertex v are at offsets[v] .. offsets[v + 1] - 1.
  struct mirror_places {
    struct place {
      std::uint32_t locale, index;  // local index there
    };
    std::vector<std::uint32_t> offsets;
    std::vector<place> places;
  };
  struct of_level {
    std::uint32_t parity;
  };
  using value_channel = exchange::push_channel<betweenness_centrality, double, of_level>;
  using claim_channel = exchange::push_channel<betweenness_centrality, exchange::no_value>;
  friend value_channel;
  friend claim_channel;
  struct level_size {
    std::uint64_t vertices = 0, out_edges = 0;
    std::uint64_t sent = 0, received = 0;  // messages' contents, since the beginning
  };

  void receive(const of_level& level, std::span<const exchange::pushed<double>> values);  // a handler's
  void receive(std::span<const exchange::pushed<exchange::no_value>> claims);             // a handler's
  mirror_places find_places() const;

  void search(std::uint64_t source);
  void start(std::uint64_t source);
  void push();
  void pull();
  void push_alone();
  void count_paths();
  void go_back();
  void go_back_from(std::size_t level);
  void tell_mirrors(std::span<const std::uint32_t> vertices, std::size_t level);
  void claim_mirrors();
  std::vector<std::uint32_t>& list(std::size_t level);
  level_size settle(std::size_t level);
  void enter(std::size_t level);

  const graph::locale_graph& graph_;
  const std::span<double> scores_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
  std::vector<std::uint32_t> claimed_;  // by peers, for the next level; in no list yet
  const std::shared_ptr<detail::centrality_state> shared_;
  const std::shared_ptr<const mirror_places> places_;
  detail::centrality_step step_;
  value_channel values_out_;
  claim_channel claims_out_;

  std::vector<std::vector<std::uint32_t>> levels_;  // own vertices of the locale that this core has found
  // The same at every core.
  std::vector<bool> found_alone_;  // by level: all in the list of the locale's first core
  std::size_t level_ = 0;          // the frontier's
  level_size frontier_;
  std::uint64_t unseen_edges_ = 0;  // out-edges of vertices behind the frontier, or unreachable
  bool counted_ = false;            // whether the frontier has its numbers of paths
  centrality_report report_;
};

}  // namespace orujo::algorithms
