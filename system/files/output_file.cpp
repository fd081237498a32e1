#include "system/files/output_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "system/files/standard_output.hpp"

namespace orujo::internal::files {
namespace {

result<base::descriptor> duplicate(const std::string& path, int number) {
  base::descriptor copy(::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!copy.is_open()) return cannot_write(path, errno);
  return copy;
}

// Opens a duplicate of a descriptor of this process.
result<base::descriptor> open_descriptor(const std::string& path, int number) {
  if (number == STDOUT_FILENO) return take_standard_output();
  const int flags = ::fcntl(number, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) return cannot_write(path, "it is open for reading only");
  return duplicate(path, number);
}

// Opens a device or a pipe, unless the path has become something else since it was resolved.
result<base::descriptor> open_special(const std::string& path, const output_place& place) {
  base::descriptor opened = base::descriptor::open(place.path.c_str(), O_WRONLY | O_NOCTTY | O_NOFOLLOW);
  if (!opened.is_open()) return cannot_write(path, errno);
  struct stat about;
  if (::fstat(opened.number(), &about) == 0 && !S_ISREG(about.st_mode)) return opened;
  return cannot_write(path, "it has just been replaced");
}

}  // namespace

output_file::output_file(output_file&& other) noexcept
    : path_(std::move(other.path_)),
      replacement_(std::move(other.replacement_)),
      file_(std::exchange(other.file_, nullptr)),
      error_(other.error_) {}

output_file::~output_file() {
  if (file_) std::fclose(file_);
}

result<output_file> output_file::open(const std::string& path) {
  output_file made;
  made.path_ = path;
  if (path.empty()) return made;
  const auto place = find_output_place(path);
  if (!place.ok()) return place.status();
  result<base::descriptor> opened = base::descriptor();
  if (place.value().is == output_place::kind::descriptor) {
    opened = open_descriptor(path, place.value().descriptor);
  } else if (place.value().is == output_place::kind::special) {
    opened = open_special(path, place.value());
  } else {
    auto created = replacement_file::create(place.value());
    if (!created.ok()) return created.status();
    made.replacement_.emplace(std::move(created).value());
    opened = duplicate(path, made.replacement_->file().number());
  }
  if (!opened.ok()) return opened.status();
  made.file_ = ::fdopen(opened.value().number(), "w");
  if (!made.file_) return cannot_write(path, errno);
  opened.value().release();
  return made;
}

void output_file::write(std::string_view bytes) {
  if (!file_ || failed()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) error_ = errno;
}

std::optional<shared_output_place> output_file::share() {
  if (!replacement_ || failed()) return {};
  const long at = std::fflush(file_) == 0 ? std::ftell(file_) : -1;
  if (at < 0) {
    error_ = errno;
    return {};
  }
  return shared_output_place::of(replacement_->temporary_path(), replacement_->file(),
                                 static_cast<std::uint64_t>(at));
}

void output_file::skip(std::uint64_t bytes) {
  if (!file_ || failed()) return;
  if (std::fseek(file_, static_cast<long>(bytes), SEEK_CUR) != 0) error_ = errno;
}

status output_file::finish() {
  if (!file_) return {};
  const auto note = [this](bool done) {
    if (!done && !failed()) error_ = errno;
  };
  note(std::fflush(file_) == 0);
  // Most targets that are written in place have no disk.
  if (in_place())
    note(::fsync(::fileno(file_)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP);
  note(std::fclose(std::exchange(file_, nullptr)) == 0);
  status done = failed() ? cannot_write(path_, error_) : status();
  if (done.ok() && replacement_) done = replacement_->take_place();
  replacement_.reset();
  return done;
}

}  // namespace orujo::internal::files
