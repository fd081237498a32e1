// An array whose elements never move, so that others may read it while its owner makes it larger.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace orujo::internal::base {

// An array of up to 2^16 elements. The owner creates an element when it first asks for it. An empty array
// takes some 120 bytes.
template <class T>
class growing_array {
 public:
  growing_array() = default;
  growing_array(const growing_array&) = delete;
  ~growing_array() {
    for (std::atomic<T*>& of_bucket : buckets_) delete[] of_bucket.load(std::memory_order_relaxed);
  }

  // [owner]
  T& at(std::uint16_t index) {
    const place to(index);
    std::atomic<T*>& bucket = buckets_[to.bucket];
    T* elements = bucket.load(std::memory_order_relaxed);
    if (!elements) {
      elements = new T[first_bucket << to.bucket]();
      bucket.store(elements, std::memory_order_release);
    }
    return elements[to.offset];
  }
  // [any thread] Null unless the owner has asked for it, or for one of the same bucket.
  const T* find(std::uint16_t index) const {
    const place of(index);
    const T* const elements = buckets_[of.bucket].load(std::memory_order_acquire);
    return elements ? elements + of.offset : nullptr;
  }

 private:
  static constexpr std::size_t first_bucket = 4;  // elements; each further one has twice as many
  struct place {
    std::size_t bucket, offset;
    explicit place(std::size_t index)
        : bucket(static_cast<std::size_t>(std::bit_width(index / first_bucket + 1)) - 1),
          offset(index - first_bucket * ((std::size_t{1} << bucket) - 1)) {}
  };
  std::array<std::atomic<T*>, 15> buckets_ = {};
};

}  // namespace orujo::internal::base
