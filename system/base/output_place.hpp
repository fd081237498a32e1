// Where that is which a path names for writing: behind links, there already or not, a file or a device.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::base {

struct output_place {
  enum class kind {
    file,        // a regular file, to be replaced or made
    special,     // a device or pipe, to be written into
    descriptor,  // one of this process, named by /dev/stdout, /dev/fd/N or the like
  };
  kind is = kind::file;
  std::string path;                  // behind all symbolic links
  std::optional<struct stat> there;  // the file that is to be replaced
  int descriptor = -1;
};

// "-" is stdout. Follows symbolic links, to a file that is not there, too. io_error for what can never be
// written: a directory, a socket, a file without permission to write, and in a directory with the sticky bit
// (/tmp) what another user has put there, as the kernel's fs.protected_* settings have it.
result<output_place> find_output_place(const std::string& path);

// Whether both lead to the same file, one that is there or one that would be made.
bool same_file(const std::string& a, const std::string& b);

// io_error: "cannot write 'PATH': REASON".
status cannot_write(const std::string& path, std::string_view reason);
status cannot_write(const std::string& path, int error);

}  // namespace orujo::base
