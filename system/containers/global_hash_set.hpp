// A hash set spread over all cores.
#pragma once

#include "system/containers/global_hash_map.hpp"

namespace orujo::containers {

// A global_hash_map without values: what is said there holds here.
template <class K, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class global_hash_set {
 public:
  using map = global_hash_map<K, nothing, Hash, Equal>;

  // [task; suspends]
  static global_hash_set create(std::size_t expected = 0) { return global_hash_set(map::create(expected)); }
  // [task; suspends]
  void destroy() const { keys_.destroy(); }

  core_id owner(const K& key) const { return keys_.owner(key); }

  // [task; suspends unless the key is this core's] A message each way. insert() returns true if the key is
  // new. The others return true if it was there.
  bool insert(const K& key) const { return keys_.insert(key, {}); }
  bool contains(const K& key) const { return keys_.contains(key); }
  bool erase(const K& key) const { return keys_.erase(key); }

  // [task or handler] One message; complete when the event is.
  void async_insert(delegates::event_ref event, const K& key) const {
    delegates::async_call(event, owner(key), [k = keys_, key] { k.local().find_or_insert(key); });
  }
  void async_erase(delegates::event_ref event, const K& key) const { keys_.async_erase(event, key); }

  // [task; suspends] As for maps.
  std::size_t size() const { return keys_.size(); }
  void clear() const { keys_.clear(); }

  // [task; suspends] forall() calls this at every core: body(const K&) for its keys. No key may be added or
  // erased meanwhile.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    keys_.forall_here([&](const K& key, const nothing&) { body(key); }, options);
  }

  // The calling core's keys.
  typename map::table& local() const { return keys_.local(); }

 private:
  explicit global_hash_set(map keys) : keys_(keys) {}

  map keys_;
};

}  // namespace orujo::containers
