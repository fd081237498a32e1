// One core's hash table, with open addressing in one array. Distributed maps and sets are built from it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "system/base/hash.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::containers {

// The value type of sets.
struct nothing {};

// Linear probing. A byte per slot holds 7 bits of the hash, so that keys are rarely compared in vain. Erasing
// moves later keys back (Knuth, volume 3, algorithm 6.4 R), so there are no tombstones and look-ups stay
// short. The table doubles at a load of 3/4; pointers to values are valid until the next insert or erase.
// Lower bits of the hash choose the slot; the upper ones are left to the choice of a core.
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class flat_table {
  static_assert(std::is_trivially_copyable_v<K> && std::is_default_constructible_v<K>,
                "keys of a table are trivially copyable and default-constructible");
  static_assert(std::is_trivially_copyable_v<V> && std::is_default_constructible_v<V>,
                "values of a table are trivially copyable and default-constructible");

 public:
  // Room for `expected` keys before it grows.
  explicit flat_table(std::size_t expected = 0) { allocate(slots_for(expected)); }
  // Bytes of a table created with this argument.
  static std::uint64_t bytes_for(std::size_t expected) { return bytes_of(slots_for(expected)); }

  std::size_t size() const { return size_; }
  std::size_t slots() const { return mask_ + 1; }
  // Changes with every insert, erase and clear.
  std::uint64_t version() const { return version_; }

  // The key's value; null if there is none.
  V* find(const K& key) {
    const std::size_t at = locate(base::mixed_hash<Hash>(key), key);
    return tags_[at] ? &entries_[at].value : nullptr;
  }

  // The key's value, and whether it is new, in which case it is V().
  std::pair<V*, bool> find_or_insert(const K& key) {
    const std::uint64_t h = base::mixed_hash<Hash>(key);
    std::size_t at = locate(h, key);
    if (tags_[at]) return {&entries_[at].value, false};
    if (4 * (size_ + 1) > 3 * slots()) {
      grow();
      at = locate(h, key);
    }
    tags_[at] = tag_of(h);
    entries_[at] = {key, V()};
    ++size_;
    ++version_;
    return {&entries_[at].value, true};
  }

  // True if there was such a key.
  bool erase(const K& key) {
    std::size_t hole = locate(base::mixed_hash<Hash>(key), key);
    if (!tags_[hole]) return false;
    for (std::size_t at = (hole + 1) & mask_; tags_[at]; at = (at + 1) & mask_) {
      const std::size_t home = base::mixed_hash<Hash>(entries_[at].key) & mask_;
      // A key stays if the search for it does not pass the hole.
      if (((at - home) & mask_) < ((at - hole) & mask_)) continue;
      tags_[hole] = tags_[at];
      entries_[hole] = entries_[at];
      hole = at;
    }
    tags_[hole] = 0;
    --size_;
    ++version_;
    return true;
  }

  // Keeps the memory.
  void clear() {
    std::fill_n(tags_.get(), slots(), std::uint8_t{0});
    size_ = 0;
    ++version_;
  }

  // Calls f(key, value) if slot `at` of [0, slots()) is taken.
  template <class F>
  void visit_slot(std::size_t at, F&& f) {
    if (tags_[at]) f(std::as_const(entries_[at].key), entries_[at].value);
  }

 private:
  struct entry {
    K key;
    [[no_unique_address]] V value;
  };

  static std::size_t slots_for(std::size_t expected) {
    constexpr std::size_t most = std::size_t{1} << 60;  // more than any memory holds
    return std::bit_ceil(std::max<std::size_t>(16, std::min(expected, most) / 2 * 3));
  }
  static std::uint64_t bytes_of(std::size_t slots) {
    return memory::bytes_of(slots, sizeof(std::uint8_t) + sizeof(entry));
  }
  static std::uint8_t tag_of(std::uint64_t h) { return static_cast<std::uint8_t>(0x80 | (h >> 40 & 0x7f)); }

  // The key's slot, or the free one where it would go.
  std::size_t locate(std::uint64_t h, const K& key) const {
    std::size_t at = h & mask_;
    while (tags_[at] && !(tags_[at] == tag_of(h) && Equal()(entries_[at].key, key))) at = (at + 1) & mask_;
    return at;
  }

  void allocate(std::size_t slots) {
    memory::require_room(bytes_of(slots), "a hash table");
    tags_ = std::make_unique<std::uint8_t[]>(slots);
    entries_ = std::make_unique_for_overwrite<entry[]>(slots);
    mask_ = slots - 1;
  }

  void grow() {
    const std::size_t old_slots = slots();
    const auto old_tags = std::move(tags_);
    const auto old_entries = std::move(entries_);
    allocate(2 * old_slots);
    for (std::size_t k = 0; k < old_slots; ++k) {
      if (!old_tags[k]) continue;
      std::size_t at = base::mixed_hash<Hash>(old_entries[k].key) & mask_;
      while (tags_[at]) at = (at + 1) & mask_;
      tags_[at] = old_tags[k];
      entries_[at] = old_entries[k];
    }
  }

  std::unique_ptr<std::uint8_t[]> tags_;  // by slot: 0 if free
  std::unique_ptr<entry[]> entries_;
  std::size_t mask_ = 0;  // slots - 1, slots being a power of two
  std::size_t size_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace orujo::internal::containers
