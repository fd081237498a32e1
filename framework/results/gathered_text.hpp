// Text that every core has some of, written to a file by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/base/output_file.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::results {

// A core's part, in pieces.
using text_pieces = std::vector<std::string>;

// [task; suspends] Writes the texts in the order of the cores. A message each way for each piece, which comes
// to the calling core in turn, 1 MiB at a time. Returns early where the file cannot be written.
void write_texts(memory::symmetric<text_pieces> texts, output_file& output);

}  // namespace orujo::results
