// A file of results that appears only when it is complete.
#pragma once

#include <cstdio>
#include <string>

#include "system/base/status.hpp"

namespace orujo {

// A file that somebody may want: opened at the start, so that mistakes show before the work, and in place
// only when it is complete.
class output_file {
 public:
  output_file() = default;
  output_file(output_file&& other) noexcept;
  ~output_file();
  // io_error where it cannot be written. Of an empty path a file that is not wanted, takes everything and
  // writes nothing.
  static result<output_file> open(const std::string& path);

  bool wanted() const { return file_ != nullptr; }
  void write(const std::string& text);
  // io_error with the reason if anything could not be written.
  status finish();

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  bool failed_ = false;
};

}  // namespace orujo
