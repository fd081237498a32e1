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

// What a path leads to, whatever its name: a file or directory that is there, one that would be made, or a
// descriptor of this process.
class file_identity {
 public:
  explicit file_identity(std::string path);  // "-" is stdout

  // Descriptors are the same where their numbers are, else files by what is there. Many may write to a
  // device, so that no two are the same.
  bool is_same(const file_identity& other) const;
  // The directory, behind all links, that has the file or would have it; nothing where none can be written.
  std::optional<file_identity> folder() const;

 private:
  struct inode {
    dev_t device;
    ino_t number;
    bool operator==(const inode&) const = default;
  };

  std::string path_;
  std::optional<inode> there_;
  bool device_ = false;
  int descriptor_ = -1;  // that the path names
};

// Whether both lead to the same file, one that is there or one that would be made.
bool same_file(const std::string& a, const std::string& b);

// io_error: "cannot write 'PATH': REASON".
status cannot_write(const std::string& path, std::string_view reason);
status cannot_write(const std::string& path, int error);

}  // namespace orujo::base
