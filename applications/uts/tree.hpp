// The trees of the UTS benchmark, in which no node shows how many are below it (Olivier, Huan, Liu, Prins,
// Dinan, Sadayappan, Tseng, "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006). Nodes are the
// benchmark's, so that sizes can be compared with published ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orujo::internal::uts {

// The whole state of a node: a SHA-1 digest, from which those of its children follow.
struct node {
  std::array<std::uint8_t, 20> digest{};
  std::uint32_t depth = 0;
};

enum class family {
  geometric_fixed,   // the number of children is geometrically distributed, with a mean that stays as it is
                     // down to max_depth
  geometric_linear,  // the same with a mean that falls to 0 at max_depth
  binomial           // `children` with a probability, else none; the root has root_children
};

struct tree {
  uts::family family = family::geometric_fixed;
  double root_children = 4;      // of the geometric ones, the mean
  std::uint32_t max_depth = 10;  // geometric only
  std::uint32_t children = 8;    // binomial only, as is this
  double probability = 0.124875;
  std::uint32_t seed = 19;

  node root() const;
  std::uint32_t children_of(const node& parent) const;
  static node child(const node& parent, std::uint32_t number);
};

struct sums {
  std::uint64_t nodes = 0, leaves = 0;
  std::uint32_t depth = 0;
  bool operator==(const sums&) const = default;
  sums& operator+=(const sums& other) {
    return *this = {nodes + other.nodes, leaves + other.leaves, std::max(depth, other.depth)};
  }
};

// Counts the node that `open` ends with and puts its children in its place.
void expand(const tree& t, std::vector<node>& open, sums& counted);

// Searches all of it by one loop, for comparison with the parallel search.
sums search_serially(const tree& t);

// The benchmark's sample trees, with their published sizes.
struct sample_tree {
  std::string name;
  tree of;
  sums published;
};
std::span<const sample_tree> sample_trees();

}  // namespace orujo::internal::uts
