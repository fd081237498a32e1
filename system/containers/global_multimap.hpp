// A hash multimap spread over all cores: any number of values for each key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "system/containers/flat_multi_table.hpp"
#include "system/containers/keyed_tables.hpp"

namespace orujo::internal::containers {

// A hash map with any number of values per key. All values of a key lie at the core that its hash chooses, in
// the order in which they arrived. Each operation is a delegate there, so operations on one key are atomic
// and take effect in one order. Operations named async_ are complete when their event is. Keys and values are
// trivially copyable, keys also default-constructible. The object is a handle, which can travel.
//
// A function f that visits values, also that of a forall over the map, takes single ones or spans of them: V&
// or std::span<V>. A span has values of one key that lie side by side, up to some 64 KiB: a key with n of
// them has about log2 n spans. A visit by spans is the faster one, because f keeps its sums in registers
// meanwhile.
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class global_multimap : public detail::keyed_tables<K, flat_multi_table<K, V, Hash, Equal>, Hash> {
  using tables = detail::keyed_tables<K, flat_multi_table<K, V, Hash, Equal>, Hash>;
  static_assert(
      std::is_trivially_copyable_v<K>,
      "keys of a global_multimap are trivially copyable: for strings use a global_hash_map of vectors");

 public:
  using tables::owner;
  using typename tables::table;

  // [task; suspends] Makes an empty map with room for about `expected` different keys. It grows as needed.
  static global_multimap create(std::size_t expected = 0) { return global_multimap(tables::make(expected)); }

  // The following are [task; suspends unless the key is this core's], and cost a message each way.

  // Appends a value to the key's values.
  void insert(const K& key, const V& value) const {
    delegates::call(owner(key), [t = tables_, key, value] { t.here().add(key, value); });
  }
  // The number of the key's values.
  std::size_t count(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().count(key); });
  }
  // Erases all values of the key, and returns how many there were.
  std::size_t erase(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().erase(key); });
  }
  // Runs f(V&) or f(std::span<V>) at the owner for the key's values, as one atomic operation, and returns how
  // many there are. f must not suspend.
  template <class F>
  std::size_t for_each(const K& key, const F& f) const {
    return delegates::call(owner(key), [t = tables_, key, f] { return t.here().visit(key, f); });
  }

  // A copy of the key's values. One that does not fit a message costs what delegates/packed.hpp says.
  std::vector<V> values(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] {
      std::vector<V> found;
      found.reserve(t.here().count(key));
      t.here().visit(key,
                     [&](std::span<V> values) { found.insert(found.end(), values.begin(), values.end()); });
      return found;
    });
  }

  // The following are [task or handler]. Each costs one message of 8 bytes, the key, and its other arguments.

  // As insert, without waiting.
  void async_insert(delegates::event_ref event, const K& key, const V& value) const {
    delegates::async_call(event, owner(key), [t = tables_, key, value] { t.here().add(key, value); });
  }
  // Runs f(const K&, V&) or f(const K&, std::span<V>) at the owner for the key's values.
  template <class F>
  void async_visit(delegates::event_ref event, const K& key, const F& f) const {
    delegates::async_call(event, owner(key), [t = tables_, key, f] { t.here().visit_with_key(key, f); });
  }

 private:
  using tables::tables_;
  explicit global_multimap(tables all) : tables(all) {}
};

}  // namespace orujo::internal::containers
