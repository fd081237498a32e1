// Records of one size in a binary file, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/formats/source_bytes.hpp"

namespace orujo::internal::formats {

inline constexpr std::uint64_t record_chunk_bytes = 1 << 20;

// `count` records from byte `at` on, read a chunk at a time.
class record_stream {
 public:
  record_stream(byte_source& source, std::uint64_t at, std::uint64_t record, std::uint64_t count)
      : source_(source), at_(at), record_(record), left_(count) {}

  // There is another.
  result<const char*> next() {
    if (place_ == buffer_.size()) {
      buffer_.resize(std::min(record_chunk_bytes / record_, left_) * record_);
      place_ = 0;
      if (status failed = read_all(source_, at_, buffer_); !failed.ok()) return failed;
      at_ += buffer_.size();
      left_ -= buffer_.size() / record_;
    }
    place_ += record_;
    return buffer_.data() + place_ - record_;
  }
  // The offset in the file of the record that next() returned last.
  std::uint64_t byte() const { return at_ - buffer_.size() + place_ - record_; }

 private:
  byte_source& source_;
  std::uint64_t at_;
  const std::uint64_t record_;
  std::uint64_t left_;
  std::size_t place_ = 0;
  std::vector<char> buffer_;
};

}  // namespace orujo::internal::formats
