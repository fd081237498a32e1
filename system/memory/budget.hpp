// The amount of memory that a locale may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "system/transport/transport.hpp"

namespace orujo::internal::memory {

// Collective over the locales, before the cores start. In bytes: --memory_budget_bytes, or this locale's
// share of what its node and control group have left.
std::uint64_t budget_of_locale(transport::transport& link);

// --memory_budget_bytes; 0 if it was not given.
std::uint64_t given_budget();

// [any thread] Ends the job with no_resource if a piece of `bytes` bytes, needed by `for_what`, exceeds the
// memory that this locale may still take. Pieces below 64 MiB are not checked, because a check costs some 0.1
// ms.
void require_room(std::uint64_t bytes, std::string_view for_what);

// Bytes that a core may map without their being counted: stacks, cut from 8 MiB, and the heap's growth.
constexpr std::uint64_t uncounted_bytes_of_core = std::uint64_t{16} << 20;

// The size of n values of `each` bytes, or the largest number if it overflows.
constexpr std::uint64_t bytes_of(std::uint64_t n, std::uint64_t each) {
  return n > ~std::uint64_t{0} / each ? ~std::uint64_t{0} : n * each;
}

// For standard containers that grow with their work: ends the job with a message where the system would kill
// the process.
template <class T>
struct allocator_with_room {
  using value_type = T;
  allocator_with_room() = default;
  template <class U>
  allocator_with_room(const allocator_with_room<U>&) {}
  T* allocate(std::size_t n) {
    require_room(bytes_of(n, sizeof(T)), "a container that grows");
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  bool operator==(const allocator_with_room&) const { return true; }
};

}  // namespace orujo::internal::memory
