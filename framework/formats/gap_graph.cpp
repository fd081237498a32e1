#include "framework/formats/gap_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/formats/record_stream.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/source_bytes.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t gap_header_bytes = 17, offset_bytes = 8, neighbour_bytes = 4;

std::uint64_t neighbour_record(const gap_layout& layout) {
  return neighbour_bytes * (layout.weighted ? 2 : 1);
}
std::uint64_t half_bytes(const gap_layout& layout) {
  return offset_bytes * (layout.vertices + 1) + layout.edges * neighbour_record(layout);
}
constexpr std::uint64_t most_gap_vertices = std::uint64_t{1} << 31, most_gap_edges = std::uint64_t{1} << 48;

// The last vertex whose edges begin at `edge` or before.
result<std::uint64_t> vertex_of(byte_source& source, const gap_layout& layout, std::uint64_t edge) {
  std::uint64_t first = 0, last = layout.vertices;
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    char bytes[offset_bytes];
    if (status failed = read_all(source, layout.offset_at(gap_half::first, middle), bytes); !failed.ok())
      return failed;
    (number_at<std::uint64_t>(bytes) <= edge ? first : last) = middle;
  }
  return first;
}

}  // namespace

std::uint64_t gap_layout::offset_at(gap_half half, std::uint64_t vertex) const {
  return gap_header_bytes + (half == gap_half::second ? half_bytes(*this) : 0) + offset_bytes * vertex;
}
std::uint64_t gap_layout::neighbour_at(gap_half half, std::uint64_t edge) const {
  return offset_at(half, vertices + 1) + edge * neighbour_record(*this);
}

result<std::optional<gap_layout>> find_gap_layout(byte_source& source) {
  std::optional<gap_layout> none;
  if (!source.seekable() || source.size() < gap_header_bytes) return none;
  char header[gap_header_bytes];
  if (status failed = read_all(source, 0, header); !failed.ok()) return failed;
  gap_layout layout{header[0] == 1, false, number_at<std::uint64_t>(header + 9),
                    number_at<std::uint64_t>(header + 1)};
  if (header[0] < 0 || header[0] > 1 || layout.vertices > most_gap_vertices || layout.edges > most_gap_edges)
    return none;
  for (const bool weighted : {false, true}) {
    layout.weighted = weighted;
    const std::uint64_t size = gap_header_bytes + (layout.directed ? 2 : 1) * half_bytes(layout);
    if (size == source.size()) return std::optional(layout);
  }
  return none;
}

status check_gap_offsets(byte_source& source, const gap_layout& layout, std::uint64_t first,
                         std::uint64_t last) {
  record_stream offsets(source, layout.offset_at(gap_half::first, first), offset_bytes, last - first + 1);
  std::uint64_t previous = 0;
  for (std::uint64_t v = first; v <= last; ++v) {
    const auto next = offsets.next();
    if (!next.ok()) return next.status();
    const auto offset = number_at<std::uint64_t>(next.value());
    const std::uint64_t least = v == layout.vertices ? layout.edges : previous,
                        most = v == 0 ? 0 : layout.edges;
    // The first is the reader's before to complain about, but for that of the file.
    if ((v > first || v == 0) && (offset < least || offset > most)) {
      return {exit_status::bad_data, fmt::format("{}: byte {}: offset {} is not in {}..{}", source.path(),
                                                 offsets.byte(), offset, least, most)};
    }
    previous = offset;
  }
  return {};
}

result<edge_list> read_gap_edges(byte_source& source, const gap_layout& layout, std::uint64_t first,
                                 std::uint64_t last) {
  edge_list list;
  if (first >= last) return list;
  const auto bad = [&](std::uint64_t byte, std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: byte {}: {}", source.path(), byte, what));
  };
  const auto start = vertex_of(source, layout, first);
  if (!start.ok()) return start.status();
  std::uint64_t vertex = start.value(), end = first;  // the edges before `end` are of vertices up to `vertex`
  record_stream ends(source, layout.offset_at(gap_half::first, vertex + 1), offset_bytes,
                     layout.vertices - vertex);
  record_stream neighbours(source, layout.neighbour_at(gap_half::first, first), neighbour_record(layout),
                           last - first);

  list.edges.reserve(last - first);
  if (layout.weighted) list.weights.reserve(last - first);
  bool begun = false;
  for (std::uint64_t edge = first; edge < last; ++edge) {
    while (edge == end) {
      vertex += begun ? 1 : 0;
      begun = true;
      if (vertex == layout.vertices) return bad(ends.byte(), "the offsets end before the edges do");
      const auto next = ends.next();
      if (!next.ok()) return next.status();
      const auto past = number_at<std::uint64_t>(next.value());
      if (past < end || past > layout.edges)
        return bad(ends.byte(), fmt::format("offset {} is not in {}..{}", past, end, layout.edges));
      end = past;
    }
    const auto next = neighbours.next();
    if (!next.ok()) return next.status();
    const auto target = number_at<std::uint32_t>(next.value());
    if (target >= layout.vertices)
      return bad(neighbours.byte(),
                 fmt::format("neighbour {} is not one of {} vertices", target, layout.vertices));
    list.edges.push_back({vertex, target});
    if (!layout.weighted) continue;
    const auto weight = number_at<std::int32_t>(next.value() + neighbour_bytes);
    list.weights.push_back(static_cast<float>(weight));
    note_whole_weight(list, static_cast<std::uint64_t>(std::abs(std::int64_t{weight})), list.weights.back());
  }
  return list;
}

}  // namespace orujo::internal::formats
