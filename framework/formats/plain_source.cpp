#include "framework/formats/plain_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace orujo::internal::formats {

namespace {

std::string error_text(int error) { return std::generic_category().message(error); }

status cannot_open(const std::string& path, std::string_view why) {
  return {exit_status::no_input, fmt::format("cannot open graph '{}': {}; check --graph", path, why)};
}

// The reason why this file cannot be read from, or empty if it can.
std::string_view refusal(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "it is a directory";
  return "it is not a regular file";
}

}  // namespace

plain_source::plain_source(std::string path, std::shared_ptr<const base::descriptor> file,
                           std::uint64_t first, std::uint64_t size)
    : byte_source(std::move(path)), file_(std::move(file)), size_(size), position_(first) {}

result<std::unique_ptr<plain_source>> plain_source::open(const std::string& path) {
  // Examined before it is opened: opening a device or a FIFO can have effects, or wait.
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return cannot_open(path, error_text(errno));
  if (auto why = refusal(about.st_mode); !why.empty()) return cannot_open(path, why);
  auto file =
      std::make_shared<const base::descriptor>(base::descriptor::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (!file->is_open()) return cannot_open(path, error_text(errno));
  if (::fstat(file->number(), &about) != 0 || !refusal(about.st_mode).empty())
    return cannot_open(path, "it changed while being opened");
  return std::unique_ptr<plain_source>(
      new plain_source(path, std::move(file), 0, static_cast<std::uint64_t>(about.st_size)));
}

std::unique_ptr<plain_source> plain_source::part(std::uint64_t first, std::uint64_t last) const {
  return std::unique_ptr<plain_source>(new plain_source(path(), file_, first, std::min(last, size_)));
}

int plain_source::descriptor() const { return file_->number(); }

result<std::size_t> plain_source::read(std::span<char> into) {
  auto got = read_at(position_, into);
  if (got.ok()) position_ += got.value();
  return got;
}

result<std::size_t> plain_source::read_at(std::uint64_t offset, std::span<char> into) {
  if (offset >= size_ || into.empty()) return std::size_t{0};
  const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - offset));
  auto got = peek(offset, into.first(want));
  if (!got.ok() || got.value() > 0) return got;
  return status(exit_status::io_error, fmt::format("graph '{}' shrank from {} bytes to at most {} while "
                                                   "being read; run again when no process writes to it",
                                                   this->path(), size_, offset));
}

result<std::size_t> plain_source::peek(std::uint64_t offset, std::span<char> into) {
  ssize_t got = 0;
  do got = ::pread(descriptor(), into.data(), into.size(), static_cast<off_t>(offset));
  while (got < 0 && errno == EINTR);
  if (got >= 0) return static_cast<std::size_t>(got);
  return status(exit_status::io_error,
                fmt::format("cannot read graph '{}' at byte {}: {}; check its file system", this->path(),
                            offset, error_text(errno)));
}

}  // namespace orujo::internal::formats
