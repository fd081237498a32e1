// Where the bytes of an input file come from: a plain file, or one decompressed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "system/base/status.hpp"

namespace orujo::internal::formats {

// The compression of a single file. bzip2, xz and archives are unpacked elsewhere (archive_source.hpp).
enum class compression { gzip, zstd };

// Any thread may call read_at(), several at a time; read() belongs to one thread.
class byte_source {
 public:
  virtual ~byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  // The path for messages, and for its suffix. For an archive it includes the file inside, once that is being
  // read.
  virtual const std::string& path() const { return path_; }

  // The next bytes of the content, at least one; 0 at its end or where `into` is empty.
  virtual result<std::size_t> read(std::span<char> into) = 0;

  // True if size() and read_at() may be called, as for plain files. False for compressed ones.
  virtual bool seekable() const = 0;
  // The size when the file was opened. So all readers agree on its end while another process appends to it.
  virtual std::uint64_t size() const = 0;
  // Bytes from `offset` on, at least one; 0 past the end. Fails with io_error if the file has shrunk.
  virtual result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) = 0;
  // A better start for a reader than `offset`, where the range of the reader before ends: at most `most` + 1
  // bytes after it. Greater for greater offsets.
  virtual std::uint64_t start_near(std::uint64_t offset, std::uint64_t /*most*/) const { return offset; }
  // The same from its start, for those that cannot be read at any place.
  virtual result<std::unique_ptr<byte_source>> again() const;
  // The compression of the whole file, if it has one.
  virtual std::optional<compression> compressed_by() const { return {}; }
  // All bytes, if they lie in memory.
  virtual std::span<const std::byte> mapped() const { return {}; }

 protected:
  explicit byte_source(std::string path) : path_(std::move(path)) {}

 private:
  std::string path_;
};

// Opens a regular file, or the graph of this name in sample_graphs.hpp if there is no such file. Gzip, zstd,
// bzip2 and xz are recognised by the content of the file and decompressed, and of a zip or tar, compressed or
// not, the graph's file is read (archive_source.hpp). Fails with no_input for what is missing, unreadable or
// not a regular file, and io_error if the first bytes cannot be read. A truncated or corrupt compressed file
// shows when its end is read: bad_data with the byte offset.
result<std::unique_ptr<byte_source>> open_source(const std::string& path);

// Maps a plain file into memory: pages are read when they are touched, and written to in this process only.
// The file must not be changed while the source lives: reading a page that is cut off ends the job (SIGBUS).
// Fails as open_source() does, and with io_error if the file system cannot map.
result<std::unique_ptr<byte_source>> map_source(const std::string& path);

}  // namespace orujo::internal::formats
