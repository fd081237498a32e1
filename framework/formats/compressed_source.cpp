#include "framework/formats/compressed_source.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace orujo::internal::formats {
namespace {

constexpr std::size_t compressed_buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t longest_inflate = std::size_t{1} << 30;  // zlib counts bytes in 32 bits

// Decompresses a plain file from its start to its end.
class compressed_source : public byte_source {
 public:
  bool seekable() const override { return false; }
  std::optional<compression> compressed_by() const override { return how_; }
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
  compressed_source(std::unique_ptr<plain_source> file, compression how)
      : byte_source(file->path()), file_(std::move(file)), how_(how), input_(compressed_buffer_bytes) {}

  // Takes what it uses off the front of `from`, and what it fills off that of `into`.
  virtual status decompress(std::span<char>& from, std::span<char>& into) = 0;
  // True if the file may end here: such files may consist of several parts.
  virtual bool between_parts() const = 0;

  status bad_data(std::string_view what) const {
    const std::string_view kind = how_ == compression::gzip ? "gzip" : "zstd";  // so is the program called
    return {exit_status::bad_data,
            fmt::format("{}: the {} data {} at byte {}; check it with {} -t, or get it again", path(), kind,
                        what, read_ - unread_.size(), kind)};
  }
  status no_memory() const {
    return {exit_status::no_resource,
            fmt::format("no memory to decompress graph '{}'; free some memory", path())};
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
  const compression how_;
  std::vector<char> input_;
  std::span<char> unread_;
  bool holds_more_ = false;  // maybe: what it took, it had no room to give
  std::uint64_t read_ = 0;
};

// One or more members (RFC 1952).
class gzip_source final : public compressed_source {
 public:
  explicit gzip_source(std::unique_ptr<plain_source> file)
      : compressed_source(std::move(file), compression::gzip) {}
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
      : compressed_source(std::move(file), compression::zstd), stream_(::ZSTD_createDStream()) {}
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

template <class Source>
result<std::unique_ptr<byte_source>> started(std::unique_ptr<plain_source> file) {
  auto source = std::make_unique<Source>(std::move(file));
  if (status failed = source->start(); !failed.ok()) return failed;
  return std::unique_ptr<byte_source>(std::move(source));
}

}  // namespace

bool is_skippable_frame(std::string_view start) {
  return start.size() >= 4 && (start[0] & 0xf0) == 0x50 && start.substr(1, 3) == "\x2a\x4d\x18";
}

std::optional<compression> compression_of(std::string_view start) {
  if (start.starts_with(zstd_magic) || is_skippable_frame(start)) return compression::zstd;
  if (start.starts_with(gzip_magic)) return compression::gzip;
  return {};
}

result<std::unique_ptr<byte_source>> decompress(std::unique_ptr<plain_source> file, compression how) {
  return how == compression::gzip ? started<gzip_source>(std::move(file))
                                  : started<zstd_source>(std::move(file));
}

}  // namespace orujo::internal::formats
