// Which format a text file is in, by its start and its name.
#pragma once

#include <optional>
#include <string_view>

#include "framework/formats/file_format.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// Files whose first line begins with this word, in any letters, are Matrix Market; some have one % only.
inline constexpr std::string_view matrix_market_banner = "%%matrixmarket";
constexpr bool is_matrix_market_banner(std::string_view word) {
  return word == matrix_market_banner || word == matrix_market_banner.substr(1);
}

// The format by the name, unless it says nothing or .txt. Otherwise by the content, and else an edge list.
// Fails with bad_data and the remedy if name and content contradict each other, and for formats of other
// programs that would be misread as a list of edges. `wanted` overrules name and content.
result<text_format> recognise(std::string_view head, std::string_view path, const text_request& wanted);

// True if the name determines the format, as .el does and .txt does not.
bool names_an_edge_list(std::string_view path);

// The same for documents (document.hpp); nothing where the file is none, but of lines. bad_data if it is
// one by its name and begins like another.
result<std::optional<file_format>> recognise_document(std::string_view head, std::string_view path,
                                                      std::optional<file_format> wanted);

}  // namespace orujo::internal::formats
