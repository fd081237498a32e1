// Fields of a line of a table.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orujo::internal::formats {

struct table_field {
  std::string_view text;    // as it stands there, without blanks around it, or quotes
  bool has_quotes = false;  // inside, each doubled
  std::size_t column = 0;   // where it starts, from 1
  bool in_quotes = false;   // stands in them

  // The value of the field. quoted: memory for the text if it has quotes inside.
  std::string_view value(std::string& quoted) const;
};

// The separator of a table of one column: a line is a field.
inline constexpr char whole_line = '\n';

// Goes through the fields of a line, given without its end. A field in quotes may hold separators, and a
// quote if it is doubled (RFC 4180); other fields may not begin with a quote. With the separator ' ' any
// blanks and tabs are one, and quotes are like other bytes.
class field_reader {
 public:
  field_reader(std::string_view line, char separator);

  // False at the end of the line, or where failed().
  bool next(table_field& field);
  // The field has a mistake at that column, and no value.
  bool failed() const { return !error_.empty(); }
  std::string_view error() const { return error_; }
  std::size_t error_column() const { return error_column_; }

 private:
  bool next_between_blanks(table_field& field);
  bool next_in_quotes(std::size_t start, table_field& field);

  std::string_view line_, error_;
  const char separator_;
  std::size_t at_ = 0, error_column_ = 0;
  bool ended_ = false;
};

// The position of a column: of the first one of that name, or else of the only one whose name differs from it
// by the case of ASCII letters.
std::optional<std::size_t> find_column(std::span<const std::string> names, std::string_view name);

// What is most often between the fields of a line: a tab, comma, semicolon or bar, or blanks where there is
// none. Beside one of the others a comma between two digits is a decimal one.
char separator_of(std::string_view line);

}  // namespace orujo::internal::formats
