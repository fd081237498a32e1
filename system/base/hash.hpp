// Hashing of keys to 64 bits, all of which are good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "system/base/random.hpp"

namespace orujo::internal::base {

// The default hash of containers. It hashes integers, enumerations and pointers by their value, other plain
// types by their bytes. Strings and others that are not plain have std::hash. Types without one, with
// padding, or with several bit patterns of equal values, need a hash of their own: a callable `const K& ->
// 64-bit integer`. It need not be good, because containers mix its result.
template <class K>
struct hash {
  std::uint64_t operator()(const K& key) const {
    if constexpr (std::is_integral_v<K> || std::is_enum_v<K>) {
      return static_cast<std::uint64_t>(key);
    } else if constexpr (!std::is_trivially_copyable_v<K>) {
      static_assert(std::is_default_constructible_v<std::hash<K>>,
                    "keys of this type have no std::hash: give the container a hash");
      return std::hash<K>()(key);
    } else {
      static_assert(std::has_unique_object_representations_v<K>,
                    "equal keys of this type may differ in their bytes: give the container a hash");
      std::uint64_t h = sizeof(K);
      const auto* bytes = reinterpret_cast<const std::byte*>(&key);
      for (std::size_t at = 0; at < sizeof(K); at += sizeof(h)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, sizeof(K) - at < sizeof(word) ? sizeof(K) - at : sizeof(word));
        h = mix64(h + 0x9e3779b97f4a7c15u) ^ word;
      }
      return h;
    }
  }
};

// The hash of a key as the containers use it: upper bits choose the core, lower bits the place there.
template <class Hash, class K>
std::uint64_t mixed_hash(const K& key) {
  return mix64(static_cast<std::uint64_t>(Hash()(key)) + 0x9e3779b97f4a7c15u);
}

}  // namespace orujo::internal::base
