#include "framework/formats/first_row.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

namespace orujo::internal::formats {
namespace {

// The number of edges in the list that come from the first row.
std::size_t edges_of_first_row(const text_part& part, const text_layout& layout) {
  const edge& first = part.list.edges.front();
  return layout.mirrored && first.source != first.target ? 2 : 1;
}

}  // namespace

std::optional<std::size_t> part_of_doubtful_row(std::span<const text_summary> parts,
                                                const text_layout& layout) {
  const auto has_edges = [](const text_summary& part) { return part.edges > 0; };
  const std::uint64_t edges = std::transform_reduce(parts.begin(), parts.end(), std::uint64_t{0}, std::plus(),
                                                    [](const text_summary& part) { return part.edges; });
  if (!layout.may_have_header || edges < 2) return {};
  return static_cast<std::size_t>(std::ranges::find_if(parts, has_edges) - parts.begin());
}

row_names names_of_first_row(const text_part& part) {
  const edge& first = part.list.edges.front();
  return {std::string(part.names[first.source]), std::string(part.names[first.target])};
}

bool has_name_of(const row_names& row, const text_part& part, bool begins_with_it,
                 const text_layout& layout) {
  if (!begins_with_it) {
    for (std::size_t k = 0; k < part.names.size(); ++k) {
      if (part.names[k] == row[0] || part.names[k] == row[1]) return true;
    }
    return false;
  }
  const edge first = part.list.edges.front();
  const auto is_of_row = [&](std::uint64_t v) { return v == first.source || v == first.target; };
  return std::any_of(part.list.edges.begin() + static_cast<std::ptrdiff_t>(edges_of_first_row(part, layout)),
                     part.list.edges.end(),
                     [&](const edge& e) { return is_of_row(e.source) || is_of_row(e.target); });
}

void drop_first_row(text_part& part, const text_layout& layout) {
  const edge first = part.list.edges.front();
  const auto gone = static_cast<std::ptrdiff_t>(edges_of_first_row(part, layout));
  part.list.edges.erase(part.list.edges.begin(), part.list.edges.begin() + gone);
  // Names are numbered as they come, so its own are the first.
  const std::size_t names = first.source == first.target ? 1 : 2;
  for (edge& e : part.list.edges) e = {e.source - names, e.target - names};
  name_table others;
  for (std::size_t k = names; k < part.names.size(); ++k) others.push_back(part.names[k]);
  part.names = std::move(others);
}

}  // namespace orujo::internal::formats
