// A lane: a ring buffer for one direction between two locales of a node, in memory that they share. Small
// parcels so need no MPI there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace orujo::internal::node {

// A ring of bytes that one thread at a time writes and one reads, in any processes. Each end has an object of
// its own, over the same memory.
//
//   | how far the reader is (64 bytes) | entry | entry | ...    entries begin at multiples of 64 bytes
//   entry: | size (4) | number (4) | bytes |
//
// The size is written last, after that of the following entry has become 0. The reader therefore polls one
// line until there is an entry, and has its beginning with that line.
class lane {
 public:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t bytes_for(std::size_t room) { return line + room; }
  // Call it before either end is created. Other bytes are written before they are read.
  static void clear(std::byte* memory) { std::memset(memory, 0, 2 * line); }

  lane() = default;
  // `room` is a power of two, at least 4 lines. The memory begins at a line.
  lane(std::byte* memory, std::size_t room) : memory_(memory), room_(room) {}

  explicit operator bool() const { return memory_ != nullptr; }
  // The largest content. Larger ones, and empty ones, are never accepted.
  std::size_t largest() const { return room_ / 2 - line - sizeof(header); }

  // [writer] Returns false if there is no room for now, or never.
  bool put(std::span<const std::byte> content, std::uint32_t number) {
    if (content.empty() || content.size() > largest()) return false;
    const std::size_t left = room_ - place_of(at_), needed = padded(content.size());
    const std::uint64_t begin = needed <= left ? at_ : at_ + left, end = begin + needed;
    if (end + line - others_ > room_) {
      others_ = reader().load(std::memory_order_acquire);
      if (end + line - others_ > room_) return false;
    }
    size_at(end).store(0, std::memory_order_relaxed);
    std::memcpy(entry_at(begin) + sizeof(header), content.data(), content.size());
    const auto size = static_cast<std::uint32_t>(content.size());
    size_at(begin).store(header{number} << 32 | size, std::memory_order_release);
    if (begin != at_) size_at(at_).store(rest_is_empty, std::memory_order_release);
    at_ = end;
    return true;
  }

  struct entry {
    std::span<const std::byte> content;  // empty: there is none
    std::uint32_t number;
  };
  // [reader] The oldest.
  entry front() {
    for (;;) {
      // Sequentially consistent, because a core that goes to sleep polls once more for entries that were put
      // before the sender read its wake-up flag (node/alarms.hpp).
      const header found = size_at(at_).load(std::memory_order_seq_cst);
      if (found != rest_is_empty)
        return {{entry_at(at_) + sizeof(header), static_cast<std::uint32_t>(found)},
                static_cast<std::uint32_t>(found >> 32)};
      at_ += room_ - place_of(at_);
    }
  }
  // [reader] Frees an entry that has been read.
  void pop(const entry& oldest) {
    at_ += padded(oldest.content.size());
    reader().store(at_, std::memory_order_release);
  }

 private:
  using header = std::uint64_t;
  static_assert(std::atomic<header>::is_always_lock_free && sizeof(std::atomic<header>) == sizeof(header));
  static constexpr header rest_is_empty = ~header{0};

  static constexpr std::size_t padded(std::size_t content) {
    return (sizeof(header) + content + line - 1) / line * line;
  }
  std::size_t place_of(std::uint64_t position) const { return position & (room_ - 1); }
  std::byte* entry_at(std::uint64_t position) const { return memory_ + line + place_of(position); }
  std::atomic<header>& size_at(std::uint64_t position) const {
    return *reinterpret_cast<std::atomic<header>*>(entry_at(position));
  }
  std::atomic<std::uint64_t>& reader() const {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_);
  }

  std::byte* memory_ = nullptr;
  std::size_t room_ = 0;
  std::uint64_t at_ = 0;      // this end's, in bytes since the beginning
  std::uint64_t others_ = 0;  // [writer] the last known position of the reader
};

}  // namespace orujo::internal::node
