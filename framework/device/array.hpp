// Memory of a GPU.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace orujo::internal::device {

// Owns size() values in a GPU's memory, undefined at first; move-only. On is serial or cuda and outlives it.
template <class T, class On>
class array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  array() = default;
  // Throws failure if there is no memory.
  array(On& on, std::size_t size)
      : on_(&on), data_(size == 0 ? nullptr : static_cast<T*>(on.allocate(size * sizeof(T)))), size_(size) {}
  // The same values; they may be read until on.wait().
  array(On& on, std::span<const T> values) : array(on, values.size()) { copy_in(values); }
  array(array&& other) noexcept
      : on_(other.on_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  array& operator=(array&& other) noexcept {
    std::swap(on_, other.on_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~array() {
    if (data_) on_->free(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  // values: at most size(), for the places from `first` on.
  void copy_in(std::span<const T> values, std::size_t first = 0) {
    on_->copy_in(data_ + first, values.data(), values.size_bytes());
  }
  void copy_out(std::span<T> values, std::size_t first = 0) const {
    on_->copy_out(values.data(), data_ + first, values.size_bytes());
  }
  void fill(int byte) { on_->fill(data_, byte, size_ * sizeof(T)); }

 private:
  On* on_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// The same in the memory of the process: what is copied in every step, or at once in great amounts.
template <class T, class On>
class array_here {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  array_here(On& on, std::size_t size)
      : on_(on), values_(static_cast<T*>(on.allocate_here(size * sizeof(T))), size) {}
  array_here(const array_here&) = delete;
  ~array_here() { on_.free_here(values_.data()); }

  T& operator[](std::size_t i) const { return values_[i]; }
  std::span<T> all() const { return values_; }
  std::span<T> first(std::size_t size) const { return values_.first(size); }

 private:
  On& on_;
  const std::span<T> values_;
};

// Keeps memory of the process pinned, which is copied often; move-only. It outlives this, and so does On.
template <class On>
class pinned {
 public:
  pinned() = default;
  template <class T>
  pinned(On& on, std::span<T> memory) : on_(&on), at_(memory.data()) {
    on.pin(at_, memory.size_bytes());
  }
  pinned(pinned&& other) noexcept : on_(other.on_), at_(std::exchange(other.at_, nullptr)) {}
  pinned& operator=(pinned&& other) noexcept {
    std::swap(on_, other.on_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~pinned() {
    if (at_) on_->unpin(at_);
  }

 private:
  On* on_ = nullptr;
  const void* at_ = nullptr;
};

}  // namespace orujo::internal::device
