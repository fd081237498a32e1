// The parser of METIS graphs: a line per vertex with its neighbours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/formats/text_parser.hpp"

// Line v after the header, without comments ('%'), is that of vertex v. It has the vertex's size and weights
// if the header says so, which are skipped, and then neighbours, each with the edge's weight if there are
// weights. An empty line is a vertex without neighbours; empty lines after the last vertex are ignored.
// Lines may be of any length, tokens of longest_token_bytes. (Karypis: METIS manual 5.1, section 4.5.)
namespace orujo::internal::formats {

inline constexpr std::size_t longest_token_bytes = 256;

// Parses bytes that arrive in pieces cut anywhere; where they are cut changes neither edges nor errors.
class neighbour_parser {
 public:
  // Appends to `sink`, which must outlive the parser, edges from vertices first_row, first_row + 1, ..,
  // counted from 0. The first byte is the first of a line after the header.
  neighbour_parser(edge_list& sink, const text_layout& layout, std::uint64_t first_row)
      : sink_(sink), layout_(layout), row_(first_row) {
    summary_.columns = layout.columns;
  }

  // As text_parser's.
  void feed(std::string_view bytes);
  void finish();
  bool failed() const { return summary_.error != exit_status::ok; }
  bool inside_line() const { return column_ > 0; }
  const text_summary& summary() const { return summary_; }

 private:
  void skip_comment(std::string_view& bytes);
  void take_token(std::string_view& bytes);
  void end_token();
  bool is_left_out(const edge& e) const { return layout_.halved && e.source < e.target; }
  void weigh_direction(const edge& e, float weight);
  void end_row();
  void fail(std::string_view text);

  edge_list& sink_;
  const text_layout layout_;
  std::uint64_t row_;
  std::size_t column_ = 0;   // bytes of the line so far
  std::uint64_t place_ = 0;  // tokens of the line so far
  bool comment_ = false;     // the line is one
  edge last_;                // whose weight follows
  std::string token_;        // an unfinished one, as far as it matters
  std::size_t token_column_ = 0;
  text_summary summary_;
};

// Counts the lines of vertices, to know which one the first of the next part is.
class row_counter {
 public:
  void feed(std::string_view bytes);
  void finish() {
    if (inside_line()) end_line();
  }
  bool failed() const { return false; }
  bool inside_line() const { return inside_ || blank_; }
  std::uint64_t rows() const { return rows_; }

 private:
  void end_line();

  std::uint64_t rows_ = 0;
  bool inside_ = false;   // past the blanks at a line's start
  bool blank_ = false;    // a line has begun with blanks
  bool comment_ = false;  // the line is one
};

}  // namespace orujo::internal::formats
