#include "system/checkpoint/chunk_reader.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <string_view>

#include "system/checkpoint/folder.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::checkpoint {
namespace {

status damaged_file(const std::string& path, std::string_view what) {
  return {exit_status::bad_data, fmt::format("'{}': {}", path, what)};
}

}  // namespace

result<std::span<const std::byte>> chunk_reader::read(const chunk& c) {
  const std::string path = file_path(folder_, from_.epoch, from_.token, c.file);
  if (c.file != number_) {
    number_ = c.file;
    file_ = base::descriptor::open(path.c_str(), O_RDONLY);
    struct stat found = {};
    file_bytes_ = ::fstat(file_.number(), &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
  }
  if (!file_.is_open()) return damaged_file(path, "it cannot be opened");
  const std::uint64_t bytes = c.records * from_.sections[c.section].record_bytes;
  if (c.at > file_bytes_ || bytes > file_bytes_ - c.at) return damaged_file(path, "it ends too early");
  bytes_.resize(bytes);
  const ssize_t got = file_.read_at(c.at, bytes_);
  if (got < 0) return damaged_file(path, std::strerror(errno));
  if (static_cast<std::uint64_t>(got) < bytes) return damaged_file(path, "it ends too early");
  if (files::checksum(bytes_) != c.checksum)
    return damaged_file(path, fmt::format("its {} bytes from {} on are damaged: their checksum differs",
                                          bytes_.size(), c.at));
  return std::span<const std::byte>(bytes_);
}

}  // namespace orujo::internal::checkpoint
