// Text that every core has some of, written to a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/base/output_file.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::results {

// A core's part, in pieces.
using text_pieces = std::vector<std::string>;

// [task; suspends] Writes the texts in the order of the cores. Into a file each core writes its own, all at a
// time; what is of another machine or goes to a device or a pipe comes to the calling core in turn, 1 MiB at
// a time, a message each way for each piece. Returns early where the file cannot be written.
void write_texts(memory::symmetric<text_pieces> texts, base::output_file& output);

}  // namespace orujo::results
