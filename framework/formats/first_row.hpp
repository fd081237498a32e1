// The first row of a table with names of vertices: an edge, or the names of the columns. All such rows begin
// alike, so it is read as an edge, and dropped when all rows are there and none of its names is in another
// one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/formats/text_file.hpp"

namespace orujo::internal::formats {

using row_names = std::vector<std::string>;  // of the source and the target

// The number of the part that has the file's first row. Nothing if the kind of that row is known, or if there
// is no other row.
std::optional<std::size_t> part_of_doubtful_row(std::span<const text_summary> parts,
                                                const text_layout& layout);

// The names in the first row of the part that has it.
row_names names_of_first_row(const text_part& part);

// True if the part has one of these names, but for its first row where that is the file's.
bool has_name_of(const row_names& row, const text_part& part, bool begins_with_it, const text_layout& layout);

// Drops the first row of the part that has it, with its names.
void drop_first_row(text_part& part, const text_layout& layout);
// And of what is known of the whole file.
inline void note_dropped_row(text_totals& totals) {
  --totals.edges;
  totals.has_dropped_header = true;
}

}  // namespace orujo::internal::formats
