// A large array of plain values, on huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace orujo::internal::machine {

// Memory for short use is better on small pages: on virtual machines the first touch of huge ones takes twice
// as long (docs/design/decisions_of_graphs.md).
enum class pages { huge, small };

// Returns whether the system gives huge pages on request. `root` stands before /sys (for tests).
bool gives_huge_pages(const std::string& root = "");

// Maps zeroed memory, whose pages are placed on the NUMA node of the thread that first touches them. Memory
// of 2 MiB or more requests huge pages; a single warning says if there are none. If there is no memory, the
// job ends with no_resource and a message that names the bytes.
void* map_memory(std::size_t bytes, pages kind = pages::huge);
// Maps memory as above, but returns null if there is none.
void* try_map_memory(std::size_t bytes, pages kind = pages::huge);
void unmap_memory(void* memory, std::size_t bytes);
// Gives the whole pages within these bytes back to the system; they read as zeros afterwards. For memory from
// map_memory() or the standard library.
void discard_pages(void* memory, std::size_t bytes);

// Owns size() zero-initialised values, 64-byte aligned; move-only. Alternatively it borrows memory and keeps
// its owner alive.
template <class T>
class huge_array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  huge_array() = default;
  explicit huge_array(std::size_t size, pages kind = pages::huge)
      : data_(size ? static_cast<T*>(
                         map_memory(size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T), kind))
                   : nullptr),
        size_(size) {}
  // Values in memory of `owner`, such as a mapped file, with the owner's alignment.
  static huge_array borrow(std::span<T> values, std::shared_ptr<const void> owner) {
    huge_array made(values.data(), values.size());
    made.owner_ = std::move(owner);
    return made;
  }
  huge_array(huge_array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        owner_(std::move(other.owner_)) {}
  huge_array& operator=(huge_array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~huge_array() {
    if (data_ && !owner_) unmap_memory(data_, size_ * sizeof(T));
  }

  // The same memory as an array of smaller values, whose size divides that of T.
  template <class U>
  huge_array<U> reuse_as() && {
    static_assert(sizeof(T) % sizeof(U) == 0 && alignof(U) <= alignof(T));
    const std::size_t bytes = std::exchange(size_, 0) * sizeof(T);
    huge_array<U> made(reinterpret_cast<U*>(std::exchange(data_, nullptr)), bytes / sizeof(U));
    made.owner_ = std::move(owner_);
    return made;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  // Values [first, last), which must exist.
  std::span<T> part(std::size_t first, std::size_t last) const { return {data_ + first, last - first}; }

 private:
  template <class>
  friend class huge_array;
  huge_array(T* data, std::size_t size) : data_(data), size_(size) {}

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::shared_ptr<const void> owner_;  // null: the array itself
};

// The same memory for standard containers.
template <class T>
struct huge_allocator {
  using value_type = T;
  huge_allocator() = default;
  template <class U>
  huge_allocator(const huge_allocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(map_memory(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) { unmap_memory(memory, n * sizeof(T)); }
  bool operator==(const huge_allocator&) const { return true; }
};

}  // namespace orujo::internal::machine
