// Compressed files whose content is in parts that can be decompressed one without the other: members of gzip,
// as bgzip and concatenation make them, frames of zstd, as pzstd and concatenation do.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/plain_source.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct packed_part {
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  std::uint64_t at = 0;  // where it begins in the file; it ends where the next one begins, or the file ends
  std::uint64_t bytes = 0;  // of content, or unknown
};

// Finds parts by their headers: bgzip's blocks and the frames of zstd name their sizes, so it goes from one
// header to the next. Reads 22 bytes per block, 8 per 128 KiB of a frame. Returns nothing if the file is not
// like that to its end. Fails if the file cannot be read.
result<std::vector<packed_part>> list_parts(plain_source& file, compression how);

// Finds the starts of gzip members in bytes [first, last) of a file, except the first of the file. `bytes`
// are those of the member before each, by its last four bytes. All bytes are searched for headers, so several
// cores can search. A found start may be wrong.
result<std::vector<packed_part>> find_members(plain_source& file, std::uint64_t first, std::uint64_t last);
// Joins the found members of all readers. Returns nothing if they contradict each other.
result<std::vector<packed_part>> parts_of_members(plain_source& file, std::span<const packed_part> found);

// Counts the bytes of content in bytes [first, last) of the file, by decompressing them.
result<std::uint64_t> count_content(const plain_source& file, compression how, std::uint64_t first,
                                    std::uint64_t last);

// Joins parts of known sizes, so that each but the last has at least `least_bytes` of content.
std::vector<packed_part> join_parts(std::span<const packed_part> parts, std::uint64_t least_bytes);

// The content of all parts, at any offset. Reading past the end of a part checks that it ends there as the
// parts say. So readers of the whole check the same as one reader from the start of the file. Bytes that
// are not read are not checked. Reading on is cheap. Reading at another offset decompresses a part from its
// start.
class parted_source final : public byte_source {
 public:
  // parts: of known sizes, in ascending order, from byte 0 on.
  parted_source(std::unique_ptr<plain_source> file, compression how, std::vector<packed_part> parts);

  bool seekable() const override { return true; }
  std::uint64_t size() const override { return size_; }
  result<std::size_t> read(std::span<char> into) override;
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override;
  std::uint64_t start_near(std::uint64_t offset, std::uint64_t most) const override;

  // True if a failure may be due to the parts. Then the file has to be read from its start to its end.
  bool misled() const { return misled_; }

 private:
  std::size_t part_of(std::uint64_t offset) const;
  result<std::size_t> read_on(std::span<char> into);
  status start_part(std::size_t part);
  status end_part();
  status mislead(status why);
  std::uint64_t window_end() const { return window_first_ + window_bytes_; }

  const std::unique_ptr<plain_source> file_;
  const compression how_;
  std::vector<packed_part> parts_;
  std::vector<std::uint64_t> firsts_;  // of the parts' content, and the end of the last one's
  std::uint64_t size_ = 0, position_ = 0;

  std::mutex mutex_;  // of what follows
  std::unique_ptr<byte_source> stream_;
  std::size_t part_ = 0;      // that it reads
  std::vector<char> window_;  // what it gave last, unless that went straight to the reader
  std::uint64_t window_first_ = 0, window_bytes_ = 0;
  bool misled_ = false;
};

}  // namespace orujo::internal::formats
