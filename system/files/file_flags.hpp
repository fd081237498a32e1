// The files that a job reads and writes, by the flags that name them.
#pragma once

#include <string>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::internal::files {

// Names a flag whose value is a file. Define one beside the flag, at namespace scope.
//   const files::file_flag output_flag("output", files::file_flag::written);
class file_flag {
 public:
  enum role {
    read,     // a directory stands for all that is in it, as mapreduce::find_input() has it
    written,  // a directory for itself alone
  };
  // Lists the files of a value that is not a path. Any thread; the value is not empty.
  using files_of_value = std::vector<std::string> (*)(const std::string& value);
  file_flag(const char* flag, role of, files_of_value files = nullptr);
};

// Returns a usage error if a flag names a file for writing that another flag reads or writes, by whatever
// path, link or descriptor. A file in a directory that another flag reads is an error, too. Call it at core
// 0, where the files are visible: after parsing, before any output is opened. It examines every file of
// directories that are read.
status check_file_flags();

}  // namespace orujo::internal::files
