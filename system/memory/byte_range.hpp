// A range of global memory of either kind as bytes, and each core's share of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "system/memory/global_address.hpp"
#include "system/memory/linear_address.hpp"

namespace orujo::internal::memory {

// One core's share of a range: consecutive in its memory, in ascending order of positions.
struct strip {
  core_id core = 0;
  std::byte* at = nullptr;   // valid at the core
  std::uint64_t offset = 0;  // of the first byte, in the core's part
  std::uint64_t bytes = 0;
};

// A range of `bytes` bytes. A range of 2-D addresses is one block of one core. Can travel.
class byte_range {
 public:
  template <class T>
  byte_range(global_address<T> first, std::size_t n)
      : layout_{one_block, 1},
        bytes_(n * sizeof(T)),  // NOLINT(bugprone-sizeof-expression): T may be a pointer
        one_core_(first.core(),
                  reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(first.local()))) {}
  template <class T>
  byte_range(linear_address<T> first, std::size_t n)
      : layout_(first.layout()), first_(first.index()), bytes_(n * sizeof(T)) {}

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t block_bytes() const { return layout_.block_bytes(); }
  // Number of cores that hold any of it.
  std::uint64_t strips() const {
    if (bytes_ == 0) return 0;
    const std::uint64_t blocks =
        ((first_ + bytes_ - 1) >> layout_.log_block) - (first_ >> layout_.log_block) + 1;
    return std::min<std::uint64_t>(blocks, layout_.cores.value());
  }
  // Strip 0 holds the first byte, the next ones the blocks after it.
  strip strip_at(std::uint64_t k) const {
    return strip_of(static_cast<core_id>(((first_ >> layout_.log_block) + k) % layout_.cores.value()));
  }

  // Calls f(position, bytes) for each piece of part of a strip, in ascending order. The next `bytes` bytes of
  // the part belong at `position` of the range.
  template <class F>
  void for_each_block(const strip& part, const F& f) const {
    const core_id lane = is_linear() ? part.core : 0;
    if (part.bytes == 0) return;
    if (is_consecutive(part)) return f(layout_.index_of(lane, part.offset) - first_, part.bytes);
    const std::uint64_t last = part.offset + part.bytes;
    for (std::uint64_t at = part.offset; at < last;) {
      const std::uint64_t n = std::min(last - at, layout_.block_bytes() - layout_.within_block(at));
      f(layout_.index_of(lane, at) - first_, n);
      at += n;
    }
  }
  // True when the part is one piece of the range: its blocks follow each other there too.
  bool is_consecutive(const strip& part) const {
    return layout_.cores.value() == 1 ||
           layout_.within_block(part.offset) + part.bytes <= layout_.block_bytes();
  }

  byte_range part(std::uint64_t position, std::uint64_t bytes) const {
    byte_range inner = *this;
    inner.first_ += position;
    inner.bytes_ = bytes;
    return inner;
  }
  // True when the blocks of both ranges begin at the same positions, so that a strip of one is all for one
  // core of the other.
  bool same_blocks(const byte_range& other) const {
    return is_linear() && other.is_linear() && layout_ == other.layout_ &&
           layout_.within_block(first_ - other.first_) == 0;
  }
  // The place in this range for a part of a strip of `other`, which has the same_blocks.
  byte_range facing(const byte_range& other, const strip& part) const {
    const std::uint64_t position = layout_.index_of(part.core, part.offset) - other.first_;
    return byte_range(linear_address<std::byte>(layout_.log_block, first_ + position).resolve(), part.bytes);
  }
  bool overlaps(const byte_range& other) const {
    for (std::uint64_t k = 0; k < strips(); ++k) {
      const strip mine = strip_at(k), theirs = other.strip_of(other.is_linear() ? mine.core : 0);
      if (mine.core != theirs.core || mine.bytes == 0 || theirs.bytes == 0) continue;
      if (mine.at < theirs.at + theirs.bytes && theirs.at < mine.at + mine.bytes) return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t one_block = 62;

  bool is_linear() const { return layout_.log_block != one_block; }
  // `lane` is the core, or 0 for a 2-D range.
  strip strip_of(core_id lane) const {
    const std::uint64_t begin = layout_.held_before(lane, first_);
    const std::uint64_t bytes = layout_.held_before(lane, first_ + bytes_) - begin;
    if (!is_linear()) return {one_core_.core(), one_core_.local() + begin, begin, bytes};
    return {lane, heap_segments::here().base_of(lane) + begin, begin, bytes};
  }

  block_cyclic layout_;
  std::uint64_t first_ = 0;  // the index of the first byte; in a 2-D range it is counted from one_core_
  std::uint64_t bytes_ = 0;
  global_address<std::byte> one_core_;  // the start of a 2-D range
};

}  // namespace orujo::internal::memory
