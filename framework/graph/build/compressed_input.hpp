// Compressed files that all cores read.
#pragma once

#include <memory>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/compressed_parts.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

// [task; suspends; collective over the job] What a file holds that is compressed in several parts
// (compressed_parts.hpp), as a source that each core can read at any place; it makes all cores look at
// headers first, and where these have no sizes decompress their share of the file for the count. Null for
// other files, small ones, and where one core is alone.
result<std::unique_ptr<formats::parted_source>> open_in_parts(const formats::byte_source& source);

}  // namespace orujo::graph
