// Keys of both kinds, texts and plain values: their tables, and how they travel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tables/mapreduce/packed_texts.hpp"
#include "framework/tables/mapreduce/text_table.hpp"
#include "system/base/hash.hpp"
#include "system/containers/flat_table.hpp"

namespace orujo::internal::mapreduce {

template <class K>
struct hashed_plain {
  explicit hashed_plain(const K& k) : key(k), hash(base::mixed_hash<base::hash<K>>(k)) {}
  K key;
  std::uint64_t hash;
};

// Like text_table, for plain keys.
template <class K, class V>
class plain_table {
 public:
  std::size_t size() const { return table_.size(); }
  V* find(const hashed_plain<K>& key) { return table_.find(key.key); }
  std::pair<V*, bool> find_or_insert(const hashed_plain<K>& key) { return table_.find_or_insert(key.key); }
  template <class F>
  void visit(F&& f) {
    for (std::size_t at = 0; at < table_.slots(); ++at) table_.visit_slot(at, f);
  }
  void clear() { table_.clear(); }

 private:
  containers::flat_table<K, V> table_;
};

// Plain keys: trivially copyable, and equal where their bytes are.
template <class K>
struct key_traits {
  template <class V>
  using table = plain_table<K, V>;
  using hashed = hashed_plain<K>;
  static std::size_t bytes(const K&) { return sizeof(K); }
  static void append(std::vector<char>& to, const K& key) { append_value(to, key); }
  static K take(std::span<const char>& from) { return take_value<K>(from); }
};

template <>
struct key_traits<std::string_view> {
  template <class V>
  using table = text_table<V>;
  using hashed = hashed_text;
  static std::size_t bytes(std::string_view key) { return sizeof(std::uint32_t) + key.size(); }
  static void append(std::vector<char>& to, std::string_view key) { append_text(to, key); }
  static std::string_view take(std::span<const char>& from) { return take_text(from); }
};

}  // namespace orujo::internal::mapreduce
