// Properties of any bytes of a checkpoint: it is refused, or matches its sums. The bytes are those of a
// manifest without its last line, which gets the right sum, and after a NUL those of file 0.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "system/checkpoint/chunk_reader.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::fuzz {

// In memory, one of a process.
inline const std::string& checkpoint_folder() {
  struct folder {
    std::string path = "/dev/shm/orujo_fuzz." + std::to_string(::getpid());
    folder() { std::filesystem::create_directory(path); }
    ~folder() { std::filesystem::remove_all(path); }
  };
  static const folder made;
  return made.path;
}

inline result<checkpoint::manifest> manifest_of(std::string_view bytes) {
  const std::string lines(bytes.substr(0, bytes.find('\0')));
  return checkpoint::decode(
      lines + fmt::format("end {:x}\n", files::checksum(std::as_bytes(std::span(lines)))), "manifest");
}

inline std::string broken_file_property(const checkpoint::manifest& all, std::string_view file) {
  const std::string& folder = checkpoint_folder();
  const std::string path = checkpoint::file_path(folder, all.epoch, all.token, 0);
  std::ofstream(path, std::ios::binary) << file;
  checkpoint::chunk_reader reader(folder, all);
  std::string broken;
  for (const checkpoint::chunk& c : all.chunks) {
    const auto read = reader.read(c);
    const bool there = c.file == 0 && c.at <= file.size() &&
                       c.records * all.sections[c.section].record_bytes <= file.size() - c.at;
    if (!read.ok() && read.status().code() != exit_status::bad_data)
      broken = "another status: " + read.status().message();
    if (read.ok() && (!there || files::checksum(read.value()) != c.checksum))
      broken = "read what is not there";
  }
  std::filesystem::remove(path);
  return broken;
}

// Empty: none is broken.
inline std::string broken_checkpoint_property(std::string_view bytes) {
  const auto found = manifest_of(bytes);
  if (!found.ok()) {
    const exit_status code = found.status().code();
    return code == exit_status::bad_data || code == exit_status::bad_checkpoint
               ? ""
               : "another status: " + found.status().message();
  }
  const checkpoint::manifest& all = found.value();
  const auto again = checkpoint::decode(checkpoint::encode(all), "manifest");
  if (!again.ok() || again.value() != all) return "not the same once written again";
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  return broken_file_property(all, bytes.substr(std::min(end + 1, bytes.size())));
}

}  // namespace orujo::internal::fuzz
