#include "system/checkpoint/chunk_reader.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "system/base/checksum.hpp"
#include "system/checkpoint/folder.hpp"

namespace orujo::checkpoint {
namespace {

status damaged_file(const std::string& path, std::string_view what) {
  return {exit_status::bad_data, fmt::format("'{}': {}", path, what)};
}

}  // namespace

void chunk_reader::open(const std::string& path, std::uint64_t file) {
  close();
  file_ = file;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat found = {};
  file_bytes_ = ::fstat(descriptor_, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

void chunk_reader::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

result<std::span<const std::byte>> chunk_reader::read(const chunk& c) {
  const std::string path = file_path(folder_, from_.epoch, from_.token, c.file);
  if (c.file != file_) open(path, c.file);
  if (descriptor_ < 0) return damaged_file(path, "it cannot be opened");
  const std::uint64_t bytes = c.records * from_.sections[c.section].record_bytes;
  if (c.at > file_bytes_ || bytes > file_bytes_ - c.at) return damaged_file(path, "it ends too early");
  bytes_.resize(bytes);
  for (std::size_t got = 0; got < bytes_.size();) {
    const ssize_t more =
        ::pread(descriptor_, bytes_.data() + got, bytes_.size() - got, static_cast<off_t>(c.at + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return damaged_file(path, std::strerror(errno));
    if (more == 0) return damaged_file(path, "it ends too early");
    got += static_cast<std::size_t>(more);
  }
  if (base::checksum(bytes_) != c.checksum)
    return damaged_file(path, fmt::format("its {} bytes from {} on are damaged: their checksum differs",
                                          bytes_.size(), c.at));
  return std::span<const std::byte>(bytes_);
}

}  // namespace orujo::checkpoint
