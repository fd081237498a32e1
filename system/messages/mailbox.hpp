// A lock-free list that many threads push to and one empties.
#pragma once

#include <atomic>

namespace orujo::internal::messages {

// Node has a member `Node* next` that the mailbox uses while the node is in it. Nodes pushed by one thread
// are taken in the order pushed. (Treiber's stack, emptied as a whole, so there is no ABA problem.)
template <class Node>
class mailbox {
 public:
  // Any thread. A box that is mostly empty need not be looked at first, which would fetch its line twice.
  void push(Node* node, bool mostly_empty = false) {
    Node* head = mostly_empty ? nullptr : head_.load(std::memory_order_relaxed);
    do node->next = head;
    // Sequentially consistent, as is empty(), so that a core that goes to sleep and one that pushes see each
    // other (node/alarms.hpp). On x86 this costs nothing.
    while (!head_.compare_exchange_weak(head, node, std::memory_order_seq_cst, std::memory_order_relaxed));
  }

  // Any thread; a hint.
  bool empty() const { return head_.load(std::memory_order_seq_cst) == nullptr; }

  // As !empty(), and fetches the newest node for a take_all() that comes soon.
  bool fetch() const {
    const Node* const newest = head_.load(std::memory_order_seq_cst);
    if (newest != nullptr) __builtin_prefetch(newest);
    return newest != nullptr;
  }

  // One thread at a time. All nodes, oldest first, linked by next.
  Node* take_all() {
    if (empty()) return nullptr;
    Node* newest_first = head_.exchange(nullptr, std::memory_order_acquire);
    Node* oldest_first = nullptr;
    while (newest_first) {
      Node* node = newest_first;
      newest_first = node->next;
      if (node->next != oldest_first) node->next = oldest_first;  // a single node's line stays unwritten
      oldest_first = node;
    }
    return oldest_first;
  }

 private:
  alignas(64) std::atomic<Node*> head_{nullptr};
};

}  // namespace orujo::internal::messages
