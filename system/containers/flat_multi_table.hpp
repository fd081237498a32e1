// One core's values by key, any number for each. Distributed multimaps are built from it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "system/containers/flat_table.hpp"
#include "system/containers/value_blocks.hpp"

namespace orujo::internal::containers {

// The keys are in a flat_table, each with its values in the order of insertion. Up to 16 bytes of values lie
// in the key's slot. More lie in a chain of blocks of up to some 64 KiB, each as large as all before it, so
// that visits read memory in sequence. Adding moves no value that lies in a block. A value must not lie in
// the table that it is added to.
//
// A visitor f takes single values, V&, or all values of a block, std::span<V>. Spans let the visitor keep its
// sums in registers and the compiler vectorize it.
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class flat_multi_table {
  static_assert(std::is_trivially_copyable_v<V>, "values of a table are trivially copyable");

 public:
  // Room for `expected` different keys before it grows.
  explicit flat_multi_table(std::size_t expected = 0) : keys_(expected) {}

  // Values, of all keys.
  std::size_t size() const { return size_; }
  std::size_t slots() const { return keys_.slots(); }
  // Bytes of memory for values outside of the slots.
  std::size_t block_bytes() const { return blocks_.bytes(); }
  // Changes with every add, erase and clear.
  std::uint64_t version() const { return version_; }

  void add(const K& key, const V& value) {
    list& of = *keys_.find_or_insert(key).first;
    std::construct_at(next_place(of), value);
    ++of.count;
    ++size_;
    ++version_;
  }

  std::size_t count(const K& key) {
    const list* const of = keys_.find(key);
    return of ? of->count : 0;
  }

  // Returns how many values the key had. Their memory is for values to come.
  std::size_t erase(const K& key) {
    const list* const found = keys_.find(key);
    if (!found) return 0;
    const list of = *found;
    keys_.erase(key);
    block* at = of.count > most_in_slot ? of.ends.first : nullptr;
    for (std::size_t start = 0; at; start += capacity_from(start)) {
      block* const given = at;
      at = at->next;
      blocks_.give_back(given, capacity_from(start));
    }
    size_ -= of.count;
    ++version_;
    return of.count;
  }

  void clear() {
    keys_.clear();
    blocks_.clear();
    size_ = 0;
    ++version_;
  }

  // Calls f for the values of the key. f must not add or erase. Returns the number of values.
  template <class F>
  std::size_t visit(const K& key, F&& f) {
    list* const of = keys_.find(key);
    if (!of) return 0;
    for_each(*of, f);
    return of->count;
  }
  // As visit, with the key as the first argument of f.
  template <class F>
  std::size_t visit_with_key(const K& key, F&& f) {
    list* const of = keys_.find(key);
    if (!of) return 0;
    for_each(*of, f, key);
    return of->count;
  }
  // Calls f, with the key first, for the values of the key in slot `at` of [0, slots()), if the slot is
  // taken.
  template <class F>
  void visit_slot(std::size_t at, F&& f) {
    keys_.visit_slot(at, [&](const K& key, list& of) { for_each(of, f, key); });
  }

 private:
  using block = typename value_blocks<V>::block;
  // Values of a key that lie in its slot, in place of the ends of its chain.
  static constexpr std::size_t most_in_slot = 2 * sizeof(block*) / sizeof(V);
  // The capacity of the first block of a chain.
  static constexpr std::size_t first_capacity = std::bit_ceil(most_in_slot + 1);
  static constexpr std::size_t most_capacity = value_blocks<V>::most;
  static_assert(first_capacity <= most_capacity);

  struct list {
    std::size_t count = 0;
    union {
      struct {
        block *first, *last;
      } ends = {};  // if count > most_in_slot
      alignas(most_in_slot ? alignof(V) : 1) std::byte slot[2 * sizeof(block*)];
    };

    V* in_slot() { return reinterpret_cast<V*>(slot); }
  };

  // Blocks start at values 0, first_capacity, and from there at each power of two up to most_capacity, then
  // at each multiple of it.
  static std::size_t start_of_block(std::size_t value) {
    if (value < first_capacity) return 0;
    return value < most_capacity ? std::bit_floor(value) : value & ~(most_capacity - 1);
  }
  static std::size_t capacity_from(std::size_t start) {
    return std::clamp(start, first_capacity, most_capacity);
  }

  // Memory for the key's next value.
  V* next_place(list& of) {
    if (of.count < most_in_slot) return of.in_slot() + of.count;
    if (of.count == most_in_slot) {
      block* const made = blocks_.take(first_capacity);
      std::uninitialized_copy_n(of.in_slot(), most_in_slot, made->values());
      of.ends = {made, made};
    }
    const std::size_t start = start_of_block(of.count);
    if (start == of.count && start > 0) {
      block* const made = blocks_.take(capacity_from(start));
      of.ends.last->next = made;
      of.ends.last = made;
    }
    return of.ends.last->values() + (of.count - start);
  }

  // Keeps nothing of a chain in the table, as f may suspend.
  template <class F>
  static void for_each_span(list& of, F&& f) {
    const std::size_t count = of.count;
    block* at = count > most_in_slot ? of.ends.first : nullptr;
    V* values = at ? at->values() : of.in_slot();
    for (std::size_t start = 0; start < count;) {
      const std::size_t n = std::min(capacity_from(start), count - start);
      f(std::span<V>(values, n));
      start += n;
      if (start == count) return;
      at = at->next;
      values = at->values();
    }
  }
  template <class F, class... Key>
  static void for_each(list& of, F& f, const Key&... key) {
    if constexpr (std::is_invocable_v<F&, const Key&..., V&>) {
      for_each_span(of, [&](std::span<V> values) {
        for (V& value : values) f(key..., value);
      });
    } else {
      static_assert(std::is_invocable_v<F&, const Key&..., std::span<V>>,
                    "a visitor of values takes V& or std::span<V>");
      for_each_span(of, [&](std::span<V> values) { f(key..., values); });
    }
  }

  flat_table<K, list, Hash, Equal> keys_;
  value_blocks<V> blocks_;
  std::size_t size_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace orujo::internal::containers
