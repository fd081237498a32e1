// Files of text in a folder of their own, for tests within one process or several that see the same disk.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "framework/tables/mapreduce/input_files.hpp"

namespace orujo::internal::mapreduce {

class text_folder {
 public:
  text_folder() : path_(std::filesystem::temp_directory_path() / ("orujo_text_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~text_folder() { std::filesystem::remove_all(path_); }
  text_folder(const text_folder&) = delete;

  std::string path() const { return path_.string(); }
  // Its path.
  std::string write(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }

 private:
  const std::filesystem::path path_;
};

// The pieces that n readers of the parts of the files get, or the first one's mistake after what was read
// before.
using pieces = std::vector<std::string>;

template <class Read>
pieces read_by(const input_files& files, std::size_t n, const Read& read) {
  pieces got;
  for (std::size_t k = 0; k < n; ++k) {
    for (const file_part& part : parts_of(files, k, n)) {
      mistake found;
      const status failed = read(files[part.file], part, got, found);
      EXPECT_TRUE(failed.ok()) << failed.message();
      if (!found.any()) continue;
      got.push_back(mistake_in(files[part.file], found).message());
      return got;
    }
  }
  return got;
}
inline input_files files_in(const std::string& path) {
  auto found = find_input(path);
  EXPECT_TRUE(found.ok()) << found.status().message();
  return found.value();
}

}  // namespace orujo::internal::mapreduce
