// Rows of a table of vertices: as lines of text, as CSV, or as the records of a NumPy file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/results/value_text.hpp"
#include "framework/results/vertex_labels.hpp"

namespace orujo::internal::results {

// text: "ID VALUE ...". csv: RFC 4180 with a header. npy: an array of records in NumPy's format 1.0
// (numpy.org/doc/stable/reference/generated/numpy.lib.format.html), which has no place for names.
enum class row_format { text, csv, npy };

// By the end of the file's name: .csv, .npy, or any other for text.
row_format row_format_of(std::string_view path);

// Another vertex in a value, by its position (framework/graph/numbering.hpp). A signed one below 0 is none,
// and written as -1.
template <class Id>
struct vertex_at {
  static_assert(sizeof(Id) == 8, "it is written as ids are");
  Id position;
  bool is_none() const { return std::cmp_less(position, 0); }
};
template <class>
inline constexpr bool is_vertex_at = false;
template <class Id>
inline constexpr bool is_vertex_at<vertex_at<Id>> = true;

// The numbers, and other vertices, that a value is of, by a specialisation for others than numbers.
template <class T>
struct numbers_of {
  static_assert(std::is_arithmetic_v<T> || is_vertex_at<T>,
                "of other values than numbers a specialisation says what they have");
  template <class Visit>
  static void visit(const T& value, const Visit& visit) {
    visit(value);
  }
};

template <class T, std::size_t N>
struct numbers_of<std::array<T, N>> {
  template <class Visit>
  static void visit(const std::array<T, N>& values, const Visit& visit) {
    for (const T& value : values) visit(value);
  }
};

// A column, with its type as in NumPy: i, u or f, and bytes.
struct column {
  std::string name;
  char kind;
  std::size_t bytes;
};
template <class Number>
column column_of(std::string name) {
  if constexpr (is_vertex_at<Number>) {
    return column_of<decltype(Number::position)>(std::move(name));
  } else {
    return {std::move(name),
            std::is_floating_point_v<Number> ? 'f'
            : std::is_signed_v<Number>       ? 'i'
                                             : 'u',
            sizeof(Number)};
  }
}

// The column names of a value's numbers. Numbers beyond the given names get the last name and a number.
template <class T>
std::vector<column> columns_of(const std::vector<std::string>& names) {
  std::vector<column> columns;
  numbers_of<T>::visit(T{}, [&](auto number) {
    const std::size_t k = columns.size();
    columns.push_back(column_of<decltype(number)>(
        k < names.size() ? names[k] : names.back() + "_" + std::to_string(k - names.size() + 2)));
  });
  return columns;
}

// The bytes before `rows` rows. Text has none. The others name the columns, the first of which is that of a
// vertex.
std::string table_head(row_format format, const std::vector<column>& columns, std::uint64_t rows,
                       const std::string& first = "id");

// The bytes of an npy file before the entries of a matrix of signed numbers of 8 bytes, row by row.
std::string matrix_head(std::uint64_t rows, std::uint64_t columns);

// A row is the vertex, its numbers and the end. In npy the vertex is its id.
void append_vertex(std::string& to, row_format format, const vertex_label& vertex);
void append_label(std::string& to, row_format format, const vertex_label& vertex);  // as a further column
void append_row_end(std::string& to, row_format format);
void append_csv(std::string& to, std::string_view field);  // in quotes where it needs them

// as_number(std::string& to, number): the text of one.
template <class Number, class Text = as_decimals>
void append_number(std::string& to, row_format format, Number number, const Text& as_number = {}) {
  if (format == row_format::npy) {
    to.append(reinterpret_cast<const char*>(&number), sizeof(number));
    return;
  }
  to += format == row_format::csv ? ',' : ' ';
  as_number(to, number);
}

}  // namespace orujo::internal::results
