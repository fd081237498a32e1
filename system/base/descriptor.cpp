#include "system/base/descriptor.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace orujo::internal::base {

descriptor descriptor::open(const char* path, int flags, mode_t mode) {
  int number;
  do number = ::open(path, flags | O_CLOEXEC, mode);
  while (number < 0 && errno == EINTR);
  return descriptor(number);
}

void descriptor::close() {
  if (number_ >= 0) ::close(release());
}

int descriptor::write_at(std::uint64_t at, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    at += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

ssize_t descriptor::read_at(std::uint64_t at, std::span<std::byte> into) const {
  std::size_t got = 0;
  while (got < into.size()) {
    const ssize_t more = ::pread(number_, into.data() + got, into.size() - got, static_cast<off_t>(at + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return -1;
    if (more == 0) break;
    got += static_cast<std::size_t>(more);
  }
  return static_cast<ssize_t>(got);
}

}  // namespace orujo::internal::base
