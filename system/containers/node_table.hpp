// One core's hash table of keys and values of any size, such as strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "system/base/hash.hpp"
#include "system/containers/flat_table.hpp"

namespace orujo::internal::containers {

// std::unordered_map with the interface of flat_table. A slot is one of its buckets. Pointers to values are
// valid until the key is erased.
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class node_table {
 public:
  // Room for `expected` keys before it grows.
  explicit node_table(std::size_t expected = 0) { values_.reserve(expected); }
  // Bytes of a table created with this argument, without keys and values.
  static std::uint64_t bytes_for(std::size_t expected) { return memory::bytes_of(expected, sizeof(void*)); }

  std::size_t size() const { return values_.size(); }
  std::size_t slots() const { return values_.bucket_count(); }
  // Changes with every insert, erase and clear.
  std::uint64_t version() const { return version_; }

  // The key's value; null if there is none.
  V* find(const K& key) {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  // The key's value, and whether it is new, in which case it is V().
  std::pair<V*, bool> find_or_insert(const K& key) {
    const auto [found, is_new] = values_.try_emplace(key);
    version_ += is_new;
    return {&found->second, is_new};
  }
  // True if there was such a key.
  bool erase(const K& key) {
    const bool erased = values_.erase(key) > 0;
    version_ += erased;
    return erased;
  }
  void clear() {
    values_.clear();
    ++version_;
  }

  // Calls f(key, value) for each key in slot `at` of [0, slots()).
  template <class F>
  void visit_slot(std::size_t at, F&& f) {
    for (auto it = values_.begin(at); it != values_.end(at); ++it) f(it->first, it->second);
  }

 private:
  struct mixed {
    std::size_t operator()(const K& key) const { return base::mixed_hash<Hash>(key); }
  };

  std::unordered_map<K, V, mixed, Equal> values_;
  std::uint64_t version_ = 0;
};

// The table that suits keys and values of these types.
template <class K, class V, class Hash, class Equal>
using table_of =
    typename std::conditional_t<std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>,
                                std::type_identity<flat_table<K, V, Hash, Equal>>,
                                std::type_identity<node_table<K, V, Hash, Equal>>>::type;

}  // namespace orujo::internal::containers
