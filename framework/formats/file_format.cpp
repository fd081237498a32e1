#include "framework/formats/file_format.hpp"

#include <algorithm>
#include <iterator>

namespace orujo::formats {
namespace {

constexpr std::string_view format_names[] = {"edge_list", "matrix_market", "dimacs", "metis", "gap", "orj"};

}  // namespace

std::string_view name_of(file_format format) { return format_names[static_cast<std::size_t>(format)]; }

std::optional<file_format> find_format(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == std::end(format_names)) return {};
  return static_cast<file_format>(found - std::begin(format_names));
}

}  // namespace orujo::formats
