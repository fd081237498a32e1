// Tables of keys spread over all cores: the common part of hash maps and multimaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "system/base/check.hpp"
#include "system/base/hash.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/messages/pack.hpp"

namespace orujo::internal::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

namespace detail {

// A handle that can travel. A key lies in the table of the core that its hash chooses.
template <class K, class Table, class Hash>
class keyed_tables {
  static_assert(
      messages::can_pack<K>,
      "keys of a distributed table travel in messages: they are trivially copyable, strings, containers "
      "of such, or of classes with a member serialize (system/messages/pack.hpp), and "
      "default-constructible");

 public:
  // The type of a core's own table.
  using table = Table;

  // [task; suspends] Frees the tables. No operation on them may be under way.
  void destroy() const { tables_.destroy(); }

  // The core that holds the key, by its hash. Sends no message.
  core_id owner(const K& key) const {
    const auto scaled =
        static_cast<unsigned __int128>(base::mixed_hash<Hash>(key)) * static_cast<unsigned>(cores());
    return static_cast<core_id>(scaled >> 64);
  }

  // [task or handler] Erases the key with all its values, if it is there; complete when the event is. Costs a
  // message of 8 bytes and the key.
  void async_erase(delegates::event_ref event, const K& key) const {
    async_at_owner(event, key, [](table& mine, const K& k) { mine.erase(k); });
  }

  // [task; suspends] The number of values of all keys. Each core counts when it is asked. Costs 2 messages
  // per core.
  std::size_t size() const {
    return delegates::sum_of_all([t = tables_] { return t.here().size(); });
  }
  // [task; suspends] Erases all keys. No operation may be under way.
  void clear() const {
    loops::on_all_cores([t = tables_] { t.here().clear(); });
  }

  // The calling core's table.
  table& local() const { return tables_.here(); }

  // [task; suspends] Runs body(const K&, V&) for every value at the calling core, those of one key in their
  // order; forall() calls it at every core. Values may change meanwhile. A key that is inserted or erased
  // meanwhile is a misuse.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    table& mine = local();
    const std::uint64_t version = mine.version();
    loops::forall_here(
        {0, mine.slots()}, [&](std::size_t slot) { mine.visit_slot(slot, body); }, options);
    require(mine.version() == version,
            "keys were inserted or erased during a forall over their container: collect them, and insert or "
            "erase afterwards");
  }

 protected:
  explicit keyed_tables(symmetric<table> tables) : tables_(tables) {}
  // [task; suspends] Empty, with room for about `expected` different keys.
  static keyed_tables make(std::size_t expected) {
    return keyed_tables(symmetric<table>::create(expected / static_cast<std::size_t>(cores())));
  }

  // [task; suspends unless the key is this core's] Runs f(table, key, values...) in a handler at the key's
  // owner, and returns its result. Keys and values that are trivially copyable travel with f, others packed.
  template <class F, class... Values>
  auto at_owner(const K& key, const F& f, const Values&... values) const {
    if constexpr (travel_with_closures<Values...>) {
      return delegates::call(owner(key),
                             [t = tables_, key, f, values...] { return f(t.here(), key, values...); });
    } else {
      return delegates::call(
          owner(key), [t = tables_, f](const K& k, const Values&... v) { return f(t.here(), k, v...); }, key,
          values...);
    }
  }
  // [task or handler] As at_owner, without an answer; complete when the event is.
  template <class F, class... Values>
  void async_at_owner(delegates::event_ref event, const K& key, const F& f, const Values&... values) const {
    if constexpr (travel_with_closures<Values...>) {
      delegates::async_call(event, owner(key),
                            [t = tables_, key, f, values...] { f(t.here(), key, values...); });
    } else {
      delegates::async_call(
          event, owner(key), [t = tables_, f](const K& k, const Values&... v) { f(t.here(), k, v...); }, key,
          values...);
    }
  }

  symmetric<table> tables_;

 private:
  template <class... Values>
  static constexpr bool travel_with_closures = std::is_trivially_copyable_v<K> &&
                                               (std::is_trivially_copyable_v<Values> && ...);
};

}  // namespace detail

}  // namespace orujo::internal::containers
