// A large array of plain values on huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace orujo::machine {

// Maps zeroed memory whose pages land on the NUMA node of the thread that first touches them; huge pages are
// asked for from 2 MiB on. Ends the job with no_resource and the bytes needed when there is no memory.
void* map_memory(std::size_t bytes);
// The same, but null when there is no memory.
void* try_map_memory(std::size_t bytes);
void unmap_memory(void* memory, std::size_t bytes);
// Gives the whole pages within these bytes back to the system; they read as zeros from then on. For memory
// that map_memory() or the standard library allocated.
void discard_pages(void* memory, std::size_t bytes);

// Owns size() zero-initialised values, 64-byte aligned; move-only.
template <class T>
class huge_array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  huge_array() = default;
  explicit huge_array(std::size_t size)
      : data_(size ? static_cast<T*>(map_memory(size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T)))
                   : nullptr),
        size_(size) {}
  huge_array(huge_array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  huge_array& operator=(huge_array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~huge_array() {
    if (data_) unmap_memory(data_, size_ * sizeof(T));
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  std::span<T> part(std::size_t first, std::size_t last) const { return {data_ + first, last - first}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace orujo::machine
