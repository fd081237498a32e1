// An index into the global heap, whose blocks are dealt to all cores in turn.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "system/base/check.hpp"
#include "system/memory/block_cyclic.hpp"
#include "system/memory/global_address.hpp"
#include "system/memory/heap_segments.hpp"

namespace orujo::internal::memory {

// The address of an object in the global heap, whose blocks are dealt to all cores in turn (global_alloc). It
// can travel. `+ 1` leads to the next element, at the end of a block to the next core's block. It takes 8
// bytes: the logarithm of the block size in the upper 6 bits, and the byte's index in the lower 58. Only
// cores can resolve it, as each has a table of where the segments of all cores lie.
//
//   63       58 57                                                     0
//   | log block | index in bytes, over all cores                       |
//
// Addresses of one allocation are ordered and subtracted by index. No object straddles blocks, as the size of
// an element divides that of a block.
template <class T>
class linear_address {
 public:
  using value_type = T;
  // The number of bits of the index.
  static constexpr int index_bits = 58;
  // The smallest block size, in bytes: a block holds a word. The null address is one of blocks of a byte.
  static constexpr std::uint64_t min_block_bytes = 8;

  // Null.
  constexpr linear_address() = default;
  constexpr linear_address(const linear_address&) = default;
  constexpr linear_address& operator=(const linear_address&) & = default;
  // Not for callers: global_alloc() makes addresses.
  linear_address(std::uint64_t log_block, std::uint64_t index) : bits_(log_block << index_bits | index) {}
  // Converts to an address of const, as pointers do.
  template <std::same_as<std::remove_const_t<T>> U>
  linear_address(linear_address<U> other) : bits_(other.bits()) {}

  // The 8 bytes, the index of the byte over all cores, and the arithmetic of blocks.
  std::uint64_t bits() const { return bits_; }
  std::uint64_t index() const { return bits_ & ((std::uint64_t{1} << index_bits) - 1); }
  block_cyclic layout() const {
    return {static_cast<std::uint32_t>(bits_ >> index_bits), heap_segments::here().divide_by_cores()};
  }
  // Whether it is not null.
  explicit operator bool() const { return bits_ != 0; }

  // The owner of the object. Takes a division by the number of cores.
  core_id core() const { return layout().core_of(index()); }
  // The pointer to the object, which is valid at the owner only.
  T* local() const { return resolve().local(); }
  // The global_address of the object. Costs two multiplications and no message.
  global_address<T> resolve() const {
    base::debug_check(bool(*this), "a null linear address is resolved");
    const block_cyclic::place at = layout().place_of(index());
    return {at.core, reinterpret_cast<T*>(heap_segments::here().base_of(at.core) + at.offset)};
  }

  // Arithmetic in elements; continues with the next core's block at the end of a block.
  linear_address& operator+=(std::ptrdiff_t n) & {
    static_assert(std::has_single_bit(sizeof(T)),
                  "elements of the global heap need a size that is a power of two: pad with alignas");
    bits_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return *this;
  }
  linear_address& operator-=(std::ptrdiff_t n) & { return *this += -n; }
  linear_address& operator++() & { return *this += 1; }
  linear_address& operator--() & { return *this += -1; }
  linear_address operator++(int) & {
    const linear_address before = *this;
    ++*this;
    return before;
  }
  linear_address operator--(int) & {
    const linear_address before = *this;
    --*this;
    return before;
  }
  friend linear_address operator+(linear_address a, std::ptrdiff_t n) { return a += n; }
  friend linear_address operator-(linear_address a, std::ptrdiff_t n) { return a -= n; }
  // The number of elements between two addresses of one allocation.
  friend std::ptrdiff_t operator-(linear_address a, linear_address b) {
    return static_cast<std::ptrdiff_t>(a.bits_ - b.bits_) / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  auto operator<=>(const linear_address&) const = default;

  // The address of a member of the object.
  template <class M, class Object = T>
  linear_address<M> member(M Object::*which) const {
    alignas(T) static constexpr std::byte sample[sizeof(T)] = {};
    const auto* at = reinterpret_cast<const std::byte*>(&(reinterpret_cast<const T*>(sample)->*which));
    return {bits_ >> index_bits, index() + static_cast<std::uint64_t>(at - sample)};
  }

 private:
  std::uint64_t bits_ = 0;
};

// The calling core's share of the n elements from `first`, in ascending order. It is always one span.
template <class T>
std::span<T> local_span(linear_address<T> first, std::size_t n) {
  const heap_segments& heap = heap_segments::here();
  const block_cyclic blocks = first.layout();
  const core_id me = base::my_identity().core;
  const std::uint64_t begin = blocks.held_before(me, first.index());
  const std::uint64_t end = blocks.held_before(me, first.index() + n * sizeof(T));
  return {reinterpret_cast<T*>(heap.base_of(me) + begin), (end - begin) / sizeof(T)};
}

// Calls `f(i, std::span<T>)` for each block of a part of local_span(first, n), in ascending order. The span
// is elements i, i + 1, ... of the n.
template <class T, class F>
void for_each_block(linear_address<T> first, std::span<T> part, const F& f) {
  const heap_segments& heap = heap_segments::here();
  const block_cyclic blocks = first.layout();
  const auto start = static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(part.data()) -
                                                heap.base_of(base::my_identity().core));
  for (std::size_t done = 0; done < part.size();) {
    const std::uint64_t offset = start + done * sizeof(T);
    const std::size_t count =
        std::min(part.size() - done, (blocks.block_bytes() - blocks.within_block(offset)) / sizeof(T));
    const std::uint64_t index = blocks.index_of(base::my_identity().core, offset) - first.index();
    f(static_cast<std::size_t>(index / sizeof(T)), part.subspan(done, count));
    done += count;
  }
}

// Calls f for each block of the calling core's whole share.
template <class T, class F>
void for_each_local_span(linear_address<T> first, std::size_t n, const F& f) {
  for_each_block(first, local_span(first, n), f);
}

}  // namespace orujo::internal::memory
