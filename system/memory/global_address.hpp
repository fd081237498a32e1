// A pointer into some core's memory.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "system/base/shape.hpp"

namespace orujo::memory {

namespace detail {
// Refuses += of an unnamed address: `array[i] += 1` would change the address, and no element.
template <class T>
constexpr void refuse_to_change_temporary() {
  static_assert(
      sizeof(T) == 0,
      "array[i] is the address of an element, not the element: increment(array[i], n), write(array[i], "
      "value) or call(array[i], [](auto& element) { ... }) change the element");
}
}  // namespace detail

// A core and an address in that core's memory, in 8 bytes: the core in the upper 16 bits, the address in the
// lower 48. These 48 bits are all of user space on x86-64 and AArch64. Only the owner may dereference; others
// use delegates. Can travel. The topmost bit is inverted, except in the null address, so that the word is no
// pointer by itself (tasks/check_closure.hpp).
template <class T>
class global_address {
 public:
  using value_type = T;

  constexpr global_address() = default;
  constexpr global_address(const global_address&) = default;
  constexpr global_address& operator=(const global_address&) & = default;
  global_address(core_id core, T* local)
      : bits_(static_cast<std::uint64_t>(core ^ no_pointer) << 48 | reinterpret_cast<std::uint64_t>(local)) {}

  // To const, as pointers do.
  template <std::same_as<std::remove_const_t<T>> U>
  global_address(global_address<U> other) : global_address(other.core(), other.local()) {}

  core_id core() const { return static_cast<core_id>(bits_ >> 48) ^ no_pointer; }
  // Valid at the owner only.
  T* local() const { return reinterpret_cast<T*>(bits_ & ((std::uint64_t{1} << 48) - 1)); }
  explicit operator bool() const { return local() != nullptr; }
  global_address resolve() const { return *this; }

  // Arithmetic stays within the owner's memory.
  global_address operator+(std::ptrdiff_t n) const { return {core(), local() + n}; }
  global_address operator-(std::ptrdiff_t n) const { return {core(), local() - n}; }
  global_address& operator+=(std::ptrdiff_t n) & { return *this = *this + n; }
  template <std::convertible_to<T> Value>
  void operator+=(const Value&) && {
    detail::refuse_to_change_temporary<Value>();
  }
  std::ptrdiff_t operator-(global_address other) const { return local() - other.local(); }
  // By core, then by address.
  auto operator<=>(const global_address& other) const { return in_order() <=> other.in_order(); }
  bool operator==(const global_address&) const = default;

  // The address of a member of the object.
  template <class M, class Object = T>
  global_address<M> member(M Object::*which) const {
    return {core(), &(local()->*which)};
  }

 private:
  static constexpr core_id no_pointer = 1 << 15;
  std::uint64_t in_order() const { return bits_ ^ std::uint64_t{no_pointer} << 48; }
  std::uint64_t bits_ = 0;
};

// An address of either kind: what delegates and bulk operations take. resolve() says whose memory it is, and
// where there.
template <class A>
concept address = requires(const A a) {
  typename A::value_type;
  { a.resolve() } -> std::same_as<global_address<typename A::value_type>>;
};

// The type of the values read from there.
template <address A>
using value_of = std::remove_const_t<typename A::value_type>;

}  // namespace orujo::memory
