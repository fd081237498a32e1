// Reading text files of any layout, by one reader or by byte ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"
#include "framework/formats/names.hpp"
#include "framework/formats/text_parser.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct text_part {
  edge_list list;
  name_table names;  // of a layout with names, as they are first used: edges have their places here
  text_summary summary;
};

// The layout of a seekable source. Fails as read_layout() does, or if the source does.
result<text_layout> find_layout(byte_source& source, const text_request& wanted = {});

// The number of lines of vertices that start in bytes [first, last) of a seekable source. It is 0 if lines
// are not of vertices.
result<std::uint64_t> count_rows(byte_source& source, const text_layout& layout, std::uint64_t first,
                                 std::uint64_t last);

// The summary of two parts of a METIS graph, one after the other; the first one has no error.
text_summary joined_rows(const text_summary& first, const text_summary& second);

// Fails with no_resource if edges take more bytes than a reader may use.
status check_room(std::uint64_t bytes, std::uint64_t most_bytes, std::string_view path);

// Parses the lines that start in bytes [first, last) of a seekable source, the last one to its end. The parts
// of ranges that cover the file hold each edge once, in order. Fails only if the source does, and with
// no_resource if the edges take more than most_bytes. Errors in the text are in the summary. first_row: the
// number of lines of vertices before. Callable from several threads on one source.
constexpr std::uint64_t any_bytes = ~std::uint64_t{0};
result<text_part> read_text_range(byte_source& source, const text_layout& layout, std::uint64_t first,
                                  std::uint64_t last, std::uint64_t first_row = 0,
                                  std::uint64_t most_bytes = any_bytes);

// Reads a source from its start to its end, and sets `layout` to what its start says. Fails as find_layout
// and read_text_range do.
result<text_part> read_text_stream(byte_source& source, text_layout& layout, const text_request& wanted = {},
                                   std::uint64_t most_bytes = any_bytes);

// What is known of a whole file.
struct text_totals {
  std::uint64_t edges = 0;  // lines with one
  std::uint64_t lines = 0;
  std::uint32_t columns = 0;    // 3 where edges have weights
  std::uint64_t asymmetry = 0;  // as in text_summary
  float first_weight = 0;       // of an edge list: the first edge's
  edge first_edge;
  bool has_counts_in_front = false;  // the first edge looks like numbers of vertices and edges
  bool says_undirected = false;      // the SNAP header
  bool has_dropped_header = false;   // the first row was taken for the names of columns
  bool has_header = false;
  std::uint64_t header_nodes = 0;
  std::uint64_t header_edges = 0;
};

// The totals of the parts of a file, given in order, or its first error, "FILE:LINE:COLUMN: what; what is
// expected". The error is the same however the file is cut into parts. Another number of lines than the
// header announces is bad_data, too, and so is an edge list without edges. check_symmetry() checks METIS'
// rows (neighbour_symmetry.hpp).
result<text_totals> combine_text_parts(std::span<const text_summary> parts, const text_layout& layout,
                                       std::string_view path);

// Returns N if the first edge of an edge list may be 'N M', the numbers of vertices and edges, because M
// lines follow it. They are likely to be these if no other vertex is larger (note_larger_ids()).
std::optional<std::uint64_t> vertices_in_front(const text_totals& totals, const text_layout& layout);
// Counts the ends of edges that are larger than an id.
std::uint64_t count_larger_ids(const edge_list& list, std::uint64_t id);
// larger: count_larger_ids() of all edges and N.
void note_larger_ids(text_totals& totals, std::uint64_t larger);

// Warnings that the file may not be what was meant. The counts of the SNAP header contradict the data, the
// first line may be counts, the first row was taken for a header, or weights look like times. `vertices` is
// the number of distinct ids.
std::vector<std::string> check_header(const text_totals& totals, std::string_view path,
                                      std::optional<std::uint64_t> vertices = {});

struct text_file {
  edge_list list;
  name_table names;  // as in text_part
  text_layout layout;
  text_totals totals;
};

// Reads any source, seekable or not, from its start to its end.
result<text_file> read_text(byte_source& source, const text_request& wanted = {});

}  // namespace orujo::internal::formats
