// A binary search tree whose nodes point to each other, in any layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/layout/block_levels.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::layout_lab {

struct tree_node {
  tree_node* child[2] = {};
  std::uint64_t key = 0;
};

// Number of nodes that a search below a node visits.
inline std::uint64_t visits_below(const tree_node* at, std::uint64_t key) {
  std::uint64_t visited = 0;
  for (; at != nullptr; at = at->child[key > at->key ? 1 : 0]) {
    ++visited;
    if (at->key == key) break;
  }
  return visited;
}

// Facts about tree nodes for the layout functions.
struct tree_links {
  using node = tree_node;
  std::size_t node_bytes = sizeof(tree_node);
  std::size_t bytes(const tree_node&) const { return node_bytes; }
  std::size_t successors(const tree_node&) const { return 2; }
  tree_node*& successor(tree_node& n, std::size_t k) const { return n.child[k]; }
  tree_node*& forward(tree_node& n) const { return n.child[0]; }
};

// The arrangements of layout_lab: orders whose places are computed, and hierarchical blocking by copying.
enum class arrangement { pseudorandom, bfs, dfs, veb, blocks };

// The complete tree of `depth` levels with the keys 1 .. 2^depth - 1, contiguous in memory.
class search_tree {
 public:
  // With `blocks` the tree is copied from the pseudorandom one, by these sizes; others need no sizes. It
  // takes the tree's memory, and for blocks twice that meanwhile. node_bytes is a number of whole words, at
  // least sizeof(tree_node). The rest of a node is unused, as if it had a pointer for a collector.
  search_tree(int depth, arrangement how, std::span<const std::size_t> block_bytes, machine::pages pages,
              std::size_t node_bytes = sizeof(tree_node));

  // Number of nodes that a search for the key visits.
  std::uint64_t visits(std::uint64_t key) const;
  // The keys in memory's order.
  std::vector<std::uint64_t> keys() const;
  double seconds() const { return seconds_; }  // of the layout, without creating the source nodes

 private:
  std::uint64_t count() const { return (std::uint64_t{1} << depth_) - 1; }
  // The place of the k-th node in memory's order, in words.
  std::size_t at(std::uint64_t k) const { return k * (node_bytes_ / sizeof(std::uint64_t)); }
  tree_node& node(std::uint64_t k) { return *reinterpret_cast<tree_node*>(memory_.data() + at(k)); }
  void place(arrangement how, machine::pages pages);
  void copy(std::span<const std::size_t> block_bytes, machine::pages pages);

  int depth_;
  std::size_t node_bytes_;
  machine::huge_array<std::uint64_t> memory_;
  tree_node* root_ = nullptr;
  double seconds_ = 0;
};

// Places of the nodes of a complete tree by van Emde Boas: the upper half of the levels, then the trees below
// it from left to right, each in the same way. place[v - 1] belongs to node v, whose children are 2 v and 2 v
// + 1.
std::vector<std::uint32_t> van_emde_boas_places(int depth);
std::vector<std::uint32_t> depth_first_places(int depth);

}  // namespace orujo::internal::layout_lab
