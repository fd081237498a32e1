#include "system/base/shared_output.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace orujo::base {
namespace {

// An identifier of this machine's boot; empty if the system has none.
std::string this_machine() {
  const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 64> id;
  const ssize_t got = ::read(file, id.data(), id.size());
  ::close(file);
  return {id.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace

std::optional<shared_output_place> shared_output_place::of(const std::string& path, int descriptor,
                                                           std::uint64_t size) {
  struct stat file;
  shared_output_place place{path, 0, 0, this_machine(), size};
  if (place.machine.empty() || ::fstat(descriptor, &file) != 0) return {};
  place.device = file.st_dev;
  place.node = file.st_ino;
  return place;
}

std::optional<shared_output> shared_output::open(const shared_output_place& place) {
  if (this_machine() != place.machine) return {};
  shared_output made(::open(place.path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat file;
  if (made.descriptor_ < 0 || ::fstat(made.descriptor_, &file) != 0) return {};
  if (file.st_dev != place.device || file.st_ino != place.node) return {};
  return made;
}

shared_output::shared_output(shared_output&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

shared_output::~shared_output() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int shared_output::write(std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    at += static_cast<std::uint64_t>(put);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

}  // namespace orujo::base
