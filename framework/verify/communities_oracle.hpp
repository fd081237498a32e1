// Communities checked serially: their quality, whether they are connected, and whether a serial Louvain finds
// much better ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct community_rule {
  bool potts = false;  // the constant Potts model instead of modularity
  double resolution = 1;
};

// Any thread. The quality of a partition of a symmetric graph: the sum of (A(u, v) - expected(u, v)) / 2m
// over vertices of equal labels. A is the adjacency matrix, with loops twice.
double partition_quality(const simple_graph& graph, std::span<const std::uint64_t> labels,
                         const community_rule& rule = {});

// Any thread. The number of communities, by label, that are not connected.
std::size_t split_communities(const simple_graph& graph, std::span<const std::uint64_t> labels);

// Any thread. Labels by the method of Blondel and others, vertex by vertex in the order of ids.
std::vector<std::uint64_t> louvain(const simple_graph& graph, const community_rule& rule = {});

// The verdict on communities.
class community_check {
 public:
  // Any thread. `labels` are by vertex, `quality` is the reported one. `connected` demands connected ones.
  // Graphs of more than most_compared edges are not compared with a serial Louvain.
  community_check(const simple_graph& graph, std::span<const std::uint64_t> ids,
                  std::span<const std::uint64_t> labels, const community_rule& rule, double quality,
                  bool connected);
  static constexpr std::size_t most_compared = 4'000'000;
  static constexpr double most_below = 0.02;  // the serial Louvain's quality

  bool agrees() const { return fault_.empty(); }
  std::string describe() const { return agrees() ? what_ : fault_; }

 private:
  std::string what_, fault_;
};

}  // namespace orujo::internal::verify
