// Where the bytes of an output file go: into a file that appears when it is complete, maybe compressed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "system/base/status.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::formats {

// "gzip", "zstd", "bzip2" or "xz" where a path ends with .gz, .zst, .bz2 or .xz; takes the suffix off it.
// Empty otherwise.
std::string_view take_compression(std::string_view& path);

// One thread. What is not finished goes away with the object (output_file.hpp).
class byte_sink {
 public:
  virtual ~byte_sink() = default;
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;

  // Compressed where the path says so. io_error if it cannot be written, usage if it says bzip2 or xz.
  static result<std::unique_ptr<byte_sink>> open(const std::string& path);

  virtual void write(std::string_view bytes) { file_.write(bytes); }
  // Nothing more can be written; finish() says why.
  bool failed() const { return file_.failed(); }
  // A device, a pipe or the like: nothing can be put beside it.
  bool in_place() const { return file_.in_place(); }
  // io_error with the reason if anything could not be written.
  virtual status finish() { return file_.finish(); }

 protected:
  explicit byte_sink(files::output_file file) : file_(std::move(file)) {}
  files::output_file file_;
};

}  // namespace orujo::internal::formats
