// The result of a reduction: a value for each key, at the core that the key's hash selects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "framework/tables/mapreduce/keys.hpp"
#include "system/base/identity.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::mapreduce {

using loops::forall;  // found by argument-dependent lookup

// The result of a reduction: a value for each key, at the core that the key's hash chooses. map_reduce()
// fills it. Key is `std::string_view`, for texts of any bytes, or trivially copyable, as V is. The object is
// a handle, which can travel; any task creates and destroys the groups.
template <class Key, class V>
class global_groups {
 public:
  using key = Key;
  using value = V;
  using traits = key_traits<Key>;
  using hashed = typename traits::hashed;  // a key as its table wants it
  using table = typename traits::template table<V>;

  // [task; suspends] Makes groups without a key.
  static global_groups create() { return global_groups(containers::symmetric<part>::create()); }
  // [task; suspends] Frees the groups.
  void destroy() const { parts_.destroy(); }

  // The core that owns a hash, or a key.
  static core_id owner_of_hash(std::uint64_t hash, core_id among = cores()) {
    return static_cast<core_id>((static_cast<unsigned __int128>(hash) * static_cast<unsigned>(among)) >> 64);
  }
  core_id owner(const Key& k) const { return owner_of_hash(hashed(k).hash); }

  // [task; suspends] The value of a key; none if it is not there. Costs two messages, or four for a text.
  std::optional<V> lookup(const Key& k) const {
    if constexpr (std::is_same_v<Key, std::string_view>) {
      return lookup_text(k);
    } else {
      return delegates::call(owner(k), [parts = parts_, k]() -> std::optional<V> {
        const V* const found = parts.here().groups.find(hashed(k));
        return found ? std::optional<V>(*found) : std::nullopt;
      });
    }
  }
  // [task; suspends] The number of keys. Costs 2 messages per core.
  std::size_t size() const {
    return delegates::sum_of_all([parts = parts_] { return parts.here().groups.size(); });
  }
  // [task; suspends] Erases all keys.
  void clear() const {
    loops::on_all_cores([parts = parts_] { parts.here().groups.clear(); });
  }

  // The calling core's table.
  table& local() const { return parts_.here().groups; }
  // [task] Runs body(const Key&, V&), which may suspend, for every key at the calling core; forall() calls it
  // at every core.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options) const {
    local().visit(body);
  }

  // Internal: the time of reductions at the calling core, in ticks.
  std::uint64_t& reduce_ticks() const { return parts_.here().reduce_ticks; }

 private:
  struct part {
    table groups;
    std::uint64_t reduce_ticks = 0;
  };
  explicit global_groups(containers::symmetric<part> parts) : parts_(parts) {}

  // The owner sends texts of that hash, and they are compared here: a message has not room for all.
  std::optional<V> lookup_text(std::string_view wanted) const {
    struct candidate {
      const char* bytes;
      std::size_t size;
      V value;
    };
    const std::uint64_t hash = hashed(wanted).hash;
    const core_id at = owner_of_hash(hash);
    for (std::size_t k = 0;; ++k) {
      const auto found = delegates::call(at, [parts = parts_, hash, k] {
        const auto [text, there] = parts.here().groups.find_by_hash(hash, k);
        return there ? candidate{text.data(), text.size(), *there} : candidate{nullptr, 0, V()};
      });
      if (found.bytes == nullptr) return {};
      if (found.size != wanted.size()) continue;
      std::string text(found.size, '\0');
      delegates::get(memory::global_address<const char>(at, found.bytes), std::span(text));
      if (text == wanted) return found.value;
    }
  }

  containers::symmetric<part> parts_;
};

}  // namespace orujo::internal::mapreduce
