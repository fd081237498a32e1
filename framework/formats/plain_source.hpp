// A file as it lies on the disk, or a part of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "framework/formats/byte_source.hpp"
#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

class plain_source final : public byte_source {
 public:
  // Regular files only; fails as open_source() does.
  static result<std::unique_ptr<plain_source>> open(const std::string& path);
  // Bytes [first, last) of the same file, as a source that ends there. Offsets are those of the file.
  std::unique_ptr<plain_source> part(std::uint64_t first, std::uint64_t last) const;

  bool seekable() const override { return true; }
  std::uint64_t size() const override { return size_; }
  int descriptor() const;

  result<std::size_t> read(std::span<char> into) override;
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override;
  // Like read_at, but tries past size() too (files of /proc say 0) and returns 0 at the end.
  result<std::size_t> peek(std::uint64_t offset, std::span<char> into);

 private:
  plain_source(std::string path, std::shared_ptr<const base::descriptor> file, std::uint64_t first,
               std::uint64_t size);

  const std::shared_ptr<const base::descriptor> file_;
  const std::uint64_t size_;  // where it ends
  std::uint64_t position_;
};

}  // namespace orujo::internal::formats
