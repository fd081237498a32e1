#include "framework/formats/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "framework/formats/feed_range.hpp"
#include "framework/formats/first_row.hpp"
#include "framework/formats/line_ends.hpp"
#include "framework/formats/neighbour_lists.hpp"
#include "framework/formats/neighbour_symmetry.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t shortest_edge = 2;  // bytes of text: a neighbour and a blank

// Makes room once for the edges of a range, judged by its first bytes, rather than growing again and again;
// but for no more than there may be.
void reserve_rest(edge_list& list, double bytes_done, double bytes_in_all, std::uint64_t most_bytes) {
  const double expected = static_cast<double>(list.edges.size()) * bytes_in_all / bytes_done * 1.02;
  if (expected * sizeof(edge) > static_cast<double>(most_bytes)) return;
  const auto edges = static_cast<std::size_t>(expected);
  list.edges.reserve(edges);
  if (!list.weights.empty()) list.weights.reserve(edges);
}

std::uint64_t bytes_of(const edge_list& list, const name_set* names) {
  return list.edges.size() * sizeof(edge) + list.weights.size() * sizeof(float) +
         (names ? names->bytes_used() : 0);
}

// The same until the next bytes of text have been parsed: a list that grows is copied.
std::uint64_t bytes_to_go_on(const edge_list& list, const name_set* names) {
  const bool may_grow = list.edges.size() + chunk_bytes / shortest_edge > list.edges.capacity();
  return bytes_of(list, names) * (may_grow ? 2 : 1);
}

// Calls read_by(parser) with the parser of the layout, which fills in the part. first_part, first_row: where
// it begins.
template <class ReadBy>
status parse_part(text_part& part, const text_layout& layout, bool first_part, std::uint64_t first_row,
                  ReadBy read_by) {
  const auto read = [&](auto&& parser, const name_set* names = nullptr) {
    const status failure = read_by(parser, names);
    part.summary = parser.summary();
    return failure;
  };
  if (layout.format == text_format::metis) return read(neighbour_parser(part.list, layout, first_row));
  if (!layout.named) return read(text_parser(part.list, layout, first_part));
  name_set names;
  const status failure = read(text_parser(part.list, layout, first_part, &names), &names);
  part.names = std::move(names).table();
  return failure;
}

bool looks_like_sizes(const text_totals& totals, const text_layout& layout) {
  return layout.format == text_format::edge_list && totals.columns == 3 &&
         totals.first_edge.source == totals.first_edge.target && totals.first_edge.source > 0 &&
         totals.edges > 1 && totals.first_weight == static_cast<float>(totals.edges - 1);
}

}  // namespace

status check_room(std::uint64_t bytes, std::uint64_t most_bytes, std::string_view path) {
  if (bytes <= most_bytes) return {};
  return {exit_status::no_resource,
          fmt::format("{}: its edges require more memory than there is, {} bytes for one reader of them: use "
                      "more locales, or raise --memory_budget_bytes if you set it",
                      path, most_bytes)};
}

text_summary joined_rows(const text_summary& first, const text_summary& second) {
  text_summary joined = second;
  joined.edges += first.edges;
  joined.lines += first.lines;
  joined.rows += first.rows;
  joined.asymmetry += first.asymmetry;
  joined.error_line += first.lines;
  return joined;
}

result<text_layout> find_layout(byte_source& source, const text_request& wanted) {
  std::vector<char> head(std::min<std::uint64_t>(longest_header_bytes, source.size()));
  std::size_t filled = 0;
  while (filled < head.size()) {
    auto got = read_text_at(source, filled, std::span(head).subspan(filled));
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    filled += got.value();
  }
  return read_layout({head.data(), filled}, source.path(), wanted);
}

result<std::uint64_t> count_rows(byte_source& source, const text_layout& layout, std::uint64_t first,
                                 std::uint64_t last) {
  row_counter counter;
  if (layout.format != text_format::metis) return counter.rows();
  const status failure = feed_range(source, layout.body, first, last, counter,
                                    [](std::uint64_t, std::uint64_t) { return status(); });
  if (!failure.ok()) return failure;
  return counter.rows();
}

result<text_part> read_text_range(byte_source& source, const text_layout& layout, std::uint64_t first,
                                  std::uint64_t last, std::uint64_t first_row, std::uint64_t most_bytes) {
  text_part part;
  const bool first_part = first <= layout.body && layout.body < last;
  const status failure =
      parse_part(part, layout, first_part, first_row, [&](auto& parser, const name_set* names) {
        return feed_range(source, layout.body, first, last, parser,
                          [&, begun = false](std::uint64_t done, std::uint64_t all) mutable {
                            if (!std::exchange(begun, true) && done < all)
                              reserve_rest(part.list, static_cast<double>(done), static_cast<double>(all),
                                           most_bytes);
                            return check_room(bytes_of(part.list, names), most_bytes, source.path());
                          });
      });
  if (!failure.ok()) return failure;
  return part;
}

result<text_part> read_text_stream(byte_source& source, text_layout& layout, const text_request& wanted,
                                   std::uint64_t most_bytes) {
  static_assert(chunk_bytes >= longest_header_bytes);
  std::vector<char> buffer(chunk_bytes);
  text_stream stream(source);
  const auto fill = [&]() -> result<std::string_view> {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      auto got = stream.read(std::span(buffer).subspan(filled));
      if (!got.ok()) return got.status();
      if (got.value() == 0) break;
      filled += got.value();
    }
    return std::string_view(buffer.data(), filled);
  };
  auto bytes = fill();
  if (!bytes.ok()) return bytes.status();
  auto found = read_layout(bytes.value(), source.path(), wanted);
  if (!found.ok()) return found.status();
  layout = found.value();

  text_part part;
  const status failure =
      parse_part(part, layout, true, 0, [&](auto& parser, const name_set* names) -> status {
        parser.feed(bytes.value().substr(layout.body));
        while (!parser.failed()) {
          bytes = fill();
          if (!bytes.ok()) return bytes.status();
          if (bytes.value().empty()) break;
          parser.feed(bytes.value());
          const std::uint64_t needed = bytes_to_go_on(part.list, names);
          if (status failed = check_room(needed, most_bytes, source.path()); !failed.ok()) return failed;
        }
        parser.finish();
        return {};
      });
  if (!failure.ok()) return failure;
  return part;
}

result<text_totals> combine_text_parts(std::span<const text_summary> parts, const text_layout& layout,
                                       std::string_view path) {
  text_totals totals;
  totals.lines = layout.lines_before;
  std::uint64_t rows = 0;
  std::uint64_t first_line = 0;
  char triangle = 0;
  const auto bad = [&](std::uint64_t line, std::uint32_t column, std::string_view text) {
    return status(exit_status::bad_data,
                  fmt::format("{}:{}:{}: {}", path, totals.lines + line, column, text));
  };
  for (const text_summary& part : parts) {
    if (totals.columns == 0) {
      totals.columns = part.columns;
      totals.first_weight = part.first_weight;
      totals.first_edge = part.first_edge;
      first_line = totals.lines + part.first_data_line;
    }
    if (part.columns != 0 && part.columns != totals.columns) {
      return bad(part.first_data_line, part.first_data_column, column_disagreement(part.columns));
    }
    const bool failed = part.error != exit_status::ok;
    if (triangle == 0) triangle = part.triangle;
    if (part.triangle != 0 && part.triangle != triangle && !(failed && part.error_line < part.triangle_line))
      return bad(part.triangle_line, part.triangle_column, triangle_disagreement);
    if (failed) return bad(part.error_line, part.error_column, part.error_text.data());
    totals.edges += part.edges;
    rows += part.rows;
    totals.lines += part.lines;
    totals.asymmetry += part.asymmetry;
    totals.says_undirected |= part.says_undirected;
    if (!totals.has_header && part.has_header) {
      totals.has_header = true;
      totals.header_nodes = part.header_nodes;
      totals.header_edges = part.header_edges;
    }
  }
  const auto contradicted = [&](std::string_view what, std::uint64_t said, std::uint64_t found) {
    return status(
        exit_status::bad_data,
        fmt::format(
            "{}:{}:1: this announces {} {}, but the file has {}; get the whole file, or correct this number",
            path, layout.line_of_counts, said, what, found));
  };
  if (layout.format == text_format::metis && rows != layout.vertices)
    return contradicted("vertices", layout.vertices, rows);
  if (layout.has_vertex_count() && totals.edges != layout.entries)
    return contradicted(
        layout.format == text_format::metis ? "neighbours (two for each edge)" : "lines with edges",
        layout.entries, totals.edges);
  if (layout.guessed && looks_like_sizes(totals, layout))
    return status(exit_status::bad_data,
                  fmt::format("{}:{}:1: this looks like the size line of a Matrix Market file without its "
                              "banner: as many rows as columns, and as many entries as there are lines after "
                              "it; add the banner, or pass --format=edge_list if it is an edge",
                              path, first_line));
  if (layout.ignores_weights) totals.first_weight = 0;
  if (totals.edges > 0 || layout.has_vertex_count()) return totals;
  return status(exit_status::bad_data, fmt::format("no edges in {}; {}", path, expected_line(layout)));
}

std::optional<std::uint64_t> vertices_in_front(const text_totals& totals, const text_layout& layout) {
  const bool may_be = layout.format == text_format::edge_list && !layout.named && totals.columns == 2 &&
                      totals.edges > 1 && totals.first_edge.target == totals.edges - 1;
  return may_be ? std::optional(totals.first_edge.source) : std::nullopt;
}

std::uint64_t count_larger_ids(const edge_list& list, std::uint64_t id) {
  std::uint64_t larger = 0;
  for (const edge& e : list.edges) larger += (e.source > id ? 1u : 0u) + (e.target > id ? 1u : 0u);
  return larger;
}

void note_larger_ids(text_totals& totals, std::uint64_t larger) {
  const auto [vertices, edges] = totals.first_edge;
  totals.has_counts_in_front = larger == (edges > vertices ? 1 : 0);
}

std::vector<std::string> check_header(const text_totals& totals, std::string_view path,
                                      std::optional<std::uint64_t> vertices) {
  std::vector<std::string> warnings;
  const auto compare = [&](std::string_view what, std::uint64_t said, std::uint64_t found) {
    if (said == found) return;
    warnings.push_back(fmt::format("{}: its header says {} {}, but it has {}", path, said, what, found));
  };
  // Seconds since 1970, of the years from 1995 to 2100.
  if (totals.first_weight >= 788918400 && totals.first_weight < 4102444800)
    warnings.push_back(
        fmt::format("{}: the third column begins with {:.0f}, which looks like a time, and is read as "
                    "weights; pass --time_column=3 to ignore it",
                    path, totals.first_weight));
  if (totals.has_counts_in_front)
    warnings.push_back(
        fmt::format("{0}: the first line, '{1} {2}', may be the numbers of vertices and edges, as {2} lines "
                    "follow it, and is read as an edge; remove it if it is not",
                    path, totals.first_edge.source, totals.first_edge.target));
  if (totals.has_dropped_header)
    warnings.push_back(
        fmt::format("{}: the first row is read as the names of the columns, as no other row has one of its "
                    "names; pass --noheader if it is an edge, --header if it is not",
                    path));
  if (!totals.has_header) return warnings;
  if (vertices) compare("nodes", totals.header_nodes, *vertices);
  compare("edges", totals.header_edges, totals.edges);
  return warnings;
}

result<text_file> read_text(byte_source& source, const text_request& wanted) {
  text_layout layout;
  if (source.seekable()) {
    auto found = find_layout(source, wanted);
    if (!found.ok()) return found.status();
    layout = found.value();
  }
  auto read = source.seekable() ? read_text_range(source, layout, 0, source.size())
                                : read_text_stream(source, layout, wanted);
  if (!read.ok()) return read.status();
  text_part& part = read.value();
  auto totals = combine_text_parts({&part.summary, 1}, layout, source.path());
  if (!totals.ok()) return totals.status();
  if (status wrong = check_symmetry(totals.value(), source, layout); !wrong.ok()) return wrong;
  if (part_of_doubtful_row({&part.summary, 1}, layout) &&
      !has_name_of(names_of_first_row(part), part, true, layout)) {
    drop_first_row(part, layout);
    note_dropped_row(totals.value());
  }
  if (const auto vertices = vertices_in_front(totals.value(), layout))
    note_larger_ids(totals.value(), count_larger_ids(part.list, *vertices));
  return text_file{std::move(part.list), std::move(part.names), layout, totals.value()};
}

}  // namespace orujo::internal::formats
