// A file of results that appears only when it is complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "system/base/replacement_file.hpp"
#include "system/base/shared_output.hpp"
#include "system/base/status.hpp"

namespace orujo::base {

// A file that somebody may want: opened at the start, so that mistakes show before the work, and in place
// only when it is complete (replacement_file.hpp). Devices, pipes and descriptors (/dev/stdout, /dev/fd/N)
// are written as it goes. One thread; others may write parts of it by shared_output (shared_output.hpp).
class output_file {
 public:
  output_file() = default;
  output_file(output_file&& other) noexcept;
  ~output_file();
  // "-" is stdout, for one of them; what is printed goes to stderr from then on. Waits for a reader where a
  // pipe has none. io_error where it cannot be written. Of an empty path a file that is not wanted, takes
  // everything and writes nothing.
  static result<output_file> open(const std::string& path);

  bool wanted() const { return file_ != nullptr; }
  // A device, a pipe or the like: nothing can be put beside it.
  bool in_place() const { return wanted() && !replacement_; }
  void write(std::string_view bytes);
  bool failed() const { return error_ != 0; }
  void fail(int error) {  // as if errno had been so after write()
    if (!failed()) error_ = error;
  }

  // How others of this machine find the file, what has been written included. Of what is written in place,
  // not wanted or has failed nothing.
  std::optional<shared_output_place> share();
  // Goes on behind so many bytes more, which others write.
  void skip(std::uint64_t bytes);

  // Brings it to the disk and into place. io_error with the reason if anything could not be written.
  status finish();

 private:
  std::string path_;
  std::optional<replacement_file> replacement_;
  std::FILE* file_ = nullptr;
  int error_ = 0;  // errno of the first failure
};

}  // namespace orujo::base
