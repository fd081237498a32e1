// A file under a name of its own that takes another's name when it is complete.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "system/base/output_place.hpp"
#include "system/base/status.hpp"

namespace orujo::base {

// Beside the file that it is for, as .NAME.RANDOM.partial, so that several jobs can write to one name: the
// last one's file is there, whole. Goes away with the object, and where fail() or a signal that can be caught
// ends the process.
//
// What replaces a file gets its mode, as root its owner, otherwise its group if possible; not its access
// control lists. Other hard links keep the old content. One thread.
class replacement_file {
 public:
  // io_error where none can be made; the place is a file's.
  static result<replacement_file> create(const output_place& place);
  replacement_file(replacement_file&& other) noexcept;
  ~replacement_file();

  const std::string& temporary_path() const { return temporary_; }
  int descriptor() const { return descriptor_; }  // to read and write

  // Brings it to the disk and in place; neither is so where it returns io_error.
  status take_place();

 private:
  explicit replacement_file(const output_place& place) : path_(place.path), replaced_(place.there) {}
  bool keep_mode_and_owner() const;
  bool another_has_written() const;

  std::string path_, temporary_;
  std::optional<struct stat> replaced_;
  int descriptor_ = -1;
  int number_ = -1;  // among those that remove_replacement_files() knows
};

// In a forked child: those that there are stay, however the child ends.
void leave_replacement_files();

// Removes those of this process, in which nobody can make any from now on: it ends. In signal handlers, too.
void remove_replacement_files();

}  // namespace orujo::base
