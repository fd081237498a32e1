// A hash multimap spread over all cores: any number of values for each key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "system/base/check.hpp"
#include "system/containers/flat_multi_table.hpp"
#include "system/containers/global_hash_map.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

// A handle that can travel. Keys and values are trivially copyable, keys default-constructible. All values of
// a key lie at the core that its hash chooses, in the order in which they came; each operation is a delegate
// there, so operations on one key are atomic and take effect in one order. Those named async_ are complete
// when their event is.
template <class K, class V, class Hash = hash<K>, class Equal = std::equal_to<K>>
class global_multimap {
 public:
  using table = flat_multi_table<K, V, Hash, Equal>;

  // [task; suspends] Empty, with room for about `expected` different keys before it grows (it always can).
  static global_multimap create(std::size_t expected = 0) {
    const global_multimap made(memory::symmetric<table>::reserve());
    const std::size_t per_core = expected / static_cast<std::size_t>(cores());
    loops::on_all_cores([made, per_core] { made.tables_.emplace_here(per_core); });
    return made;
  }
  // [task; suspends]
  void destroy() const {
    loops::on_all_cores([tables = tables_] { tables.erase_here(); });
  }

  core_id owner(const K& key) const { return detail::owner_of<Hash>(key); }

  // All of these: [task; suspends unless the key is this core's], a message each way.

  // Adds a value, whatever there is.
  void insert(const K& key, const V& value) const {
    delegates::call(owner(key), [t = tables_, key, value] { t.here().add(key, value); });
  }
  std::size_t count(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().count(key); });
  }
  // All values of the key; returns how many there were.
  std::size_t erase(const K& key) const {
    return delegates::call(owner(key), [t = tables_, key] { return t.here().erase(key); });
  }
  // Runs f(V&) for each of the key's values at the owner, without anything between, and returns how many
  // there are. f must not suspend.
  template <class F>
  std::size_t for_each(const K& key, const F& f) const {
    return delegates::call(owner(key), [t = tables_, key, f] { return t.here().visit(key, f); });
  }

  // [task; suspends] The key's values, brought here: two messages each way, and a put.
  std::vector<V> values(const K& key) const {
    std::vector<V> found;
    delegates::call_task(owner(key), [t = tables_, key, me = my_core(), to = &found] {
      std::vector<V> mine;
      t.here().visit(key, [&](const V& value) { mine.push_back(value); });
      if (mine.empty()) return;
      const auto make_room = [to, n = mine.size()] {
        to->resize(n);
        return to->data();
      };
      delegates::put(memory::global_address<V>(me, delegates::call(me, make_room)), std::span<const V>(mine));
    });
    return found;
  }

  // And these: [task or handler], one message of 8 bytes, the key, and what else they name.

  void async_insert(delegates::event_ref event, const K& key, const V& value) const {
    delegates::async_call(event, owner(key), [t = tables_, key, value] { t.here().add(key, value); });
  }
  // Runs f(const K&, V&) for each of the key's values at the owner.
  template <class F>
  void async_visit(delegates::event_ref event, const K& key, const F& f) const {
    delegates::async_call(event, owner(key),
                          [t = tables_, key, f] { t.here().visit(key, [&](V& value) { f(key, value); }); });
  }
  void async_erase(delegates::event_ref event, const K& key) const {
    delegates::async_call(event, owner(key), [t = tables_, key] { t.here().erase(key); });
  }

  // [task; suspends] The values of all keys; 2 messages per core. Counts what was there when each core was
  // asked.
  std::size_t size() const {
    return delegates::sum_of_all([t = tables_] { return t.here().size(); });
  }
  // [task; suspends]
  void clear() const {
    loops::on_all_cores([t = tables_] { t.here().clear(); });
  }

  // The calling core's keys.
  table& local() const { return tables_.here(); }

  // [task; suspends] What forall() calls at every core: body(const K&, V&) for every value of its keys, one
  // key's in their order. Values may change meanwhile; what comes or goes is a misuse.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    detail::forall_here(local(), body, options);
  }

 private:
  explicit global_multimap(memory::symmetric<table> tables) : tables_(tables) {}

  memory::symmetric<table> tables_;
};

}  // namespace orujo::containers
