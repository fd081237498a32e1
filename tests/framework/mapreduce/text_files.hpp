// Files of text in a folder of their own, for tests within one process or several that see the same disk.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace orujo::mapreduce {

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

}  // namespace orujo::mapreduce
