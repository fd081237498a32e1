// Output paths, resolved: links are followed, and new files, existing files and devices told apart.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::internal::files {

struct output_place {
  enum class kind {
    file,        // a regular file, to be replaced or created
    special,     // a device or pipe, to be written into
    descriptor,  // one of this process, named by /dev/stdout, /dev/fd/N or the like
  };
  kind is = kind::file;
  std::string path;                  // with all symbolic links followed
  std::optional<struct stat> there;  // the file that is to be replaced
  int descriptor = -1;
};

// Resolves an output path; "-" is stdout. Follows symbolic links, also to a file that does not exist. Returns
// io_error for a path that cannot be written: a directory, a socket, or a file without permission. A file
// that another user has put in a sticky directory (/tmp) is an error, too, as in the kernel's fs.protected_*
// settings.
result<output_place> find_output_place(const std::string& path);

// The target of a path, whatever its name: an existing file or directory, a file to be created, or a
// descriptor of this process.
class file_identity {
 public:
  explicit file_identity(std::string path);  // "-" is stdout

  // Descriptors are the same if their numbers are, files if their device and inode are. Two devices are never
  // the same, because many may write to a device.
  bool is_same(const file_identity& other) const;
  // The directory, with links followed, that has the file or would have it; nothing if none can be written.
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

// Returns true if both paths lead to the same file, existing or to be created.
bool same_file(const std::string& a, const std::string& b);

// The io_error "cannot write 'PATH': REASON".
status cannot_write(const std::string& path, std::string_view reason);
status cannot_write(const std::string& path, int error);

}  // namespace orujo::internal::files
