#include "framework/formats/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "framework/formats/archive_source.hpp"

namespace orujo::formats {
namespace {

constexpr std::size_t compressed_buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t longest_inflate = std::size_t{1} << 30;  // zlib counts bytes in 32 bits

std::string error_text(int error) { return std::generic_category().message(error); }

status cannot_open(const std::string& path, std::string_view why) {
  return {exit_status::no_input, fmt::format("cannot open graph '{}': {}; check --graph", path, why)};
}

class plain_source final : public byte_source {
 public:
  // Owns the descriptor from here on.
  plain_source(std::string path, int descriptor, std::uint64_t size)
      : byte_source(std::move(path)), descriptor_(descriptor), size_(size) {}
  ~plain_source() override { ::close(descriptor_); }

  bool seekable() const override { return true; }
  std::uint64_t size() const override { return size_; }
  int descriptor() const { return descriptor_; }

  result<std::size_t> read(std::span<char> into) override {
    auto got = read_at(position_, into);
    if (got.ok()) position_ += got.value();
    return got;
  }

  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    if (offset >= size_ || into.empty()) return std::size_t{0};
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - offset));
    auto got = peek(offset, into.first(want));
    if (!got.ok() || got.value() > 0) return got;
    return status(
        exit_status::io_error,
        fmt::format("graph '{}' shrank from {} bytes to at most {} while being read; run again when "
                    "nobody writes to it",
                    this->path(), size_, offset));
  }

  // Like read_at, but tries past size() too (files of /proc say 0) and returns 0 at the end.
  result<std::size_t> peek(std::uint64_t offset, std::span<char> into) {
    ssize_t got = 0;
    do got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    while (got < 0 && errno == EINTR);
    if (got >= 0) return static_cast<std::size_t>(got);
    return status(exit_status::io_error,
                  fmt::format("cannot read graph '{}' at byte {}: {}; check its file system", this->path(),
                              offset, error_text(errno)));
  }

 private:
  const int descriptor_;
  const std::uint64_t size_;
  std::uint64_t position_ = 0;
};

// A plain file that is mapped.
class mapped_source final : public byte_source {
 public:
  mapped_source(std::string path, std::span<std::byte> bytes) : byte_source(std::move(path)), bytes_(bytes) {}
  ~mapped_source() override { ::munmap(bytes_.data(), bytes_.size()); }

  bool seekable() const override { return true; }
  std::uint64_t size() const override { return bytes_.size(); }
  std::span<const std::byte> mapped() const override { return bytes_; }
  result<std::size_t> read(std::span<char> into) override {
    auto got = read_at(position_, into);
    position_ += got.value();
    return got;
  }
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(into.size(), bytes_.size() - offset);
    if (count > 0) std::memcpy(into.data(), bytes_.data() + offset, count);
    return count;
  }

 private:
  const std::span<std::byte> bytes_;
  std::uint64_t position_ = 0;
};

// Decompresses a plain file from its start to its end.
class compressed_source : public byte_source {
 public:
  bool seekable() const override { return false; }
  std::uint64_t size() const override { return 0; }
  result<std::size_t> read_at(std::uint64_t, std::span<char>) override {
    return status(exit_status::broken_invariant, "read_at() of compressed graph '" + path() + "'");
  }

  result<std::size_t> read(std::span<char> into) override {
    std::span<char> rest = into;
    while (rest.size() == into.size() && !into.empty()) {
      if (unread_.empty() && !holds_more_) {
        if (status refilled = refill(); !refilled.ok()) return refilled;
        if (unread_.empty()) break;
      }
      if (status done = decompress(unread_, rest); !done.ok()) return done;
      holds_more_ = rest.empty() && !between_parts();
    }
    return into.size() - rest.size();
  }

 protected:
  // kind: what its data are called, and the program that checks it.
  compressed_source(std::unique_ptr<plain_source> file, std::string_view kind)
      : byte_source(file->path()), file_(std::move(file)), kind_(kind), input_(compressed_buffer_bytes) {}

  // Takes what it uses off the front of `from`, and what it fills off that of `into`.
  virtual status decompress(std::span<char>& from, std::span<char>& into) = 0;
  // Whether the file may end here: such files may consist of several parts.
  virtual bool between_parts() const = 0;

  status bad_data(std::string_view what) const {
    return {exit_status::bad_data,
            fmt::format("{}: the {} data {} at byte {}; check it with {} -t, get it again", path(), kind_,
                        what, read_ - unread_.size(), kind_)};
  }
  status no_memory() const {
    return {exit_status::no_resource, fmt::format("no memory to decompress graph '{}'; free some", path())};
  }

 private:
  status refill() {
    auto got = file_->read(input_);
    if (!got.ok()) return got.status();
    unread_ = std::span(input_).first(got.value());
    read_ += got.value();
    if (got.value() > 0 || between_parts()) return {};
    return bad_data("ends in the middle");
  }

  std::unique_ptr<plain_source> file_;
  const std::string_view kind_;
  std::vector<char> input_;
  std::span<char> unread_;
  bool holds_more_ = false;  // maybe: what it took, it had no room to give
  std::uint64_t read_ = 0;
};

// One or more members (RFC 1952).
class gzip_source final : public compressed_source {
 public:
  explicit gzip_source(std::unique_ptr<plain_source> file) : compressed_source(std::move(file), "gzip") {}
  ~gzip_source() override { ::inflateEnd(&stream_); }

  // Call once, first.
  status start() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    return ::inflateInit2(&stream_, gzip_only) == Z_OK ? status() : no_memory();
  }

 private:
  bool between_parts() const override { return between_members_; }

  status decompress(std::span<char>& from, std::span<char>& into) override {
    if (between_members_) ::inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(from.data());
    stream_.avail_in = static_cast<uInt>(from.size());
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min(into.size(), longest_inflate));
    const uInt room = stream_.avail_out;
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    from = from.last(stream_.avail_in);
    into = into.subspan(room - stream_.avail_out);
    between_members_ = code == Z_STREAM_END;
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return {};
    if (code == Z_MEM_ERROR) return no_memory();
    return bad_data(fmt::format("is corrupt ({})", stream_.msg ? stream_.msg : "not gzip"));
  }

  z_stream stream_{};
  bool between_members_ = false;
};

// One or more frames (RFC 8878).
class zstd_source final : public compressed_source {
 public:
  explicit zstd_source(std::unique_ptr<plain_source> file)
      : compressed_source(std::move(file), "zstd"), stream_(::ZSTD_createDStream()) {}
  ~zstd_source() override { ::ZSTD_freeDStream(stream_); }

  // Call once, first.
  status start() { return stream_ != nullptr ? status() : no_memory(); }

 private:
  bool between_parts() const override { return between_frames_; }

  status decompress(std::span<char>& from, std::span<char>& into) override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t code = ::ZSTD_decompressStream(stream_, &out, &in);
    from = from.subspan(in.pos);
    into = into.subspan(out.pos);
    if (::ZSTD_isError(code)) return bad_data(fmt::format("is corrupt ({})", ::ZSTD_getErrorName(code)));
    between_frames_ = code == 0;
    return {};
  }

  ZSTD_DStream* const stream_;
  bool between_frames_ = false;
};

// Why this is no file to read from; empty if it is one.
std::string_view refusal(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "it is a directory";
  return "it is not a regular file";
}

result<std::unique_ptr<plain_source>> open_plain(const std::string& path) {
  // Looked at before it is opened: opening a device or a FIFO can have effects, or wait.
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return cannot_open(path, error_text(errno));
  if (auto why = refusal(about.st_mode); !why.empty()) return cannot_open(path, why);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_open(path, error_text(errno));
  if (::fstat(descriptor, &about) != 0 || !refusal(about.st_mode).empty()) {
    ::close(descriptor);
    return cannot_open(path, "it changed while being opened");
  }
  return std::make_unique<plain_source>(path, descriptor, static_cast<std::uint64_t>(about.st_size));
}

result<std::unique_ptr<byte_source>> open_as_it_is(const std::string& path) {
  auto plain = open_plain(path);
  if (!plain.ok()) return plain.status();
  return std::unique_ptr<byte_source>(std::move(plain).value());
}

template <class Source>
result<std::unique_ptr<byte_source>> open_decompressed(const std::string& path) {
  auto plain = open_plain(path);
  if (!plain.ok()) return plain.status();
  auto source = std::make_unique<Source>(std::move(plain).value());
  if (status started = source->start(); !started.ok()) return started;
  return std::unique_ptr<byte_source>(std::move(source));
}

bool begins_like_tar(byte_source& source) {
  char start[packing_bytes] = {};
  std::size_t filled = 0;
  while (filled < packing_bytes) {
    const auto got = source.read(std::span(start).subspan(filled));
    if (!got.ok() || got.value() == 0) return false;  // and will be so again
    filled += got.value();
  }
  return packing_of({start, filled}) == packing::tar;
}

// What is compressed in a file, or in the archive in it.
template <class Source>
result<std::unique_ptr<byte_source>> decompressed(const std::string& path) {
  auto source = open_decompressed<Source>(path);
  if (!source.ok()) return source;
  if (begins_like_tar(*source.value()))
    return unpack(path, packing::tar, [path] { return open_decompressed<Source>(path); });
  return open_decompressed<Source>(path);
}

}  // namespace

result<std::unique_ptr<byte_source>> byte_source::again() const { return open_source(path_); }

result<std::unique_ptr<byte_source>> open_source(const std::string& path) {
  auto opened = open_plain(path);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<plain_source> plain = std::move(opened).value();

  char magic[packing_bytes] = {};
  auto got = plain->peek(0, magic);
  if (!got.ok()) return got.status();
  const std::string_view start(magic, got.value());
  if (start.starts_with(zstd_magic)) return decompressed<zstd_source>(path);
  if (start.starts_with(gzip_magic)) return decompressed<gzip_source>(path);
  const packing how = packing_of(start);
  if (how != packing::none) return unpack(path, how, [path] { return open_as_it_is(path); });
  return std::unique_ptr<byte_source>(std::move(plain));
}

result<std::unique_ptr<byte_source>> map_source(const std::string& path) {
  auto opened = open_plain(path);
  if (!opened.ok()) return opened.status();
  const plain_source& file = *opened.value();
  if (file.size() == 0) return std::unique_ptr<byte_source>(std::move(opened).value());
  void* const bytes =
      ::mmap(nullptr, file.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.descriptor(), 0);
  if (bytes == MAP_FAILED) {
    return status(exit_status::io_error,
                  fmt::format("cannot map graph '{}': {}; check its file system", path, error_text(errno)));
  }
  return std::unique_ptr<byte_source>(
      std::make_unique<mapped_source>(path, std::span(static_cast<std::byte*>(bytes), file.size())));
}

}  // namespace orujo::formats
