// The layout of a text file, from its start: its format, and the way to read its lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::internal::formats {

enum class text_format {
  edge_list,      // SNAP .txt, .el, .wel, comma-separated: "source target [weight]", any ids
  matrix_market,  // "row column [value]" after a banner and a size line
  dimacs,         // "a source target weight" (shortest paths, flows) or "e source target" (colouring) after a
                  // problem line
  metis,   // a line per vertex, with its neighbours and maybe weights (neighbour_lists.hpp), after a size
           // line
  csv,     // a table with a row per edge, and maybe a header
  konect,  // a table after a line that says what its edges are
};

// Which columns of a table are what; they count from 0.
struct table_columns {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  char separator = ',';  // ' ': any number of blanks and tabs, and texts in quotes are nothing special
  std::uint32_t source = 0, target = 1, weight = none;
  std::uint32_t type = none;  // Gephi's: of all rows Directed, or Undirected in a layout that is mirrored
  // Targets are of another set than sources, also rows and columns of a matrix: larger than in the file by
  // this.
  std::uint64_t target_shift = 0;
  std::uint64_t most_source = std::numeric_limits<std::uint64_t>::max(), most_target = most_source;

  std::uint32_t last() const { return std::max({source, target, last_of(weight), last_of(type)}); }
  static std::uint32_t last_of(std::uint32_t column) { return column == none ? 0 : column; }
  bool quotes() const { return separator != ' '; }
  // A column between two colons counts twice: what is between the colons is one, too.
  std::uint32_t columns_of(std::uint32_t fields) const {
    return separator == ':' ? (fields + 1) / 2 : fields;
  }
};

struct text_layout {
  text_format format = text_format::edge_list;
  std::uint32_t columns = 0;  // of a line: 2 or 3; 0: the first edge says it
  char letter = 0;            // what a line begins with, as a column of its own, where it does
  char node_letter = 0;       // the start of lines of vertices, which are not read
  bool mirrored = false;      // an edge stands for its reverse, too,
  bool negated = false;       // which has the weight with the other sign; no edge leads to its source
  bool guessed = false;       // not requested as an edge list, but the content looks like one
  bool one_triangle = false;  // no edge leads to a larger vertex if another one leads to a smaller
  bool bipartite = false;     // targets are of another set, by a shift that is known when all are read
  bool whole_weights = false;
  bool ignores_weights = false;  // they are not read
  float least_weight = -std::numeric_limits<float>::max();
  bool named = false;            // vertices are names (names.hpp), not ids
  bool may_have_header = false;  // with names: the first row of a table may be no edge (first_row.hpp)
  std::uint64_t least_id = 0, most_id = std::numeric_limits<std::uint64_t>::max();
  table_columns table;                // of csv and konect
  std::uint32_t skipped_columns = 0;  // of metis, before the neighbours
  bool halved =
      false;  // of metis: edges are left out that lead to a larger vertex, which their reverse states
  std::uint64_t vertices = 0, entries = 0;  // that the file announces; 0 of edge lists
  std::uint64_t line_of_counts = 0;         // where it does
  std::uint64_t body = 0;                   // where the lines of edges begin, in bytes
  std::uint64_t lines_before = 0;           // them

  // Where a vertex without edges exists, and ids are numbers from least_id on.
  bool has_vertex_count() const { return least_id > 0; }
  bool is_table() const { return format == text_format::csv || format == text_format::konect; }
  bool has_weights() const { return columns == 3 && !ignores_weights; }
};

// Headers have to end within so much of a file.
inline constexpr std::size_t longest_header_bytes = std::size_t{1} << 20;

// How a table is to be read, where it does not say so itself. A column is its name in the header or its
// number from 1 on; "" is found out.
struct table_request {
  std::optional<bool> header = {};  // whether there is one
  char separator = 0;               // 0 is found out
  std::string source = {}, target = {}, weight = {};
  std::string time = {};  // no weight
  // True if targets are of another set than sources, also for lists of edges and matrices. Detected if not
  // given.
  std::optional<bool> bipartite = {};

  bool asks_for_columns() const {  // others than that of weights
    return header || separator != 0 || !source.empty() || !target.empty() || !time.empty();
  }
  bool any() const { return asks_for_columns() || !weight.empty(); }
};

// The properties that the reader of a file requests.
struct text_request {
  std::optional<text_format> format = {};  // recognised without it
  bool named = false;                      // vertices of an edge list or csv are names; others have none
  bool ignores_weights = false;            // whatever stands for them
  bool non_negative_weights = false;       // others are errors
  table_request table = {};                // any of it makes a file a csv
  bool mirrored = false;                   // edges of a csv stand for their reverse, too
  bool halved = false;                     // a METIS graph is enough as in text_layout
};

// "expected 'source target' or ..." for a line of this layout.
std::string expected_line(const text_layout& layout);

// head: the first longest_header_bytes of the file, or all of it. The path or the head determines the format
// (recognise.hpp). Fails with bad_data, `"PATH:LINE:COLUMN: what; what is expected"`, if the head begins like
// a format and does not continue like it, and if names are wanted of a format that has none.
result<text_layout> read_layout(std::string_view head, std::string_view path,
                                const text_request& wanted = {});

}  // namespace orujo::internal::formats
