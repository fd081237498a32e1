// Text that every core has some of, written to a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/containers/symmetric.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::results {

// A core's part, in pieces.
using text_pieces = std::vector<std::string>;

// [task; suspends] Writes the texts in the order of the cores. All cores write their own part of a file at
// the same time. The texts of another machine, and all texts for a device or a pipe, go to the calling core
// in turn. That takes a message each way per MiB. Returns early if the file cannot be written.
void write_texts(containers::symmetric<text_pieces> texts, files::output_file& output);

}  // namespace orujo::internal::results
