// A file under a name of its own that takes another's name when it is complete.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"
#include "system/files/output_place.hpp"

namespace orujo::internal::files {

// Lies beside its target, as .NAME.RANDOM.partial, so that several jobs can write to one name; the file of
// the last job stays, whole. It is removed with the object, and when fail() or a catchable signal ends the
// process.
//
// The replacement gets the mode of the old file, as root its owner, otherwise its group if possible. It does
// not get its access control lists. Other hard links keep the old content. One thread.
class replacement_file {
 public:
  // io_error if it cannot be created; the place is a file's.
  static result<replacement_file> create(const output_place& place);
  replacement_file(replacement_file&& other) noexcept;
  ~replacement_file();

  const std::string& temporary_path() const { return temporary_; }
  const base::descriptor& file() const { return file_; }  // to read and write

  // Syncs it to disk and renames it to its target; with io_error neither may have happened.
  status take_place();

 private:
  explicit replacement_file(const output_place& place) : path_(place.path), replaced_(place.there) {}
  bool keep_mode_and_owner() const;
  bool another_has_written() const;

  std::string path_, temporary_;
  std::optional<struct stat> replaced_;
  base::descriptor file_;
  int number_ = -1;  // among those that remove_replacement_files() knows
};

// Call it in a forked child: the files stay, however the child ends.
void leave_replacement_files();

// Removes the files of this process, which can create no more, as it ends. Signal handlers may call it.
void remove_replacement_files();

}  // namespace orujo::internal::files
