// The lines at the start of a table: which columns are what.
#pragma once

#include <string_view>

#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// The values of Gephi's column Type, in small letters.
inline constexpr std::string_view directed_type = "directed", undirected_type = "undirected";

// True if the line has column names of a table of edges, such as source and target.
bool is_known_header(std::string_view line);

// True if columns are separated by '::', as in MovieLens. The separator is ':' then.
bool is_between_colons(std::string_view line);
// And the first two of them are ids.
bool begins_with_ratings(std::string_view line);

// True at an empty line or a comment.
bool is_passed_over(const header_reader& header);

// True if the line is KONECT's first: '% sym unweighted', and the like (konect_header.cpp).
bool is_konect_header(std::string_view line);

// `header` is at the file's first line. With `wanted.header` there is a header or none; else there is one
// where the first row has a known one, or, in a table of ids, no numbers. In a table of names without numbers
// in it that is known when all rows are there (first_row.hpp). Comments may stand before it.
result<text_layout> read_csv_header(header_reader& header, const text_request& wanted);

result<text_layout> read_konect_header(header_reader& header, const text_request& wanted);

}  // namespace orujo::internal::formats
