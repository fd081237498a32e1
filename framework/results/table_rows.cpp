#include "framework/results/table_rows.hpp"

#include <fmt/format.h>

#include <bit>

namespace orujo::internal::results {
namespace {

void append_text(std::string& to, row_format format, const vertex_label& vertex) {
  if (vertex.name.empty()) {
    as_decimals()(to, vertex.id);
  } else if (format == row_format::csv) {
    append_csv(to, vertex.name);
  } else {
    formats::append_name(to, vertex.name);
  }
}

std::string type_of(const column& c) {
  return fmt::format("{}{}{}", c.bytes == 1 ? '|' : '<', c.kind, c.bytes);
}

// `entries`: the type of an entry, as Python has it.
std::string npy_head(const std::string& entries, const std::string& shape) {
  static_assert(std::endian::native == std::endian::little, "entries are written as they are in memory");
  std::string head = "{'descr': " + entries + ", 'fortran_order': False, 'shape': " + shape + ", }";
  constexpr std::size_t before = 10, alignment = 64;  // magic, version and length
  head.append(alignment - 1 - (before + head.size()) % alignment, ' ');
  head += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size() & 0xff) +
         static_cast<char>(head.size() >> 8) + head;
}

}  // namespace

void append_csv(std::string& to, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    to += field;
    return;
  }
  to += '"';
  for (const char c : field) to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

row_format row_format_of(std::string_view path) {
  return path.ends_with(".csv")   ? row_format::csv
         : path.ends_with(".npy") ? row_format::npy
                                  : row_format::text;
}

std::string table_head(row_format format, const std::vector<column>& columns, std::uint64_t rows,
                       const std::string& first) {
  if (format == row_format::text) return {};
  if (format == row_format::npy) {
    std::string entries = "[('" + first + "', '<u8')";
    for (const column& c : columns) entries += ", ('" + c.name + "', '" + type_of(c) + "')";
    return npy_head(entries + "]", "(" + std::to_string(rows) + ",)");
  }
  std::string head = first;
  for (const column& c : columns) head += "," + c.name;
  return head + "\n";
}

std::string matrix_head(std::uint64_t rows, std::uint64_t columns) {
  return npy_head("'<i8'", "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")");
}

void append_vertex(std::string& to, row_format format, const vertex_label& vertex) {
  if (format == row_format::npy) {
    append_number(to, format, vertex.id);
  } else {
    append_text(to, format, vertex);
  }
}

void append_label(std::string& to, row_format format, const vertex_label& vertex) {
  if (format != row_format::npy) to += format == row_format::csv ? ',' : ' ';
  append_vertex(to, format, vertex);
}

void append_row_end(std::string& to, row_format format) {
  if (format != row_format::npy) to += '\n';
}

}  // namespace orujo::internal::results
