// Keys on their way into tables that are larger than caches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/tables/mapreduce/text_table.hpp"

namespace orujo::internal::mapreduce {

// Pairs for tables; belongs to one task. Take: take(table, const Hashed&, const V&), which puts the pair into
// the table for which put() was called. It may suspend if no other task puts in the meantime.
template <class Table, class Hashed, class V>
class in_flight {
 public:
  template <class Take>
  void put(Table& into, const Hashed& key, const V& value, const Take& take) {
    take(into, key, value);
  }
  template <class Take>
  void take_all(const Take&) {}
};

// Short texts wait until their prefetched slots have arrived, while others are processed.
template <class Table, class V>
class in_flight<Table, hashed_text, V> {
 public:
  // Takes the pair that has waited longest if there is no room.
  template <class Take>
  void put(Table& into, const hashed_text& key, const V& value, const Take& take) {
    if (key.key.size() > longest_in_words) return take(into, key, value);
    if (put_ - taken_ == most) take_oldest(take);
    waiting_[put_++ % most] = {key.words, key.hash, key.key.size(), value, &into};
    into.prefetch(key.hash);
  }
  template <class Take>
  void take_all(const Take& take) {
    while (taken_ < put_) take_oldest(take);
  }

 private:
  struct pair {
    text_words words;
    std::uint64_t hash;
    std::size_t size;
    V value;
    Table* into;
  };
  static constexpr std::size_t most = 32;

  template <class Take>
  void take_oldest(const Take& take) {
    const pair& p = waiting_[taken_++ % most];
    take(*p.into, hashed_text(text_in(p.words, p.size), p.words, p.hash), p.value);
  }

  std::array<pair, most> waiting_;
  std::size_t put_ = 0, taken_ = 0;  // over all
};

}  // namespace orujo::internal::mapreduce
