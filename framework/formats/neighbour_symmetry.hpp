// Whether every edge of a METIS graph stands in the lines of both its ends, and where one does not.
#pragma once

#include "framework/formats/byte_source.hpp"
#include "framework/formats/text_file.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::formats {

// Of a file that has been read, by its totals. Where an edge has no reverse of the same weight it is read
// again, by the caller alone, to find one: bad_data, "PATH:LINE:COLUMN: what; what is expected", the same
// whoever calls. Fails where the source does.
status check_symmetry(const text_totals& totals, byte_source& source, const text_layout& layout);

}  // namespace orujo::formats
