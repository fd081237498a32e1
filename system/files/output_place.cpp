#include "system/files/output_place.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "system/base/numbers.hpp"

namespace orujo::internal::files {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as in the kernel

fs::path folder_of(const fs::path& path) {
  return path.parent_path().empty() ? fs::path(".") : path.parent_path();
}

// N of /proc/self/fd/N, however its folder is named (/dev/fd); -1 for any other path.
int own_descriptor(const fs::path& path) {
  const int number = base::number_of<int>(path.filename().string()).value_or(-1);
  if (number < 0) return -1;
  std::error_code missing;
  return fs::equivalent(folder_of(path), "/proc/self/fd", missing) ? number : -1;
}

// A file in a sticky directory that belongs neither to us nor to the directory's owner: it may be a trap.
bool is_foreign(const struct stat& found, const struct stat& folder) {
  return (folder.st_mode & S_ISVTX) && found.st_uid != ::geteuid() && found.st_uid != folder.st_uid;
}

// Returns the reason why this file of the folder cannot be replaced, or an empty string.
std::string refusal(const fs::path& path, const struct stat& found, const struct stat& folder) {
  if (S_ISDIR(found.st_mode)) return std::strerror(EISDIR);
  if (S_ISSOCK(found.st_mode)) return "it is a socket";
  if (!S_ISREG(found.st_mode)) return {};
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return std::strerror(errno);
  const uid_t me = ::geteuid();
  const bool may_rename = !(folder.st_mode & S_ISVTX) || me == 0 || me == found.st_uid || me == folder.st_uid;
  return may_rename ? "" : "only its owner may replace it in a directory with the sticky bit";
}

}  // namespace

status cannot_write(const std::string& path, std::string_view reason) {
  return {exit_status::io_error, fmt::format("cannot write '{}': {}", path, reason)};
}

status cannot_write(const std::string& path, int error) { return cannot_write(path, std::strerror(error)); }

result<output_place> find_output_place(const std::string& path) {
  output_place place;
  if (path == "-") {
    place.is = output_place::kind::descriptor;
    place.descriptor = STDOUT_FILENO;
    return place;
  }
  fs::path at = path;
  for (int links = 0; links < most_links; ++links) {
    place.path = at;
    place.descriptor = own_descriptor(at);
    if (place.descriptor >= 0) {
      place.is = output_place::kind::descriptor;
      return place;
    }
    struct stat found, folder;
    if (::stat(folder_of(at).c_str(), &folder) != 0) return cannot_write(path, errno);
    if (::lstat(at.c_str(), &found) != 0) {
      if (errno != ENOENT) return cannot_write(path, errno);
      if (at.filename().empty()) return cannot_write(path, EISDIR);
      return place;
    }
    if (is_foreign(found, folder))
      return cannot_write(path, "another user owns it, in a directory with the sticky bit");
    if (!S_ISLNK(found.st_mode)) {
      if (const std::string why = refusal(at, found, folder); !why.empty()) return cannot_write(path, why);
      if (S_ISREG(found.st_mode))
        place.there = found;
      else
        place.is = output_place::kind::special;
      return place;
    }
    std::error_code unreadable;
    const fs::path target = fs::read_symlink(at, unreadable);
    if (unreadable) return cannot_write(path, unreadable.value());
    at = folder_of(at) / target;  // or target alone, where it is absolute
  }
  return cannot_write(path, ELOOP);
}

file_identity::file_identity(std::string path) : path_(std::move(path)) {
  struct stat found;
  if ((path_ == "-" ? ::fstat(STDOUT_FILENO, &found) : ::stat(path_.c_str(), &found)) == 0) {
    device_ = S_ISCHR(found.st_mode);
    there_ = {found.st_dev, found.st_ino};
  }
  std::error_code missing;
  if (path_ != "-" && !fs::is_symlink(path_, missing)) return;
  if (const auto place = find_output_place(path_); place.ok()) descriptor_ = place.value().descriptor;
}

bool file_identity::is_same(const file_identity& other) const {
  if (descriptor_ >= 0 && other.descriptor_ >= 0) return descriptor_ == other.descriptor_;
  if (there_ || other.there_) return there_ == other.there_ && !device_;
  const auto mine = folder(), others = other.folder();
  if (!mine || !others || !mine->is_same(*others)) return false;
  return fs::path(find_output_place(path_).value().path).filename() ==
         fs::path(find_output_place(other.path_).value().path).filename();
}

std::optional<file_identity> file_identity::folder() const {
  const auto place = find_output_place(path_);
  if (!place.ok() || place.value().is != output_place::kind::file) return {};
  return file_identity(fs::path(".") / folder_of(place.value().path));  // "-" is a folder there
}

bool same_file(const std::string& a, const std::string& b) {
  return file_identity(a).is_same(file_identity(b));
}

}  // namespace orujo::internal::files
