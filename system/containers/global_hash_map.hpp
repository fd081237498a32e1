// A hash map spread over all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "system/base/check.hpp"
#include "system/base/hash.hpp"
#include "system/containers/flat_table.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

namespace detail {

template <class Hash, class K>
core_id owner_of(const K& key) {
  const auto scaled = static_cast<unsigned __int128>(mixed_hash<Hash>(key)) * static_cast<unsigned>(cores());
  return static_cast<core_id>(scaled >> 64);
}

// [task; suspends] Runs the body for all that a table has.
template <class Table, class Body>
void forall_here(Table& table, const Body& body, loops::loop_options options) {
  const std::uint64_t version = table.version();
  loops::forall_here(
      {0, table.slots()}, [&](std::size_t slot) { table.visit_slot(slot, body); }, options);
  require(table.version() == version,
          "keys came or went during a forall over their container: collect them, and insert or erase "
          "afterwards");
}

}  // namespace detail

// A handle that can travel. Keys and values are trivially copyable and default-constructible. Each key lives,
// with its value, at the core that its hash chooses; each operation is a delegate there, so operations on one
// key are atomic and take effect in one order. Those named async_ are complete when their event is.
template <class K, class V, class Hash = hash<K>, class Equal = std::equal_to<K>>
class global_hash_map {
 public:
  using table = flat_table<K, V, Hash, Equal>;

  // [task; suspends] Empty, with room for about `expected` keys before it grows (it always can). The job ends
  // with no_resource where a table has no room.
  static global_hash_map create(std::size_t expected = 0) {
    const global_hash_map made(memory::symmetric<table>::reserve());
    const std::size_t per_core = expected / static_cast<std::size_t>(cores());
    const auto here = static_cast<std::uint64_t>(my_locales_cores());
    memory::require_room(memory::bytes_of(table::bytes_for(per_core), here), "a global_hash_map");
    loops::on_all_cores([made, per_core] { made.tables_.emplace_here(per_core); });
    return made;
  }
  // [task; suspends]
  void destroy() const {
    loops::on_all_cores([tables = tables_] { tables.erase_here(); });
  }

  core_id owner(const K& key) const { return detail::owner_of<Hash>(key); }

  // All of these: [task; suspends unless the key is this core's], a message each way.

  // Keeps the value that is there; true if the key is new.
  bool insert(const K& key, const V& value) const {
    return delegates::call(owner(key), [t = tables_, key, value] { return insert_at_owner(t, key, value); });
  }
  // Runs f(V&) at the owner, on V() if the key is new, and returns what f returns. f must not suspend.
  template <class F>
  auto update(const K& key, const F& f) const {
    return delegates::call(owner(key),
                           [t = tables_, key, f] { return f(*t.here().find_or_insert(key).first); });
  }
  std::optional<V> lookup(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key]() -> std::optional<V> {
      const V* const found = t.here().find(key);
      return found ? std::optional<V>(*found) : std::nullopt;
    });
  }
  bool contains(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().find(key) != nullptr; });
  }
  // True if there was such a key.
  bool erase(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().erase(key); });
  }

  // And these: [task or handler], one message of 8 bytes, the key, and what else they name.

  void async_insert(delegates::event_ref event, const K& key, const V& value) const {
    delegates::async_call(event, owner(key), [t = tables_, key, value] { insert_at_owner(t, key, value); });
  }
  template <class F>
  void async_update(delegates::event_ref event, const K& key, const F& f) const {
    delegates::async_call(event, owner(key),
                          [t = tables_, key, f] { f(*t.here().find_or_insert(key).first); });
  }
  // Runs f(const K&, V&) at the owner if the key is there.
  template <class F>
  void async_visit(delegates::event_ref event, const K& key, const F& f) const {
    delegates::async_call(event, owner(key), [t = tables_, key, f] {
      if (V* const found = t.here().find(key)) f(key, *found);
    });
  }
  void async_erase(delegates::event_ref event, const K& key) const {
    delegates::async_call(event, owner(key), [t = tables_, key] { t.here().erase(key); });
  }

  // [task; suspends] 2 messages per core. Counts what was there when each core was asked.
  std::size_t size() const {
    return delegates::sum_of_all([t = tables_] { return t.here().size(); });
  }
  // [task; suspends]
  void clear() const {
    loops::on_all_cores([t = tables_] { t.here().clear(); });
  }

  // The calling core's keys.
  table& local() const { return tables_.here(); }

  // [task; suspends] What forall() calls at every core: body(const K&, V&) for its keys. Values may change
  // meanwhile; keys that come or go are a misuse.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    detail::forall_here(local(), body, options);
  }

 private:
  explicit global_hash_map(memory::symmetric<table> tables) : tables_(tables) {}

  static bool insert_at_owner(memory::symmetric<table> tables, const K& key, const V& value) {
    const auto [place, is_new] = tables.here().find_or_insert(key);
    if (is_new) *place = value;
    return is_new;
  }

  memory::symmetric<table> tables_;
};

}  // namespace orujo::containers
