#include "framework/formats/gap_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace orujo::formats {
namespace {

constexpr std::uint64_t gap_header_bytes = 17, offset_bytes = 8, neighbour_bytes = 4,
                        gap_chunk_bytes = 1 << 20;
constexpr std::uint64_t most_gap_vertices = std::uint64_t{1} << 31, most_gap_edges = std::uint64_t{1} << 48;

template <class Number>
Number number_at(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

status read_all(byte_source& source, std::uint64_t at, std::span<char> into) {
  while (!into.empty()) {
    const auto got = source.read_at(at, into);
    if (!got.ok()) return got.status();
    if (got.value() == 0)
      return {exit_status::bad_data, fmt::format("{}: byte {}: the file ends", source.path(), at)};
    at += got.value();
    into = into.subspan(got.value());
  }
  return {};
}

// Records of one size, one after the other, a chunk at a time.
class record_stream {
 public:
  record_stream(byte_source& source, std::uint64_t at, std::uint64_t record, std::uint64_t count)
      : source_(source), at_(at), record_(record), left_(count) {}

  // There is another.
  result<const char*> next() {
    if (place_ == buffer_.size()) {
      buffer_.resize(std::min(gap_chunk_bytes / record_, left_) * record_);
      place_ = 0;
      if (status failed = read_all(source_, at_, buffer_); !failed.ok()) return failed;
      at_ += buffer_.size();
      left_ -= buffer_.size() / record_;
    }
    place_ += record_;
    return buffer_.data() + place_ - record_;
  }
  // Of the record that next() gave last, in the file.
  std::uint64_t byte() const { return at_ - buffer_.size() + place_ - record_; }

 private:
  byte_source& source_;
  std::uint64_t at_;
  const std::uint64_t record_;
  std::uint64_t left_;
  std::size_t place_ = 0;
  std::vector<char> buffer_;
};

std::uint64_t offset_at(std::uint64_t vertex) { return gap_header_bytes + offset_bytes * vertex; }

// The last vertex whose edges begin at `edge` or before.
result<std::uint64_t> vertex_of(byte_source& source, const gap_layout& layout, std::uint64_t edge) {
  std::uint64_t first = 0, last = layout.vertices;
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    char bytes[offset_bytes];
    if (status failed = read_all(source, offset_at(middle), bytes); !failed.ok()) return failed;
    (number_at<std::uint64_t>(bytes) <= edge ? first : last) = middle;
  }
  return first;
}

}  // namespace

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
    const std::uint64_t neighbours = layout.edges * neighbour_bytes * (weighted ? 2 : 1);
    const std::uint64_t directions = layout.directed ? 2 : 1;
    layout.weighted = weighted;
    const std::uint64_t size =
        gap_header_bytes + directions * (offset_bytes * (layout.vertices + 1) + neighbours);
    if (size == source.size()) return std::optional(layout);
  }
  return none;
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
  record_stream ends(source, offset_at(vertex + 1), offset_bytes, layout.vertices - vertex);
  const std::uint64_t record = neighbour_bytes * (layout.weighted ? 2 : 1);
  record_stream neighbours(source, offset_at(layout.vertices + 1) + first * record, record, last - first);

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
        return bad(ends.byte(), fmt::format("offset {} is not of {}..{}", past, end, layout.edges));
      end = past;
    }
    const auto next = neighbours.next();
    if (!next.ok()) return next.status();
    const auto target = number_at<std::uint32_t>(next.value());
    if (target >= layout.vertices)
      return bad(neighbours.byte(),
                 fmt::format("neighbour {} is none of {} vertices", target, layout.vertices));
    list.edges.push_back({vertex, target});
    if (layout.weighted)
      list.weights.push_back(static_cast<float>(number_at<std::int32_t>(next.value() + neighbour_bytes)));
  }
  return list;
}

}  // namespace orujo::formats
