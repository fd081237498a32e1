// The parser of text with a value per vertex.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "framework/formats/text_parser.hpp"

// Lines are "ID VALUE", or "NAME VALUE"; columns are separated by blanks and tabs, or a comma among them.
// Line ends, comments, empty lines and the byte order mark are those of edge lists (text_parser.hpp). A table
// has "ID,VALUE", as CSV (table_fields.hpp), no comments, and maybe a first row "id,NAME".
namespace orujo::internal::formats {

struct value_line {
  std::string_view vertex, value;
  std::uint64_t line;           // from 1 at the first byte that the parser gets
  std::uint32_t vertex_column;  // from 1
  std::uint32_t value_column;
};

// Parses bytes that arrive in pieces cut anywhere.
class value_parser {
 public:
  enum class layout { lines, table };

  // take(line) returns "", or "what; what is expected" for a wrong value or vertex, with the column in
  // `wrong_column`. starts_file: the first byte is the file's.
  using taker = std::function<std::string(const value_line&, std::uint32_t& wrong_column)>;
  value_parser(bool starts_file, taker take, layout of = layout::lines)
      : take_(std::move(take)), starts_file_(starts_file), is_table_(of == layout::table) {}

  // As text_parser's.
  void feed(std::string_view bytes);
  void finish();
  bool failed() const { return !error_.empty(); }
  bool inside_line() const { return !carry_.empty(); }

  std::uint64_t lines() const { return lines_; }  // how many '\n' came before the first error
  const std::string& error() const { return error_; }
  std::uint32_t error_column() const { return error_column_; }

 private:
  void carry(std::string_view bytes);
  void parse_line(std::string_view line);
  void parse_columns(std::string_view line);
  void parse_row(std::string_view line);
  void take(std::string_view vertex, std::size_t vertex_column, std::string_view value,
            std::size_t value_column);
  void fail(std::size_t column, std::string text);

  const taker take_;
  const bool starts_file_, is_table_;
  bool may_be_header_ = true;
  std::string carry_;  // the start of an unfinished line, at most longest_line_bytes + 1
  std::uint64_t lines_ = 0;
  std::string error_;
  std::uint32_t error_column_ = 0;
};

}  // namespace orujo::internal::formats
