#include "applications/query/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "framework/tables/mapreduce/packed_texts.hpp"
#include "system/base/identity.hpp"
#include "system/base/json.hpp"
#include "system/base/printable.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::query {
namespace {

using relational::answer_part, relational::kind, relational::output;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

std::string real_text(double value) {
  std::string text = fmt::to_string(value);
  if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
  return text;
}

std::string csv_text(const answer_part& of, std::size_t c, std::size_t row) {
  std::string text = value_text(of, c, row);
  if (of.columns[c].type != kind::text || of.rows.columns[c].null(row)) return text;
  const bool blank_ends =
      text.starts_with(' ') || text.ends_with(' ') || text.starts_with('\t') || text.ends_with('\t');
  if (!text.empty() && !blank_ends && text.find_first_of(",\"\n\r;\t|") == text.npos) return text;
  std::string quoted = "\"";
  for (const char byte : text) quoted.append(byte == '"' ? 2 : 1, byte);
  return quoted + '"';
}

std::string json_text(const answer_part& of, std::size_t c, std::size_t row) {
  if (of.rows.columns[c].null(row)) return "null";
  if (of.columns[c].type == kind::text) return base::json(std::string(value_text(of, c, row))).dump();
  const std::string text = value_text(of, c, row);
  return text == "inf" ? "1e999" : text == "-inf" ? "-1e999" : text;
}

}  // namespace

std::string value_text(const answer_part& of, std::size_t c, std::size_t row) {
  const relational::column& values = of.rows.columns[c];
  if (values.null(row)) return "";
  switch (of.columns[c].type) {
    case kind::integer:
      return fmt::to_string(values[row]);
    case kind::real:
      return real_text(relational::real_of(values[row]));
    case kind::text:
      return std::string(of.text(values[row]));
  }
  return "";
}

results::text_pieces file_of(const answer_part& of, format as) {
  results::text_pieces pieces(1);
  const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(of.rows.rows);
  const bool first = my_core() == 0, last = my_core() == cores() - 1;
  const std::size_t columns = of.columns.size();
  std::vector<std::string> keys;
  for (const output& o : of.columns) keys.push_back(base::json(o.name).dump() + ": ");
  if (first && as == format::json) pieces.back() += '[';
  for (std::size_t c = 0; first && as == format::csv && c < columns; ++c) {
    const std::string& text = of.columns[c].name;
    const bool plain = !text.empty() && text.find_first_of(",\"\n\r;\t|") == text.npos;
    pieces.back() += plain ? text : base::json(text).dump();
    pieces.back() += c + 1 < columns ? ',' : '\n';
  }
  for (std::size_t row = 0; row < of.rows.rows; ++row) {
    if (pieces.back().size() > piece_bytes) pieces.emplace_back();
    std::string& to = pieces.back();
    if (as == format::json) to += before + row > 0 ? ",\n {" : "\n {";
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) to += as == format::json ? ", " : ",";
      to += as == format::json ? keys[c] + json_text(of, c, row) : csv_text(of, c, row);
    }
    to += as == format::json ? '}' : '\n';
  }
  if (last && as == format::json) pieces.back() += "\n]\n";
  return pieces;
}

text_rows first_rows(const answer_part& of, std::uint64_t most, const std::string& null) {
  const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(of.rows.rows);
  std::vector<char> packed;
  for (std::uint64_t row = 0; row < of.rows.rows && before + row < most; ++row) {
    for (std::size_t c = 0; c < of.columns.size(); ++c)
      mapreduce::append_text(packed, of.rows.columns[c].null(row) ? null : value_text(of, c, row));
  }
  text_rows rows;
  for (const std::vector<char>& of_core : collectives::gather(packed, 0)) {
    std::span<const char> left(of_core);
    while (!left.empty()) {
      rows.emplace_back();
      for (std::size_t c = 0; c < of.columns.size(); ++c)
        rows.back().emplace_back(mapreduce::take_text(left));
    }
  }
  return rows;
}

status check_names(const std::vector<output>& columns) {
  std::set<std::string> names;
  for (const output& o : columns) {
    if (!names.insert(o.name).second)
      return {exit_status::usage,
              fmt::format("two columns are named {}, and JSON allows one; rename one: AS name, or write CSV",
                          formats::shown(o.name))};
  }
  return {};
}

std::string aligned(std::vector<output> columns, text_rows rows) {
  for (output& o : columns) o.name = base::printable(o.name);
  for (auto& row : rows) {
    for (std::string& value : row) value = base::printable(value);
  }
  std::vector<std::size_t> widths;
  const auto width_of = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
  };
  for (std::size_t c = 0; c < columns.size(); ++c) {
    widths.push_back(width_of(columns[c].name));
    for (const auto& row : rows) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string text;
  const auto add_row = [&](const auto& cell) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& value = cell(c);
      const std::string blanks(widths[c] - width_of(value), ' ');
      line += "  " + (columns[c].type == kind::text ? value + blanks : blanks + value);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  add_row([&](std::size_t c) -> const std::string& { return columns[c].name; });
  for (const auto& row : rows) add_row([&](std::size_t c) -> const std::string& { return row[c]; });
  return text;
}

}  // namespace orujo::internal::query
