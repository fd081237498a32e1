// Memory for the values of one core's keys, in blocks of a few sizes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace orujo::internal::containers {

// Blocks of 1, 2, 4, ... `most` values. They are cut from pieces of memory that double up to 1 MiB, and never
// move. A block that is given back is used again, whole or cut into smaller ones.
template <class V>
class value_blocks {
  static_assert(std::is_trivially_copyable_v<V>, "values of a block need no destruction");

 public:
  // The header of a block, before its values. Also the unit of memory: a block is a row of them.
  struct alignas(std::max(alignof(V), alignof(void*))) block {
    block* next;  // the holder's, or the next free one

    V* values() { return reinterpret_cast<V*>(this + 1); }
  };

  // The values of the largest block, some 64 KiB.
  static constexpr std::size_t most = std::bit_floor(std::max<std::size_t>(1, (64 << 10) / sizeof(V)));

  // A block of `capacity` values, which is a power of two up to `most`. `next` is null, the values are not
  // set.
  block* take(std::size_t capacity) {
    block*& free = free_of(capacity);
    block* const taken = free ? free : cut(units_of(capacity), capacity);
    if (free) free = taken->next;
    taken->next = nullptr;
    return taken;
  }
  // `capacity` is that of take().
  void give_back(block* given, std::size_t capacity) {
    block*& free = free_of(capacity);
    given->next = free;
    free = given;
  }

  // Frees the memory of all blocks.
  void clear() { *this = value_blocks(); }
  // Bytes of memory, used or not.
  std::size_t bytes() const { return units_ * sizeof(block); }

 private:
  static constexpr std::size_t most_units = (std::size_t{1} << 20) / sizeof(block);  // of a piece, as a rule
  static constexpr std::size_t least_units = (std::size_t{1} << 10) / sizeof(block);
  static constexpr std::size_t sizes = std::countr_zero(most) + 1;

  static constexpr std::size_t units_of(std::size_t capacity) {
    return 1 + (capacity * sizeof(V) + sizeof(block) - 1) / sizeof(block);
  }
  block*& free_of(std::size_t capacity) {
    return free_[static_cast<std::size_t>(std::countr_zero(capacity))];
  }

  block* cut(std::size_t units, std::size_t capacity) {
    if (left_ < units && !open_larger(capacity)) open_new(units);
    block* const taken = rest_;
    rest_ += units;
    left_ -= units;
    return taken;
  }
  // Makes a free block of more than `capacity` values the piece to cut from. False if there is none.
  bool open_larger(std::size_t capacity) {
    while (capacity < most) {
      capacity *= 2;
      block*& free = free_of(capacity);
      if (!free) continue;
      rest_ = free;
      left_ = units_of(capacity);
      free = free->next;
      return true;
    }
    return false;
  }
  void open_new(std::size_t units) {
    left_ = std::max(units, std::clamp(units_, least_units, most_units));
    pieces_.push_back(std::make_unique_for_overwrite<block[]>(left_));
    rest_ = pieces_.back().get();
    units_ += left_;
  }

  std::vector<std::unique_ptr<block[]>> pieces_;
  std::size_t units_ = 0;                // of all pieces
  block* rest_ = nullptr;                // what is not cut of the newest piece, or of a block
  std::size_t left_ = 0;                 // its units
  std::array<block*, sizes> free_ = {};  // by the logarithm of the capacity
};

}  // namespace orujo::internal::containers
