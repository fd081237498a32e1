// Which format a text file is in, by its start and its name.
#pragma once

#include <string_view>

#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::formats {

// Files whose first line is a banner of this kind are Matrix Market.
inline constexpr std::string_view matrix_market_banner = "%%matrixmarket";

// What the name says, unless that is nothing or .txt; else what the content says; else an edge list.
// bad_data, with the remedy, where the two contradict each other, and for formats of others that are not
// read: each would be taken for a list of edges that it is not. `wanted` overrules name and content.
result<text_format> recognise(std::string_view head, std::string_view path, const text_request& wanted);

}  // namespace orujo::formats
