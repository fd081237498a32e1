// A hash map spread over all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "system/containers/flat_table.hpp"
#include "system/containers/keyed_tables.hpp"
#include "system/containers/node_table.hpp"

namespace orujo::internal::containers {

// A hash map. Each key lives, with its value, at the core that its hash chooses. Each operation is a delegate
// there, so operations on one key are atomic and take effect in one order. Operations named async_ are
// complete when their event is. The object is a handle, which can travel.
//
// Keys and values are default-constructible, and trivially copyable or can be packed: strings, containers of
// such, classes with a member serialize (system/messages/pack.hpp). Keys that are not trivially copyable
// require a std::hash, or a hash of their own. Their tables have a node for each key (node_table.hpp).
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class global_hash_map : public detail::keyed_tables<K, table_of<K, V, Hash, Equal>, Hash> {
  using tables = detail::keyed_tables<K, table_of<K, V, Hash, Equal>, Hash>;
  static_assert(
      messages::can_pack<V>,
      "values of a global_hash_map travel in messages: they are trivially copyable, strings, containers of "
      "such, or of classes with a member serialize (system/messages/pack.hpp), and default-constructible");

 public:
  using tables::owner;
  using typename tables::table;

  // [task; suspends] Makes an empty map with room for about `expected` keys. It grows as needed. The job ends
  // with no_resource where memory does not suffice.
  static global_hash_map create(std::size_t expected = 0) {
    const std::size_t per_core = expected / static_cast<std::size_t>(cores());
    const auto here = static_cast<std::uint64_t>(my_locales_cores());
    memory::require_room(memory::bytes_of(table::bytes_for(per_core), here), "a global_hash_map");
    return global_hash_map(tables::make(expected));
  }

  // The following are [task; suspends unless the key is this core's], and cost a message each way.

  // Inserts the value if the key is new, and returns whether it is. Keeps the value of a key that is there.
  bool insert(const K& key, const V& value) const { return at_owner(key, insert_here(), value); }
  // Runs f(V&, values...) at the owner, with copies of the values, and returns what f returns. A new key is
  // inserted with the value V() first. f must not suspend.
  //   words.update(key, [](std::string& all, const std::string& more) { all += more; }, text);
  template <class F, class... Values>
  auto update(const K& key, const F& f, const Values&... values) const {
    return at_owner(key, update_here<F>{f}, values...);
  }
  // Stores the value for the key, new or not.
  void assign(const K& key, const V& value) const { update(key, assign_here(), value); }
  // The key's value; none if the key is not there.
  std::optional<V> lookup(const K& key) const {
    return at_owner(key, [](table& mine, const K& k) -> std::optional<V> {
      const V* const found = mine.find(k);
      return found ? std::optional<V>(*found) : std::nullopt;
    });
  }
  // Whether the key is there.
  bool contains(const K& key) const {
    return at_owner(key, [](table& mine, const K& k) { return mine.find(k) != nullptr; });
  }
  // Erases the key, and returns whether it was there.
  bool erase(const K& key) const {
    return at_owner(key, [](table& mine, const K& k) { return mine.erase(k); });
  }

  // The following are [task or handler]. Each costs one message of 8 bytes, the key, and its other arguments.

  // As insert, without an answer.
  void async_insert(delegates::event_ref event, const K& key, const V& value) const {
    async_at_owner(event, key, insert_here(), value);
  }
  // As update and assign, without an answer.
  template <class F, class... Values>
  void async_update(delegates::event_ref event, const K& key, const F& f, const Values&... values) const {
    async_at_owner(event, key, update_here<F>{f}, values...);
  }
  void async_assign(delegates::event_ref event, const K& key, const V& value) const {
    async_update(event, key, assign_here(), value);
  }
  // Runs f(const K&, V&, values...) at the owner if the key is there.
  template <class F, class... Values>
  void async_visit(delegates::event_ref event, const K& key, const F& f, const Values&... values) const {
    messages::check_travels<F>();
    const auto visit = [f](table& mine, const K& k, const auto&... v) {
      if (V* const found = mine.find(k)) f(k, *found, v...);
    };
    async_at_owner(event, key, visit, values...);
  }

 private:
  using tables::async_at_owner;
  using tables::at_owner;
  explicit global_hash_map(tables all) : tables(all) {}

  // The closures of an update, an assignment and an insert, for the owner.
  template <class F>
  struct update_here {
    static_assert(std::is_class_v<F>,
                  "a pointer to a function means nothing in another process: wrap it in a lambda");
    [[no_unique_address]] F f;
    auto operator()(table& mine, const K& key, const auto&... values) const {
      return f(*mine.find_or_insert(key).first, values...);
    }
  };
  struct assign_here {
    void operator()(V& to, const V& value) const { to = value; }
  };
  struct insert_here {
    bool operator()(table& mine, const K& key, const V& value) const {
      const auto [place, is_new] = mine.find_or_insert(key);
      if (is_new) *place = value;
      return is_new;
    }
  };
};

}  // namespace orujo::internal::containers
