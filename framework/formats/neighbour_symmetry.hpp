// Checks that every edge of a METIS graph is in the lines of both its ends, and finds one that is not.
#pragma once

#include "framework/formats/byte_source.hpp"
#include "framework/formats/text_file.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// Checks a file that has been read, by its totals. If an edge has no reverse of the same weight, the caller
// reads the file again to find it. Fails with bad_data, `"PATH:LINE:COLUMN: what; what is expected"`, the
// same for all callers. Fails if the source does.
status check_symmetry(const text_totals& totals, byte_source& source, const text_layout& layout);

}  // namespace orujo::internal::formats
