#include "framework/formats/source_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace orujo::internal::formats {
namespace {

class bytes_in_memory final : public byte_source {
 public:
  bytes_in_memory(std::string path, std::vector<char> bytes)
      : byte_source(std::move(path)), bytes_(std::move(bytes)) {}

  bool seekable() const override { return true; }
  std::uint64_t size() const override { return bytes_.size(); }
  result<std::size_t> read(std::span<char> into) override {
    auto got = read_at(position_, into);
    position_ += got.value();
    return got;
  }
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const std::size_t first = std::min<std::size_t>(offset, bytes_.size());
    const std::size_t count = std::min(into.size(), bytes_.size() - first);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(first), count, into.begin());
    return count;
  }

 private:
  std::vector<char> bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace

status read_all(byte_source& source, std::uint64_t at, std::span<char> into) {
  while (!into.empty()) {
    const auto got = source.read_at(at, into);
    if (!got.ok()) return got.status();
    if (got.value() == 0)
      return {exit_status::bad_data, fmt::format("{}: byte {}: the file ends", source.path(), at)};
    at += got.value();
    into = into.subspan(got.value());
  }
  return {};
}

result<std::string_view> looked_at_source::look(std::size_t bytes) {
  start_.resize(bytes);
  std::size_t filled = 0;
  while (filled < bytes) {
    const auto rest = std::span(start_).subspan(filled);
    const auto got = seekable() ? of_.read_at(filled, rest) : of_.read(rest);
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    filled += got.value();
  }
  start_.resize(filled);
  return std::string_view(start_);
}

result<std::size_t> looked_at_source::read(std::span<char> into) {
  if (seekable() || given_ == start_.size()) return of_.read(into);
  const std::size_t count = std::min(into.size(), start_.size() - given_);
  std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(given_), count, into.begin());
  given_ += count;
  return count;
}

std::unique_ptr<byte_source> source_in_memory(std::string path, std::vector<char> bytes) {
  return std::make_unique<bytes_in_memory>(std::move(path), std::move(bytes));
}

result<std::unique_ptr<byte_source>> read_into_memory(byte_source& source, std::uint64_t most_bytes) {
  constexpr std::size_t step = std::size_t{1} << 20;
  std::vector<char> bytes;
  for (std::size_t filled = 0;;) {
    if (bytes.size() - filled < step) {
      const std::size_t larger = std::max(filled + step, filled + filled / 2);
      if (filled + larger > most_bytes)
        return status(exit_status::no_resource,
                      fmt::format("{}: holds more than fits into memory, {} bytes to read it into: "
                                  "decompress the file, or raise --memory_budget_bytes if you set it",
                                  source.path(), most_bytes));
      bytes.resize(larger);
    }
    const auto got = source.read(std::span(bytes).subspan(filled));
    if (!got.ok()) return got.status();
    filled += got.value();
    if (got.value() > 0) continue;
    bytes.resize(filled);
    return source_in_memory(source.path(), std::move(bytes));
  }
}

}  // namespace orujo::internal::formats
