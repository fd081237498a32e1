#include "framework/tables/mapreduce/input_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/files/checksum.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::mapreduce {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t tail_bytes = std::size_t{4} << 10;  // read at a time after the end of a part

constexpr std::size_t shortest_chunk = 4;  // has all of a byte-order mark

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

result<std::vector<std::string>> files_of(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  auto at =
      fs::recursive_directory_iterator(directory, fs::directory_options::follow_directory_symlink, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
    } else if (!at->is_directory(error)) {
      paths.push_back(at->path().string());
    }
  }
  if (error)
    return status(exit_status::no_input,
                  fmt::format("cannot read the directory '{}': {}", directory, error.message()));
  if (paths.empty())
    return status(exit_status::no_input,
                  fmt::format("no files in the directory '{}'; expected some with text", directory));
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Phrases errors for any text, because those of `formats::open_source()` name graphs.
status check_readable(const std::string& path) {
  std::error_code error;
  const fs::file_status of = fs::status(path, error);
  if (!error && fs::exists(of) && !fs::is_regular_file(of))
    error = std::make_error_code(std::errc::invalid_argument);
  if (!error && ::access(path.c_str(), R_OK) != 0) error = {errno, std::generic_category()};
  if (!error) return {};
  return {
      exit_status::no_input,
      fmt::format("cannot open '{}': {}; expected a file or a directory of files", path,
                  fs::exists(of) && !fs::is_regular_file(of) ? "it is not a regular file" : error.message())};
}

std::uint64_t bytes_on_disk(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace

result<input_files> find_input(const std::string& path) {
  std::error_code error;
  result<std::vector<std::string>> paths = std::vector{path};
  if (fs::is_directory(path, error)) paths = files_of(path);
  if (!paths.ok()) return paths.status();
  input_files files;
  for (const std::string& file : paths.value()) {
    if (status failed = check_readable(file); !failed.ok()) return failed;
    const auto opened = formats::open_source(file);
    if (!opened.ok()) return opened.status();
    const bool seekable = opened.value()->seekable();
    files.push_back({file, seekable ? opened.value()->size() : bytes_on_disk(file), seekable});
  }
  return files;
}

result<input_files> find_input_on_all(const std::string& path) {
  auto found = find_input(path);
  if (status failed = collectives::first_failure(found.status()); !failed.ok()) return failed;
  std::string told;
  for (const input_file& file : found.value()) told += fmt::format("{} {}\n", file.path, file.bytes);
  const std::uint64_t mine = files::checksum(std::as_bytes(std::span(told)));
  const bool same = mine == collectives::broadcast(mine, 0);
  const status failed = collectives::first_failure(
      same ? status()
           : status(exit_status::bad_data,
                    fmt::format("{}: other files or sizes than core 0 has; all nodes "
                                "must have the same files, and nobody may write to them",
                                path)));
  if (!failed.ok()) return failed;
  return found;
}

std::uint64_t bytes_of(const input_files& files) {
  std::uint64_t sum = 0;
  for (const input_file& file : files) sum += file.bytes;
  return sum;
}

std::vector<std::string> paths_of(const input_files& files) {
  std::vector<std::string> paths;
  for (const input_file& file : files) paths.push_back(file.path);
  return paths;
}

std::vector<file_part> parts_of(const input_files& files, std::size_t k, std::size_t n) {
  const index_range mine = part_of({0, bytes_of(files)}, k, n);
  std::vector<file_part> parts;
  std::uint64_t before = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::uint64_t first = std::max<std::uint64_t>(mine.first, before) - before;
    const std::uint64_t last = std::clamp<std::uint64_t>(mine.last, before, before + files[f].bytes) - before;
    if (first < last && files[f].seekable) {
      parts.push_back({f, first, last});
    } else if (first < last && first == 0) {
      parts.push_back({f, 0, ~std::uint64_t{0}});
    }
    before += files[f].bytes;
  }
  return parts;
}

std::vector<file_part> my_parts(const input_files& files) {
  return parts_of(files, static_cast<std::size_t>(my_core()), static_cast<std::size_t>(cores()));
}

status mistake_in(const input_file& file, const mistake& m) {
  std::uint64_t line = 1, line_begins = 0;
  char last = 0;
  const status failed = read_part(file, {0, 0, ~std::uint64_t{0}}, [&](const chunk& c) {
    const std::string_view before = c.bytes.substr(0, std::min<std::uint64_t>(m.at - c.at, c.bytes.size()));
    for (std::size_t k = 0; k < before.size(); last = before[k++]) {
      if (before[k] != '\n' && before[k] != '\r') continue;
      line += before[k] == '\n' && last == '\r' ? 0 : 1;
      line_begins = c.at + k + 1;
    }
    return before.size() < c.bytes.size() ? stop_reading : before.size();
  });
  if (!failed.ok()) return failed;
  return {exit_status::bad_data,
          fmt::format("{}:{}:{}: {}", file.path, line, m.at - line_begins + 1, m.text)};
}

status read_part(const input_file& file, const file_part& part, const chunk_reader& reader) {
  auto opened = formats::open_source(file.path);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  const auto room =
      std::min<std::uint64_t>(part.last - part.first, chunk_bytes) + longest_piece_bytes + tail_bytes;
  std::vector<char> buffer(room);
  std::uint64_t at = part.first - (part.first > 0 ? 1 : 0);  // of the buffer's first byte
  for (std::size_t filled = 0;;) {
    const std::uint64_t missing = part.last - std::min(part.last, at + filled);
    const std::uint64_t wanted =
        std::min<std::uint64_t>(std::max<std::uint64_t>(missing, tail_bytes), buffer.size() - filled);
    const std::span<char> into = std::span(buffer).subspan(filled, wanted);
    const auto got = file.seekable ? source.read_at(at + filled, into) : source.read(into);
    if (!got.ok()) return got.status();
    filled += got.value();
    const bool is_last = got.value() == 0;
    if (filled < shortest_chunk && !is_last) continue;
    const std::size_t done = reader({{buffer.data(), filled}, at, is_last});
    if (done == stop_reading || is_last) return {};
    std::memmove(buffer.data(), buffer.data() + done, filled - done);
    at += done;
    filled -= done;
    tasks::yield();
  }
}

}  // namespace orujo::internal::mapreduce
