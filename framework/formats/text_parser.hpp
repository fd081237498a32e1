// The parser of text edge lists: it turns bytes into edges and a summary, and opens no files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "framework/formats/edge.hpp"
#include "framework/formats/names.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/exit_status.hpp"

// Edge lists: lines are "source target" (.el, SNAP .txt) or "source target weight" (.wel). Columns are
// separated by blanks and tabs, or a comma among them. Lines end with LF or CRLF (line_ends.hpp makes LF of
// CR alone), the last one possibly with neither. Lines that start with '#', '%' or "//" are comments. Empty
// lines and a UTF-8 byte order mark at the start are skipped. Ids are decimal 0..2^64-1. Weights are decimal
// and finite as float. The first data line decides whether all lines have two columns or three. The other
// formats with an edge per line (text_layout.hpp) differ in what a layout has; the edges of those whose
// header has a number of vertices count these from 0.
namespace orujo::internal::formats {

// Longer data lines are refused; what a parser remembers of an unfinished line is bounded by this. Comments
// may be of any length.
inline constexpr std::size_t longest_line_bytes = std::size_t{64} << 10;

// The error of a line with `columns` columns if the first edge of the file has the other number.
std::string_view column_disagreement(std::uint32_t columns);
// And with an entry in the other triangle than the first one.
inline constexpr std::string_view triangle_disagreement =
    "entries above the diagonal and below; expected those of one triangle, as the other is their mirror "
    "image, "
    "or 'general' in the banner";

// The results of parsing a part of a file, apart from its edges. They are trivially copyable, so they can be
// sent between processes as bytes. Lines count from 1 at the part's first line, columns are bytes from 1.
struct text_summary {
  std::uint64_t edges = 0;              // lines with one
  std::uint64_t lines = 0;              // how many '\n' it has
  std::uint64_t rows = 0;               // of neighbour lists: lines of vertices,
  std::uint64_t asymmetry = 0;          // and a sum over all edges, which is 0 if each has its reverse
  std::uint32_t columns = 0;            // of its first data line: 2, 3, or 0 without one
  std::uint32_t first_data_column = 0;  // where to point if that line has more or fewer than the file's first
  std::uint64_t first_data_line = 0;
  float first_weight = 0;  // of its first edge, if that has one
  edge first_edge;
  // For a layout of one triangle: '<' if the first edge that is not a loop leads to a larger vertex, else
  // '>'.
  char triangle = 0;
  std::uint32_t triangle_column = 0;
  std::uint64_t triangle_line = 0;
  bool has_header = false;  // "# Nodes: N Edges: M", the first one
  std::uint64_t header_nodes = 0;
  std::uint64_t header_edges = 0;
  bool says_undirected = false;  // "# Undirected graph", as SNAP has it

  exit_status error = exit_status::ok;  // the first error, where parsing ended
  std::uint32_t error_column = 0;
  std::uint64_t error_line = 0;
  std::array<char, 256> error_text = {};  // "what; what is expected", zero-terminated
};
static_assert(std::is_trivially_copyable_v<text_summary>);

// Parses bytes that arrive in pieces cut anywhere; where they are cut changes neither edges nor errors.
class text_parser {
 public:
  // Appends to `sink`, which must outlive the parser. The first byte is the first of a line after the
  // header, and with `first_part` the one at layout.body; a byte-order mark may be at the start of the file.
  // names: numbers the vertices of a layout with names, null for others; it must outlive the parser, too.
  explicit text_parser(edge_list& sink, const text_layout& layout = {}, bool first_part = true,
                       name_set* names = nullptr);

  // The next bytes. After an error it does nothing.
  void feed(std::string_view bytes);
  // There are no more bytes: the last line may lack its '\n'.
  void finish();

  bool failed() const { return summary_.error != exit_status::ok; }
  bool inside_line() const { return !carry_.empty(); }
  const text_summary& summary() const { return summary_; }

 private:
  void complete_carried_line(std::string_view& bytes);
  void carry(std::string_view bytes);
  void parse_lines(std::string_view bytes);
  enum class ids { as_is, from_least, named };
  enum class weights { none, read, skipped };
  template <weights Weights>
  const char* parse_plain_lines(const char* line, const char* end);
  template <weights Weights, ids Ids>
  const char* parse_plain_lines(const char* line, const char* end);
  // For tables (table_lines.cpp).
  const char* parse_plain_rows(const char* line, const char* end);
  template <bool Weighted, bool Named, bool Blanks>
  const char* parse_plain_rows(const char* line, const char* end);
  bool is_type(std::string_view text) const;
  void parse_row(std::string_view line);
  bool take_field(std::uint32_t column, std::string_view text, std::size_t at, edge& e, float& weight);
  bool read_vertex(std::string_view token, std::uint64_t& id);
  std::string read_weight(std::string_view token, float& weight) const;
  std::string_view wrong_place(const edge& e, std::size_t column);
  bool is_in_place(const edge& e) const;
  bool is_comment(std::string_view text) const;
  void parse_line(std::string_view line);
  void parse_data(std::string_view line);
  void parse_attributes(std::string_view line, std::size_t start, const edge& e);
  void accept(edge e, float weight, std::uint32_t columns, std::size_t column);
  void add(const edge& e);
  void add(const edge& e, float weight);
  void read_header(std::string_view comment);
  void fail(std::size_t column, std::string_view text);

  edge_list& sink_;
  name_set* const names_;
  const text_layout layout_;
  const bool starts_file_;
  const char* next_quote_ = nullptr;  // of a table, in the bytes that are parsed; null if it is not known
  std::string carry_;                 // the start of an unfinished line, at most longest_line_bytes + 1
  text_summary summary_;
};

}  // namespace orujo::internal::formats
