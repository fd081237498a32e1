#include "system/base/output_file.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <utility>

namespace orujo {
namespace {

status cannot_write(const std::string& path, int error) {
  return {exit_status::io_error, fmt::format("cannot write '{}': {}", path, std::strerror(error))};
}

}  // namespace

output_file::output_file(output_file&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), error_(other.error_) {}

output_file::~output_file() {
  if (!file_) return;
  std::fclose(file_);
  std::remove((path_ + ".partial").c_str());
}

result<output_file> output_file::open(const std::string& path) {
  output_file made;
  made.path_ = path;
  if (path.empty()) return made;
  if (std::filesystem::is_directory(path)) return cannot_write(path, EISDIR);
  made.file_ = std::fopen((path + ".partial").c_str(), "w");
  if (!made.file_) return cannot_write(path, errno);
  return made;
}

void output_file::write(std::string_view bytes) {
  if (!file_ || failed()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) error_ = errno;
}

status output_file::finish() {
  if (!file_) return {};
  const auto note = [this](bool done) {
    if (!done && !failed()) error_ = errno;
  };
  note(std::fflush(file_) == 0);
  // Where it is renamed before its bytes are on the disk, a crash leaves an empty file. Pipes have no disk.
  note(::fsync(::fileno(file_)) == 0 || errno == EINVAL || errno == EROFS);
  note(std::fclose(std::exchange(file_, nullptr)) == 0);
  const std::string partial = path_ + ".partial";
  if (!failed()) note(std::rename(partial.c_str(), path_.c_str()) == 0);
  if (!failed()) return {};
  std::remove(partial.c_str());
  return cannot_write(path_, error_);
}

}  // namespace orujo
