// The lines at the start of a table: which columns are what.
#pragma once

#include <string_view>

#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::formats {

// What Gephi has in its column Type, in small letters.
inline constexpr std::string_view directed_type = "directed", undirected_type = "undirected";

// Whether the line has the names of columns by which tables of edges are known: such as source and target.
bool is_known_header(std::string_view line);

// Whether columns are apart by '::', as MovieLens has them: the separator ':' then.
bool is_between_colons(std::string_view line);
// And the first two of them are ids.
bool begins_with_ratings(std::string_view line);

// True at an empty line or a comment.
bool is_passed_over(const header_reader& header);

// Whether the line is KONECT's first: '% sym unweighted', and the like (konect_header.cpp).
bool is_konect_header(std::string_view line);

// `header` is at the file's first line. With `wanted.header` there is a header or none; else there is one
// where the first row has a known one, or, in a table of ids, no numbers. In a table of names without numbers
// in it that is known when all rows are there (first_row.hpp). Comments may stand before it.
result<text_layout> read_csv_header(header_reader& header, const text_request& wanted);

result<text_layout> read_konect_header(header_reader& header, const text_request& wanted);

}  // namespace orujo::formats
