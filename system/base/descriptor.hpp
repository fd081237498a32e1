// A file descriptor that is closed at the end of its scope.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace orujo::internal::base {

// Owns a descriptor, or none. Signal handlers may use it, too.
class descriptor {
 public:
  descriptor() = default;
  // Takes over an open descriptor; a negative number is none.
  explicit descriptor(int number) : number_(number) {}
  // As open(2) with O_CLOEXEC, again after a signal. None, with errno, if the file cannot be opened.
  static descriptor open(const char* path, int flags, mode_t mode = 0);
  descriptor(descriptor&& other) noexcept : number_(other.release()) {}
  descriptor& operator=(descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = other.release();
    }
    return *this;
  }
  ~descriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void close();

  // Writes all bytes from this position on. Returns 0, or errno.
  int write_at(std::uint64_t at, std::span<const std::byte> bytes) const;
  // Reads from this position on until `into` is full or the file ends. Returns the number of bytes, or -1
  // with errno.
  ssize_t read_at(std::uint64_t at, std::span<std::byte> into) const;

 private:
  int number_ = -1;
};

}  // namespace orujo::internal::base
