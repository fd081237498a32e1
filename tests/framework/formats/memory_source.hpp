// A file in memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "framework/formats/byte_source.hpp"

namespace orujo::internal::formats {

// Gives at most `most` bytes at a time.
class memory_source final : public byte_source {
 public:
  explicit memory_source(std::string content, std::string path = "F", std::size_t most = std::string::npos,
                         bool seekable = true)
      : byte_source(std::move(path)), content_(std::move(content)), most_(most), seekable_(seekable) {}

  bool seekable() const override { return seekable_; }
  std::uint64_t size() const override { return content_.size(); }
  result<std::size_t> read(std::span<char> into) override {
    auto got = read_at(position_, into);
    position_ += got.value();
    return got;
  }
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const std::string_view rest =
        std::string_view(content_).substr(std::min<std::size_t>(offset, content_.size()));
    return rest.copy(into.data(), std::min(into.size(), most_));
  }
  result<std::unique_ptr<byte_source>> again() const override {
    return std::unique_ptr<byte_source>(std::make_unique<memory_source>(content_, path(), most_, seekable_));
  }

 private:
  std::string content_;
  std::size_t most_;
  bool seekable_;
  std::uint64_t position_ = 0;
};

}  // namespace orujo::internal::formats
