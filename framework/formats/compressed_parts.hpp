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

namespace orujo::formats {

struct packed_part {
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  std::uint64_t at = 0;  // where it begins in the file; it ends where the next one begins, or the file ends
  std::uint64_t bytes = 0;  // of content, or unknown
};

// What headers say: goes from one to the next, of which bgzip's blocks and the frames of zstd have the size.
// 22 bytes are read per block, 8 per 128 KiB of a frame. Nothing where that is not how the file goes on to
// its end. Fails where the file cannot be read.
result<std::vector<packed_part>> list_parts(plain_source& file, compression how);

// Where members of gzip seem to begin in bytes [first, last) of a file, none of which is its first; `bytes`
// are those of the member before each, as its last four bytes say. By searching all bytes for headers, so
// that several can search.
result<std::vector<packed_part>> find_members(plain_source& file, std::uint64_t first, std::uint64_t last);
// All of them together. Nothing where they cannot be what they seem to be.
result<std::vector<packed_part>> parts_of_members(plain_source& file, std::span<const packed_part> found);

// Of content in bytes [first, last) of the file. Decompresses them.
result<std::uint64_t> count_content(const plain_source& file, compression how, std::uint64_t first,
                                    std::uint64_t last);

// Fewer: each but the last has at least so many bytes of content, whose sizes are all known.
std::vector<packed_part> join_parts(std::span<const packed_part> parts, std::uint64_t least_bytes);

// The content of all parts, at any place. Whoever reads past the end of a part checks that it has ended there
// and as the parts say, so readers of the whole have seen what one has who reads the file from its start.
// What is not read is not checked. Reading on is cheap, reading at another place decompresses a part from its
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

  // Whether a failure may be due to the parts: then the file has to be read from its start to its end.
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

}  // namespace orujo::formats
