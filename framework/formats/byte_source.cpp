#include "framework/formats/byte_source.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "framework/formats/archive_source.hpp"
#include "framework/formats/compressed_source.hpp"
#include "framework/formats/plain_source.hpp"
#include "framework/formats/sample_graphs.hpp"
#include "framework/formats/source_bytes.hpp"

namespace orujo::internal::formats {
namespace {

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

result<std::unique_ptr<byte_source>> open_as_it_is(const std::string& path) {
  auto plain = plain_source::open(path);
  if (!plain.ok()) return plain.status();
  return std::unique_ptr<byte_source>(std::move(plain).value());
}

result<std::unique_ptr<byte_source>> open_decompressed(const std::string& path, compression how) {
  auto plain = plain_source::open(path);
  if (!plain.ok()) return plain.status();
  return decompress(std::move(plain).value(), how);  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): owned
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
result<std::unique_ptr<byte_source>> decompressed(const std::string& path, compression how) {
  auto source = open_decompressed(path, how);
  if (!source.ok()) return source;
  if (begins_like_tar(*source.value()))
    return unpack(path, packing::tar, [path, how] { return open_decompressed(path, how); });
  return open_decompressed(path, how);
}

// The sample graph of this name. no_file: the error without one.
result<std::unique_ptr<byte_source>> open_sample(const std::string& name, const status& no_file) {
  if (const sample_graph* const found = find_sample_graph(name))
    return source_in_memory(name, {found->dot.begin(), found->dot.end()});
  if (name.empty() || name.find_first_of("./") != name.npos) return no_file;
  return status(no_file.code(),
                fmt::format("{}, or pass the name of a sample: {}", no_file.message(), sample_names));
}

// A zip whose first file is an array of NumPy: no archive with a graph in it, but a graph (.npz).
bool holds_arrays(std::string_view start) {
  constexpr std::size_t name_length_at = 26, name_at = 30;
  if (packing_of(start) != packing::zip || start.size() < name_at) return false;
  return start.substr(name_at, static_cast<unsigned char>(start[name_length_at])).ends_with(".npy");
}

}  // namespace

result<std::unique_ptr<byte_source>> byte_source::again() const { return open_source(path_); }

result<std::unique_ptr<byte_source>> open_source(const std::string& path) {
  auto opened = plain_source::open(path);
  if (std::error_code error; !opened.ok() && !std::filesystem::exists(path, error))
    return open_sample(path, opened.status());
  if (!opened.ok()) return opened.status();
  std::unique_ptr<plain_source> plain = std::move(opened).value();

  char magic[packing_bytes] = {};
  auto got = plain->peek(0, magic);
  if (!got.ok()) return got.status();
  const std::string_view start(magic, got.value());
  if (const auto by = compression_of(start)) return decompressed(path, *by);
  const packing how = holds_arrays(start) ? packing::none : packing_of(start);
  if (how != packing::none) return unpack(path, how, [path] { return open_as_it_is(path); });
  return std::unique_ptr<byte_source>(std::move(plain));
}

result<std::unique_ptr<byte_source>> map_source(const std::string& path) {
  auto opened = plain_source::open(path);
  if (!opened.ok()) return opened.status();
  const plain_source& file = *opened.value();
  if (file.size() == 0) return std::unique_ptr<byte_source>(std::move(opened).value());
  void* const bytes =
      ::mmap(nullptr, file.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.descriptor(), 0);
  if (bytes == MAP_FAILED) {
    return status(exit_status::io_error, fmt::format("cannot map graph '{}': {}; check its file system", path,
                                                     std::generic_category().message(errno)));
  }
  return std::unique_ptr<byte_source>(
      std::make_unique<mapped_source>(path, std::span(static_cast<std::byte*>(bytes), file.size())));
}

}  // namespace orujo::internal::formats
