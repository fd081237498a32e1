// A pointer into some core's memory.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "system/base/shape.hpp"

namespace orujo::internal::memory {

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

// The address of an object in the memory of one core. Only that core, its owner, may dereference it; other
// cores use delegates. It can travel. It takes 8 bytes: the core in the upper 16 bits, and the address there
// in the lower 48, which is all of user space on x86-64 and AArch64. Except in null, the topmost bit is
// inverted, so that no address looks like a pointer (tasks/check_closure.hpp).
template <class T>
class global_address {
 public:
  using value_type = T;

  // Null.
  constexpr global_address() = default;
  constexpr global_address(const global_address&) = default;
  constexpr global_address& operator=(const global_address&) & = default;
  // The object at `local` in the memory of `core`.
  global_address(core_id core, T* local)
      : bits_(static_cast<std::uint64_t>(core ^ no_pointer) << 48 | reinterpret_cast<std::uint64_t>(local)) {}

  // Converts to an address of const, as pointers do.
  template <std::same_as<std::remove_const_t<T>> U>
  global_address(global_address<U> other) : global_address(other.core(), other.local()) {}

  // The owner. [any thread]
  core_id core() const { return static_cast<core_id>(bits_ >> 48) ^ no_pointer; }
  // The pointer, which is valid at the owner only.
  T* local() const { return reinterpret_cast<T*>(bits_ & ((std::uint64_t{1} << 48) - 1)); }
  // Whether it is not null.
  explicit operator bool() const { return local() != nullptr; }
  // The address itself; a linear_address has a global_address here.
  global_address resolve() const { return *this; }

  // Arithmetic as of pointers, within the owner's memory.
  global_address operator+(std::ptrdiff_t n) const { return {core(), local() + n}; }
  global_address operator-(std::ptrdiff_t n) const { return {core(), local() - n}; }
  global_address& operator+=(std::ptrdiff_t n) & { return *this = *this + n; }
  // Not for callers: refuses `array[i] += value`.
  template <std::convertible_to<T> Value>
  void operator+=(const Value&) && {
    detail::refuse_to_change_temporary<Value>();
  }
  // The number of elements between two addresses of one core.
  std::ptrdiff_t operator-(global_address other) const { return local() - other.local(); }
  // Ordered by core, then by address.
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

}  // namespace orujo::internal::memory
