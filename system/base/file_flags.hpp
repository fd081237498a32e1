// The files that a job reads and writes, by the flags that name them.
#pragma once

#include <string>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::base {

// Names a flag whose value is a file. Define one beside the flag, at namespace scope:
//   const orujo::base::file_flag output_flag("output", orujo::base::file_flag::written);
class file_flag {
 public:
  enum role {
    read,     // a directory stands for all that is in it, as mapreduce::find_input() has it
    written,  // a directory for itself alone
  };
  // The files that a value stands for, where it is not the path of one. Any thread; the value is not empty.
  using files_of_value = std::vector<std::string> (*)(const std::string& value);
  file_flag(const char* flag, role of, files_of_value files = nullptr);
};

// A usage error where a flag would have a file written that another flag has read or written, by whatever
// path, link or descriptor, or one in a directory that another has read. Call it after parsing, before any
// output is opened, where the files are seen: at core 0. Looks at every file of directories that are read.
status check_file_flags();

}  // namespace orujo::base
