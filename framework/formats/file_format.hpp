// The formats of graph files, by the names that --format has for them.
#pragma once

#include <optional>
#include <string_view>

#include "framework/formats/text_layout.hpp"

namespace orujo::formats {

enum class file_format { edge_list, matrix_market, dimacs, metis, gap, orj };

// "edge_list", "matrix_market", "dimacs", "metis", "gap" or "orj".
std::string_view name_of(file_format format);
std::optional<file_format> find_format(std::string_view name);

inline file_format format_of(const text_layout& layout) { return static_cast<file_format>(layout.format); }
// Nothing where the format is not text.
inline std::optional<text_format> text_format_of(file_format format) {
  if (format == file_format::gap || format == file_format::orj) return {};
  return static_cast<text_format>(format);
}
static_assert(static_cast<int>(text_format::metis) == static_cast<int>(file_format::metis));

}  // namespace orujo::formats
