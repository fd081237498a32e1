#include "applications/layout_lab/live_tree.hpp"

#include <new>

#include "applications/layout_lab/cpu_seconds.hpp"

namespace orujo::internal::layout_lab {

bool live_tree::insert(std::uint64_t key) {
  tree_node** at = &root_.get();
  while (*at != nullptr) at = &(*at)->child[key > (*at)->key ? 1 : 0];
  void* const memory = space_.allocate(sizeof(tree_node));
  if (memory == nullptr) return false;
  *at = new (memory) tree_node{{nullptr, nullptr}, key};
  return true;
}

bool live_tree::erase(std::uint64_t key) {
  tree_node** at = &root_.get();
  while (*at != nullptr && (*at)->key != key) at = &(*at)->child[key > (*at)->key ? 1 : 0];
  if (*at == nullptr) return false;
  if ((*at)->child[0] != nullptr && (*at)->child[1] != nullptr) {
    // The next larger key moves up, and its node, which has no left child, is removed instead.
    tree_node** next = &(*at)->child[1];
    while ((*next)->child[0] != nullptr) next = &(*next)->child[0];
    (*at)->key = (*next)->key;
    at = next;
  }
  *at = (*at)->child[(*at)->child[0] == nullptr ? 1 : 0];
  return true;
}

std::vector<std::uint64_t> live_tree::keys() const {
  std::vector<std::uint64_t> all;
  std::vector<const tree_node*> open;
  for (const tree_node* at = root_.get(); at != nullptr || !open.empty();) {
    if (at != nullptr) {
      open.push_back(at);
      at = at->child[0];
      continue;
    }
    all.push_back(open.back()->key);
    at = open.back()->child[1];
    open.pop_back();
  }
  return all;
}

double live_tree::flip(std::span<const std::size_t> block_bytes) {
  const double start = cpu_seconds();
  space_.flip(block_bytes);
  return cpu_seconds() - start;
}

}  // namespace orujo::internal::layout_lab
