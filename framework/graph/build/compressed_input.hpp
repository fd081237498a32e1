// Compressed files that all cores read.
#pragma once

#include <memory>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/compressed_parts.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] The content of a file that is compressed in several parts
// (compressed_parts.hpp), as a source that each core can read at any offset. All cores first read headers. If
// these have no sizes, each core decompresses its share of the file to count bytes. Null for other files, for
// small ones, and if there is only one core.
result<std::unique_ptr<formats::parted_source>> open_in_parts(const formats::byte_source& source);

}  // namespace orujo::internal::graph
