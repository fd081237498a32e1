#include "framework/formats/byte_sink.hpp"

#include <fmt/format.h>
#include <glog/logging.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace orujo::internal::formats {
namespace {

constexpr std::size_t packed_bytes = std::size_t{256} << 10;
constexpr std::size_t longest_deflate = std::size_t{1} << 30;  // zlib counts bytes in 32 bits

status no_memory_to_compress(const std::string& path) {
  return {exit_status::no_resource, fmt::format("no memory to compress '{}'; free some memory", path)};
}

class plain_sink final : public byte_sink {
 public:
  explicit plain_sink(files::output_file file) : byte_sink(std::move(file)) {}
};

// One member (RFC 1952).
class gzip_sink final : public byte_sink {
 public:
  explicit gzip_sink(files::output_file file) : byte_sink(std::move(file)), packed_(packed_bytes) {}
  ~gzip_sink() override { ::deflateEnd(&stream_); }

  // Call once, first.
  bool start() {
    constexpr int gzip_format = 16 + MAX_WBITS, memory_level = 8;
    return ::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, memory_level,
                          Z_DEFAULT_STRATEGY) == Z_OK;
  }
  void write(std::string_view bytes) override {
    while (!bytes.empty() && !failed()) {
      const std::string_view some = bytes.substr(0, longest_deflate);
      bytes.remove_prefix(some.size());
      pack(some, Z_NO_FLUSH);
    }
  }
  status finish() override {
    pack({}, Z_FINISH);
    return file_.finish();
  }

 private:
  void pack(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_out = static_cast<uInt>(packed_.size());
      ::deflate(&stream_, flush);
      file_.write({packed_.data(), packed_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<char> packed_;
};

// One frame (RFC 8878) with a checksum.
class zstd_sink final : public byte_sink {
 public:
  explicit zstd_sink(files::output_file file)
      : byte_sink(std::move(file)), stream_(::ZSTD_createCCtx()), packed_(packed_bytes) {}
  ~zstd_sink() override { ::ZSTD_freeCCtx(stream_); }

  // Call once, first.
  bool start() {
    return stream_ != nullptr && !::ZSTD_isError(::ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1));
  }
  void write(std::string_view bytes) override { pack(bytes, ZSTD_e_continue); }
  status finish() override {
    pack({}, ZSTD_e_end);
    return file_.finish();
  }

 private:
  void pack(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done && !failed();) {
      ZSTD_outBuffer out{packed_.data(), packed_.size(), 0};
      const std::size_t left = ::ZSTD_compressStream2(stream_, &out, &in, directive);
      CHECK(!::ZSTD_isError(left)) << "zstd: " << ::ZSTD_getErrorName(left);
      file_.write({packed_.data(), out.pos});
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  }

  ZSTD_CCtx* const stream_;
  std::vector<char> packed_;
};

template <class Sink>
result<std::unique_ptr<byte_sink>> compressing(files::output_file file, const std::string& path) {
  auto sink = std::make_unique<Sink>(std::move(file));
  if (!sink->start()) return no_memory_to_compress(path);
  return std::unique_ptr<byte_sink>(std::move(sink));
}

}  // namespace

std::string_view take_compression(std::string_view& path) {
  for (const auto& [suffix, kind] : {std::pair<std::string_view, std::string_view>{".gz", "gzip"},
                                     {".zst", "zstd"},
                                     {".bz2", "bzip2"},
                                     {".xz", "xz"}}) {
    if (!path.ends_with(suffix)) continue;
    path.remove_suffix(suffix.size());
    return kind;
  }
  return {};
}

result<std::unique_ptr<byte_sink>> byte_sink::open(const std::string& path) {
  std::string_view rest = path;
  const std::string_view kind = take_compression(rest);
  if (kind == "bzip2" || kind == "xz")
    return status(exit_status::usage,
                  fmt::format("cannot write '{}': {} is read only; use .gz or .zst", path, kind));
  auto opened = files::output_file::open(path);
  if (!opened.ok()) return opened.status();
  if (kind == "gzip") return compressing<gzip_sink>(std::move(opened).value(), path);
  if (kind == "zstd") return compressing<zstd_sink>(std::move(opened).value(), path);
  return std::unique_ptr<byte_sink>(std::make_unique<plain_sink>(std::move(opened).value()));
}

}  // namespace orujo::internal::formats
