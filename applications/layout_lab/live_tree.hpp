// A binary search tree with insertions and removals, in a space that can be laid out again at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "applications/layout_lab/search_tree.hpp"
#include "framework/layout/semispace.hpp"

namespace orujo::internal::layout_lab {

// Not balanced: keys in random order make a depth of some 2 ln n.
class live_tree {
 public:
  // Allocates room for `nodes` nodes between two flips, including those of removed keys.
  live_tree(std::size_t nodes, machine::pages pages)
      : space_(nodes * sizeof(tree_node), {}, pages), root_(space_) {}

  // The key must be new. Returns false if there is no room until the next flip.
  bool insert(std::uint64_t key);
  // Returns false if the key is not there.
  bool erase(std::uint64_t key);
  // Number of nodes that a search for the key visits.
  std::uint64_t visits(std::uint64_t key) const { return visits_below(root_.get(), key); }
  std::vector<std::uint64_t> keys() const;  // ascending
  // Moves the nodes, by blocks of these sizes or, without any, breadth first; returns the seconds.
  double flip(std::span<const std::size_t> block_bytes);
  std::size_t nodes_in_use() const { return space_.used() / sizeof(tree_node); }

 private:
  layout::semispace<tree_links> space_;
  layout::semispace<tree_links>::root root_;
};

}  // namespace orujo::internal::layout_lab
