// A hash set spread over all cores.
#pragma once

#include "system/containers/global_hash_map.hpp"

namespace orujo::internal::containers {

// A hash set: a global_hash_map without values, with the same guarantees and costs. The object is a handle,
// which can travel.
template <class K, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class global_hash_set {
 public:
  // The map that the set is.
  using map = global_hash_map<K, nothing, Hash, Equal>;

  // [task; suspends] Makes an empty set with room for about `expected` keys. It grows as needed.
  static global_hash_set create(std::size_t expected = 0) { return global_hash_set(map::create(expected)); }
  // [task; suspends] Frees the set. No operation on it may be under way.
  void destroy() const { keys_.destroy(); }

  // The core that holds the key, by its hash. Sends no message.
  core_id owner(const K& key) const { return keys_.owner(key); }

  // [task; suspends unless the key is this core's] Insert returns whether the key is new; contains and erase
  // return whether it was there. Costs a message each way.
  bool insert(const K& key) const { return keys_.insert(key, {}); }
  bool contains(const K& key) const { return keys_.contains(key); }
  bool erase(const K& key) const { return keys_.erase(key); }

  // [task or handler] Without an answer; complete when the event is. Costs one message.
  void async_insert(delegates::event_ref event, const K& key) const { keys_.async_insert(event, key, {}); }
  void async_erase(delegates::event_ref event, const K& key) const { keys_.async_erase(event, key); }

  // [task; suspends] The number of keys, and erasing all of them, as for maps.
  std::size_t size() const { return keys_.size(); }
  void clear() const { keys_.clear(); }

  // [task; suspends] Runs body(const K&) for every key at the calling core; forall() calls it at every core.
  // A key that is inserted or erased meanwhile is a misuse.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    keys_.forall_here([&](const K& key, const nothing&) { body(key); }, options);
  }

  // The calling core's table.
  typename map::table& local() const { return keys_.local(); }

 private:
  explicit global_hash_set(map keys) : keys_(keys) {}

  map keys_;
};

}  // namespace orujo::internal::containers
