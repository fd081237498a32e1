// Hierarchical blocking: nodes are copied so that those near each other lie in the same block of every level
// of the memory hierarchy. Roy, "Memory Hierarchy Sensitive Graph Layout" (arXiv 1203.5675).
//
// A block is filled by a breadth-first search over blocks of the level below. The innermost search fills a
// cache line, the next one fills a page with such lines, and so on. Copies lie one after the other and serve
// as the queues, as in Cheney's collector. A level needs one pointer only: nodes before it, in the present
// block, have no successors left to copy. The innermost level whose block has room finds the next node.
// (Wilson, Lam, Moher, PLDI 1991, do so for two levels.)
//
//                    0                  blocks of 3 nodes, in one of 9:
//             1             2
//          3     4       5     6        | 0 1 2  3 7 8  4 9 10 | 5 11 12  6 13 14
//         7 8   9 10   11 12 13 14
//
// Every level visits each node and each of its successors once: levels + 1 passes, in the order of the
// copies.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace orujo::internal::layout {

// The target that nodes are copied to. Places are those of copies, in the order in which they were made;
// end() is that of the next one.
template <class Target>
concept copying_target = requires(Target t, typename Target::place at, typename Target::node n,
                                  std::size_t& cursor) {
  { t.end() } -> std::same_as<typename Target::place>;
  { t.next(at) } -> std::same_as<typename Target::place>;
  { t.offset(at) } -> std::convertible_to<std::uint64_t>;  // bytes before it; 0 begins a block of every level
  // A successor of the copy that is not copied yet, at `cursor` or later, which then is where to go on; none
  // if there is none.
  { t.successor(at, cursor) } -> std::same_as<std::optional<typename Target::node>>;
  t.append(n);  // copies it to end()
};

// Used by one thread.
template <copying_target Target>
class hierarchical_blocking {
 public:
  // block_bytes: sizes of the levels, ascending. Without any the order is breadth first. `target` stays, and
  // is empty.
  hierarchical_blocking(Target& target, std::span<const std::size_t> block_bytes) : target_(target) {
    for (const std::size_t bytes : block_bytes) levels_.push_back({bytes, 0, {target.end(), 0}});
    levels_.push_back({0, 0, {target.end(), 0}});  // one block of everything
  }

  // Copies the node, which is not copied yet, and all that it leads to.
  void add(const typename Target::node& root) {
    append(root);
    while (const auto found = next()) append(*found);
  }

 private:
  using place = typename Target::place;
  struct scanner {
    place at;
    std::size_t cursor;
  };
  struct level {
    std::size_t bytes;    // 0: unbounded
    std::uint64_t block;  // the present one
    scanner scan;

    std::uint64_t block_of(std::uint64_t offset) const { return bytes == 0 ? 0 : offset / bytes; }
  };

  void append(const typename Target::node& n) {
    const place at = target_.end();
    const std::uint64_t offset = target_.offset(at);
    for (level& l : levels_) {
      if (l.block_of(offset) == l.block) continue;
      l.block = l.block_of(offset);
      l.scan = {at, 0};
    }
    target_.append(n);
  }

  std::optional<typename Target::node> next() {
    const place end = target_.end();
    const std::uint64_t offset = target_.offset(end);
    for (level& l : levels_) {
      if (l.block_of(offset) != l.block) continue;  // full
      while (l.scan.at != end) {
        if (const auto found = target_.successor(l.scan.at, l.scan.cursor)) return found;
        l.scan = {target_.next(l.scan.at), 0};
      }
    }
    return {};
  }

  Target& target_;
  std::vector<level> levels_;
};

// The order of a graph's vertices instead of copies. `Neighbours` gives vertex v's as
// neighbours(v) -> std::span<const std::uint32_t>, or another random-access range of vertex numbers.
template <class Neighbours>
class ordering_target {
 public:
  using node = std::uint32_t;
  using place = std::size_t;

  ordering_target(std::size_t vertices, std::size_t vertex_bytes, Neighbours neighbours)
      : bytes_(vertex_bytes), neighbours_(neighbours), placed_(vertices) {
    order_.reserve(vertices);
  }
  place end() const { return order_.size(); }
  place next(place at) const { return at + 1; }
  std::uint64_t offset(place at) const { return at * bytes_; }
  std::optional<node> successor(place at, std::size_t& cursor) const {
    const auto& all = neighbours_(order_[at]);
    for (; cursor < all.size(); ++cursor) {
      if (!placed_[all[cursor]]) return all[cursor];
    }
    return {};
  }
  void append(node v) {
    placed_[v] = true;
    order_.push_back(v);
  }

  bool placed(node v) const { return placed_[v]; }
  std::vector<std::uint32_t> order() && { return std::move(order_); }

 private:
  const std::size_t bytes_;
  const Neighbours neighbours_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
};

// Vertices 0 .. vertices-1 in the order in which they are to lie, vertex_bytes each. A vertex that no earlier
// one leads to begins a new search, in ascending order.
template <class Neighbours>
std::vector<std::uint32_t> hierarchical_order(std::size_t vertices, Neighbours neighbours,
                                              std::span<const std::size_t> block_bytes,
                                              std::size_t vertex_bytes) {
  ordering_target<Neighbours> target(vertices, vertex_bytes, neighbours);
  hierarchical_blocking blocking(target, block_bytes);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!target.placed(v)) blocking.add(v);
  }
  return std::move(target).order();
}

// How nodes that point to each other are copied. They are plain memory.
template <class Links>
concept node_links = requires(const Links& links, typename Links::node& n, std::size_t k) {
  { links.bytes(n) } -> std::convertible_to<std::size_t>;  // of the node: a multiple of its alignment
  { links.successors(n) } -> std::convertible_to<std::size_t>;
  { links.successor(n, k) } -> std::same_as<typename Links::node*&>;  // may be null
  // Some pointer in every node that is free once the node has been copied; until then it points to another
  // node that is not a copy, or is null. Copies have it as it was.
  { links.forward(n) } -> std::same_as<typename Links::node*&>;
};

// Copies nodes into an arena, in one pass and without further memory: a node that has been copied says where
// its copy is. Afterwards all copies point to copies, and the nodes are of no use any more.
template <node_links Links>
class linked_target {
 public:
  using linked = typename Links::node;
  using node = linked*;
  using place = std::byte*;

  // arena: room for all nodes; its start begins a block of every level.
  linked_target(std::span<std::byte> arena, Links links) : arena_(arena), end_(arena.data()), links_(links) {}

  place end() const { return end_; }
  place next(place at) const { return at + links_.bytes(copy_at(at)); }
  std::uint64_t offset(place at) const { return static_cast<std::uint64_t>(at - arena_.data()); }
  std::optional<node> successor(place at, std::size_t& cursor) const {
    linked& copy = copy_at(at);
    for (const std::size_t count = links_.successors(copy); cursor < count; ++cursor) {
      linked*& to = links_.successor(copy, cursor);
      if (to == nullptr || is_copy(to)) continue;
      if (!is_copied(*to)) return to;
      to = links_.forward(*to);
    }
    return {};
  }
  void append(node from) {
    const std::size_t bytes = links_.bytes(*from);
    std::memcpy(end_, from, bytes);
    links_.forward(*from) = &copy_at(end_);
    end_ += bytes;
  }

  // Where the copy of a copied node is.
  linked* copy_of(linked& from) const { return links_.forward(from); }
  bool is_copied(linked& from) const { return is_copy(links_.forward(from)); }

 private:
  linked& copy_at(place at) const { return *reinterpret_cast<linked*>(at); }
  bool is_copy(const linked* n) const {
    const auto at = reinterpret_cast<std::uintptr_t>(n);
    const auto first = reinterpret_cast<std::uintptr_t>(arena_.data());
    return at >= first && at - first < arena_.size();
  }

  const std::span<std::byte> arena_;
  place end_;
  const Links links_;
};

}  // namespace orujo::internal::layout
