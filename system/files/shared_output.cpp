#include "system/files/shared_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

namespace orujo::internal::files {
namespace {

// An identifier of this machine's boot; empty if the system has none.
std::string this_machine() {
  std::string id(64, '\0');
  const base::descriptor file = base::descriptor::open("/proc/sys/kernel/random/boot_id", O_RDONLY);
  id.resize(
      static_cast<std::size_t>(std::max<ssize_t>(file.read_at(0, std::as_writable_bytes(std::span(id))), 0)));
  return id;
}

}  // namespace

std::optional<shared_output_place> shared_output_place::of(const std::string& path,
                                                           const base::descriptor& opened,
                                                           std::uint64_t size) {
  struct stat file;
  shared_output_place place{path, 0, 0, this_machine(), size};
  if (place.machine.empty() || ::fstat(opened.number(), &file) != 0) return {};
  place.device = file.st_dev;
  place.node = file.st_ino;
  return place;
}

base::descriptor shared_output_place::open() const {
  if (this_machine() != machine) return {};
  base::descriptor made = base::descriptor::open(path.c_str(), O_WRONLY | O_NOFOLLOW);
  struct stat file;
  const bool same = ::fstat(made.number(), &file) == 0 && file.st_dev == device && file.st_ino == node;
  return same ? std::move(made) : base::descriptor();
}

}  // namespace orujo::internal::files
