// The flags of applications that read text files instead of graphs.
#pragma once

#include <string>

#include "framework/tables/mapreduce/input_files.hpp"
#include "system/base/status.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::tally {

const std::string& input();                // --input
result<files::output_file> open_output();  // --output

// "PATH, 3 files, 1,234 bytes".
std::string describe(const mapreduce::input_files& files);

}  // namespace orujo::internal::tally
