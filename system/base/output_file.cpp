#include "system/base/output_file.hpp"

#include <errno.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <utility>

namespace orujo {
namespace {

status cannot_write(const std::string& path) {
  return {exit_status::io_error, fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
}

}  // namespace

output_file::output_file(output_file&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), failed_(other.failed_) {}

output_file::~output_file() {
  if (!file_) return;
  std::fclose(file_);
  std::remove((path_ + ".partial").c_str());
}

result<output_file> output_file::open(const std::string& path) {
  output_file made;
  made.path_ = path;
  if (path.empty()) return made;
  if (std::filesystem::is_directory(path)) {
    errno = EISDIR;
    return cannot_write(path);
  }
  made.file_ = std::fopen((path + ".partial").c_str(), "w");
  if (!made.file_) return cannot_write(path);
  return made;
}

void output_file::write(const std::string& text) {
  if (file_) failed_ = std::fputs(text.c_str(), file_) < 0 || failed_;
}

status output_file::finish() {
  if (!file_) return {};
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  const std::string partial = path_ + ".partial";
  if (failed_ || !closed || std::rename(partial.c_str(), path_.c_str()) != 0) {
    const status failure = cannot_write(path_);
    std::remove(partial.c_str());
    return failure;
  }
  return {};
}

}  // namespace orujo
