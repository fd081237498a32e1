// A parcel put together by hand, right or wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "system/base/aligned_bytes.hpp"
#include "system/messages/block.hpp"

namespace orujo::internal::messages {

class made_parcel {
 public:
  made_parcel() = default;
  explicit made_parcel(std::span<const std::byte> bytes) { add(bytes.data(), bytes.size()); }

  made_parcel& add_block(core_id source, core_id destination) {
    block b{};
    b.source = source;
    b.destination = destination;
    last_ = bytes_;
    add(&b, sizeof(b));
    return *this;
  }
  // Adds a run of zeros to the last block.
  made_parcel& add_run(handler_id handler, std::uint32_t count, std::uint32_t bytes) {
    bytes_ = padded(bytes_);
    const run_header header{handler, no_tag, count, bytes};
    add(&header, sizeof(header));
    bytes_ += bytes;
    this->header().bytes = static_cast<std::uint32_t>(bytes_ - last_ - sizeof(block));
    bytes_ = padded(bytes_);
    return *this;
  }
  void add_zeros(std::size_t bytes) { bytes_ += bytes; }

  block& header() { return *reinterpret_cast<block*>(storage_.get() + last_); }  // of the last block
  std::span<const std::byte> bytes() const { return {storage_.get(), bytes_}; }

 private:
  void add(const void* from, std::size_t bytes) {
    std::memcpy(storage_.get() + bytes_, from, bytes);
    bytes_ += bytes;
  }
  static base::aligned_bytes zeros() {
    base::aligned_bytes made = base::make_aligned_bytes(capacity);
    std::memset(made.get(), 0, capacity);
    return made;
  }

  static constexpr std::size_t capacity = 4 * block_bytes;
  base::aligned_bytes storage_ = zeros();
  std::size_t bytes_ = 0, last_ = 0;
};

}  // namespace orujo::internal::messages
