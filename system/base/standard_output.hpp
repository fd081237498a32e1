// stdout: results for people, or the data of one output file; what cannot be written there shows at the end.
#pragma once

#include <string_view>

#include "system/base/status.hpp"

namespace orujo::base {

// First of all: where stdin, stdout or stderr is closed, no other file gets its number.
void reserve_standard_descriptors();

// A descriptor of stdout for data, which the caller closes; from then on what is printed goes to stderr.
// usage where stdout has been taken already.
result<int> take_standard_output();

// Prints it; an error is kept for the end.
void print(std::string_view text);

// Last of all: io_error where something that was printed, by whatever function, could not be written.
status finish_standard_output();

}  // namespace orujo::base
