// Memory for nodes that point to each other and stay in use. Nodes are made in one of two spaces. A flip
// moves the reachable ones into the other, in an order that suits the memory hierarchy.
//
// Cheney, "A Nonrecursive List Compacting Algorithm", CACM 13, 1970, whose order is breadth first;
// hierarchical blocking (hierarchical_blocking.hpp) at every flip is what Roy proposes for collectors.
// Nothing flips by itself: between two flips addresses stay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "framework/layout/hierarchical_blocking.hpp"
#include "system/base/check.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::layout {

// Used by one thread. Nodes are plain memory: no destructor is called, neither of those that are dropped.
template <node_links Links>
class semispace {
 public:
  using node = typename Links::node;

  // Room for `bytes` of nodes, including nodes that are dropped until the next flip. It maps twice that, and
  // the system supplies the touched pages.
  explicit semispace(std::size_t bytes, Links links = {}, machine::pages pages = machine::pages::huge)
      : links_(links), now_(bytes, pages), then_(bytes, pages) {}
  semispace(const semispace&) = delete;
  ~semispace() { require(roots_.empty(), "a semispace ends before its roots"); }

  // A pointer from outside that keeps a node and all that it leads to, and follows it when it moves.
  class root {
   public:
    explicit root(semispace& of, node* to = nullptr) : of_(of), to_(to) { of_.roots_.push_back(this); }
    root(const root&) = delete;
    ~root() { of_.roots_.erase(std::find(of_.roots_.begin(), of_.roots_.end(), this)); }
    root& operator=(node* to) {
      to_ = to;
      return *this;
    }
    // Until the next flip. As a reference, so that what is at the top may be replaced as any other successor.
    node*& get() { return to_; }
    node* get() const { return to_; }

   private:
    friend class semispace;
    semispace& of_;
    node* to_;
  };

  // Memory for a node, where the caller constructs it at once. bytes: a multiple of its alignment. Null if
  // there is no room.
  void* allocate(std::size_t bytes) {
    if (bytes > now_.size() - used_) return nullptr;
    return now_.data() + std::exchange(used_, used_ + bytes);
  }
  // The bytes in use, including nodes that are not reached any more.
  std::size_t used() const { return used_; }

  // Moves all nodes that roots lead to, in the order of the roots and from each by blocks of these sizes,
  // ascending. Without sizes the order is Cheney's, breadth first. All other nodes are gone, and all
  // addresses but those in roots and nodes are void. Costs levels + 1 passes over the nodes.
  void flip(std::span<const std::size_t> block_bytes) {
    linked_target target(std::as_writable_bytes(then_.part(0, then_.size())), links_);
    hierarchical_blocking blocking(target, block_bytes);
    for (root* const r : roots_) {
      if (r->to_ == nullptr) continue;
      if (!target.is_copied(*r->to_)) blocking.add(r->to_);
      r->to_ = target.copy_of(*r->to_);
    }
    used_ = target.offset(target.end());
    std::swap(now_, then_);
  }

 private:
  const Links links_;
  machine::huge_array<std::byte> now_, then_;
  std::size_t used_ = 0;
  std::vector<root*> roots_;
};

}  // namespace orujo::internal::layout
