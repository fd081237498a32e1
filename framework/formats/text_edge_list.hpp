// Reading text edge lists (.el, SNAP .txt, .wel; see text_parser.hpp), by one reader or by byte ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"
#include "framework/formats/text_parser.hpp"
#include "system/base/status.hpp"

namespace orujo::formats {

struct text_part {
  edge_list list;
  text_summary summary;
};

// Parses the lines that start in bytes [first, last) of a seekable source; reads on past `last` to the end of
// the last of them. The parts of ranges that cover the file hold each edge once, in order. Fails only where
// the source does; errors in the text are in the summary. Callable from several threads on one source.
result<text_part> read_text_range(byte_source& source, std::uint64_t first, std::uint64_t last);

// Parses all that the source still gives. Fails as read_text_range does.
result<text_part> read_text_stream(byte_source& source);

// What is known of a whole file.
struct text_totals {
  std::uint64_t edges = 0;
  std::uint64_t lines = 0;
  std::uint32_t columns = 0;  // 3 where edges have weights
  bool has_header = false;
  std::uint64_t header_nodes = 0;
  std::uint64_t header_edges = 0;
};

// The totals of the parts of a file, given in order; or its first error, "FILE:LINE:COLUMN: what; what is
// expected", the same for any way to cut the file into parts. A file without edges is bad_data too.
result<text_totals> combine_text_parts(std::span<const text_summary> parts, std::string_view path);

// One line for each count of the SNAP header that contradicts the data. `vertices` is the number of distinct
// ids.
std::vector<std::string> check_header(const text_totals& totals, std::string_view path,
                                      std::optional<std::uint64_t> vertices = {});

struct text_file {
  edge_list list;
  text_totals totals;
};

// Reads any source, seekable or not, from its start to its end.
result<text_file> read_text(byte_source& source);

}  // namespace orujo::formats
