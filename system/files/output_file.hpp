// A file of results that appears only when it is complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "system/base/status.hpp"
#include "system/files/replacement_file.hpp"
#include "system/files/shared_output.hpp"

namespace orujo::internal::files {

// An optional file of results. It is opened at the start, so that mistakes show before the work, and gets its
// name only when it is complete (replacement_file.hpp). Devices, pipes and descriptors (/dev/stdout,
// /dev/fd/N) are written directly. One thread; others may write parts of it by shared_output
// (shared_output.hpp).
class output_file {
 public:
  output_file() = default;
  output_file(output_file&& other) noexcept;
  ~output_file();
  // "-" is stdout, for one file only; what is printed goes to stderr from then on. Waits for a reader of a
  // pipe. An empty path gives a file that accepts everything and writes nothing. Returns io_error if it
  // cannot be written.
  static result<output_file> open(const std::string& path);

  bool wanted() const { return file_ != nullptr; }
  // True for a device, a pipe or the like, beside which no file can be created.
  bool in_place() const { return wanted() && !replacement_; }
  void write(std::string_view bytes);
  bool failed() const { return error_ != 0; }
  void fail(int error) {  // as if write() had set errno to this
    if (!failed()) error_ = error;
  }

  // The place for other processes of this machine, with the bytes written so far. There is none for a file
  // that is written in place, not wanted, or failed.
  std::optional<shared_output_place> share();
  // Skips a range of this length that other processes write.
  void skip(std::uint64_t bytes);

  // Syncs the file to disk and gives it its name. io_error with the reason if anything could not be written.
  status finish();

 private:
  std::string path_;
  std::optional<replacement_file> replacement_;
  std::FILE* file_ = nullptr;
  int error_ = 0;  // errno of the first failure
};

}  // namespace orujo::internal::files
