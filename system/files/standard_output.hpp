// Standard output, for results or for the data of one output file. Errors of writing are reported at the end.
#pragma once

#include <string_view>

#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::files {

// Call it first of all. If stdin, stdout or stderr is closed, it keeps other files from getting that number.
void reserve_standard_descriptors();

// A descriptor of stdout for data. From then on what is printed goes to stderr.
// usage where stdout has been taken already.
result<base::descriptor> take_standard_output();

// Prints a text; an error is kept for finish_standard_output().
void print(std::string_view text);

// Call it last of all. Returns io_error if any function's output to stdout could not be written.
status finish_standard_output();

}  // namespace orujo::internal::files
