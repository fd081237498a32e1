#include "system/files/replacement_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <glog/logging.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "system/base/fatal.hpp"

namespace orujo::internal::files {
namespace {

namespace fs = std::filesystem;

// The temporary names. A signal handler that takes one leaves the memory alone.
std::array<std::atomic<char*>, 16> unfinished;
static_assert(std::atomic<char*>::is_always_lock_free);
std::atomic<bool> process_ends;  // remove_replacement_files() has begun

// Returns the number of its slot, or -1 if all slots are taken; then only its object removes the file.
int remember(const std::string& path) {
  base::set_clean_up_hook(&remove_replacement_files);
  char* const copy = ::strdup(path.c_str());
  for (std::size_t k = 0; copy && k < unfinished.size(); ++k) {
    char* expected = nullptr;
    if (unfinished[k].compare_exchange_strong(expected, copy)) return static_cast<int>(k);
  }
  ::free(copy);
  return -1;
}

void forget(int number) {
  if (number >= 0) ::free(unfinished[static_cast<std::size_t>(number)].exchange(nullptr));
}

fs::path temporary_name(const fs::path& path) {
  constexpr std::size_t most = NAME_MAX - sizeof(".12345678.partial");
  std::uint32_t random = 0;
  [[maybe_unused]] const int drawn = ::getentropy(&random, sizeof random);
  return path.parent_path() /
         fmt::format(".{}.{:08x}.partial", path.filename().string().substr(0, most), random);
}

}  // namespace

result<replacement_file> replacement_file::create(const output_place& place) {
  replacement_file made(place);
  // Nobody may see what replaces a private file. The mode of a new file is subject to the umask.
  const mode_t mode = place.there ? 0600 : 0666;
  for (int tries = 0;; ++tries) {
    made.temporary_ = temporary_name(place.path);
    // Registered first, because a signal may end the process as soon as the file exists.
    made.number_ = remember(made.temporary_);
    while (process_ends) ::pause();
    made.file_ =
        base::descriptor::open(made.temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (made.file_.is_open()) break;
    const int why = errno;
    forget(std::exchange(made.number_, -1));
    if (why == EEXIST && tries < 100) continue;
    if (why != EACCES) return cannot_write(place.path, why);
    return cannot_write(place.path, "no permission to make a file in its directory");
  }
  while (process_ends) {  // it began after the check above
    ::unlink(made.temporary_.c_str());
    ::pause();
  }
  return made;
}

replacement_file::replacement_file(replacement_file&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      replaced_(other.replaced_),
      file_(std::move(other.file_)),
      number_(std::exchange(other.number_, -1)) {}

replacement_file::~replacement_file() {
  if (!file_.is_open()) return;
  ::unlink(temporary_.c_str());
  forget(number_);
}

bool replacement_file::keep_mode_and_owner() const {
  mode_t mode = replaced_->st_mode & 0777;
  if (::fchown(file_.number(), replaced_->st_uid, replaced_->st_gid) != 0 &&
      ::fchown(file_.number(), static_cast<uid_t>(-1), replaced_->st_gid) != 0)
    mode = (mode & ~mode_t{070}) | ((mode & 007) << 3);  // another group may do what all may
  return ::fchmod(file_.number(), mode) == 0;
}

bool replacement_file::another_has_written() const {
  struct stat now;
  if (::lstat(path_.c_str(), &now) != 0) return false;
  return !replaced_ || now.st_dev != replaced_->st_dev || now.st_ino != replaced_->st_ino ||
         now.st_mtim.tv_sec != replaced_->st_mtim.tv_sec || now.st_mtim.tv_nsec != replaced_->st_mtim.tv_nsec;
}

status replacement_file::take_place() {
  if (replaced_ && !keep_mode_and_owner()) return cannot_write(path_, errno);
  // A crash leaves an empty file if the rename reaches the disk before the bytes.
  if (::fsync(file_.number()) != 0 && errno != EINVAL) return cannot_write(path_, errno);
  if (another_has_written()) {
    LOG(WARNING) << "'" << path_ << "' was written by another process meanwhile: this job replaces it";
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write(path_, errno);
  forget(number_);
  file_.close();
  // The new name must survive a crash, too.
  const fs::path folder = fs::path(path_).parent_path();
  const base::descriptor directory =
      base::descriptor::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  ::fsync(directory.number());
  return {};
}

void leave_replacement_files() {
  for (auto& place : unfinished) place = nullptr;  // its memory is the process's own
}

void remove_replacement_files() {
  process_ends = true;
  for (auto& place : unfinished) {
    if (const char* path = place.exchange(nullptr)) ::unlink(path);
  }
}

}  // namespace orujo::internal::files
