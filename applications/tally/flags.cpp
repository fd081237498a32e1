#include "applications/tally/flags.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include "applications/harness/harness.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"

DEFINE_string(input, "", "file to read, or directory of files; gzip and zstd are decompressed");
DEFINE_string(output, "", "file for the result, as lines of text; -: stdout");

namespace orujo::internal::tally {
namespace {

const base::flag_alias table("table", "input");
const files::file_flag read_input("input", files::file_flag::read),
    written_output("output", files::file_flag::written);

}  // namespace

const std::string& input() { return FLAGS_input; }

result<files::output_file> open_output() { return files::output_file::open(FLAGS_output); }

std::string describe(const mapreduce::input_files& files) {
  return fmt::format("{}, {}, {} bytes", FLAGS_input, harness::counted(files.size(), "file"),
                     harness::grouped(mapreduce::bytes_of(files)));
}

}  // namespace orujo::internal::tally
