#include "framework/formats/text_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <system_error>

#include "framework/formats/plain_lines.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t header_bytes = 1024;  // how far into a comment a SNAP header is searched

// Counts the empty lines at the start of the text. There may be gigabytes of nothing else.
std::size_t empty_lines(std::string_view text) {
  if (!text.starts_with("\n\n")) return 0;
  constexpr std::string_view some = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
  std::size_t lines = 0;
  while (text.substr(lines).starts_with(some)) lines += some.size();
  return std::min(text.find_first_not_of('\n', lines), text.size());
}

// The number after `name` in a comment.
std::optional<std::uint64_t> count_after(std::string_view comment, std::string_view name) {
  const std::size_t at = comment.find(name);
  if (at == comment.npos) return {};
  const std::size_t start = comment.find_first_not_of(blanks, at + name.size());
  if (start == comment.npos) return {};
  const std::string_view rest = comment.substr(start);
  std::uint64_t count = 0;
  if (std::from_chars(rest.data(), rest.data() + rest.size(), count).ec != std::errc()) return {};
  return count;
}

}  // namespace

std::string_view column_disagreement(std::uint32_t columns) {
  return columns == 3 ? "a weight, but the first edge of the file has none; expected 'source target'"
                      : "no weight, but the first edge of the file has one; expected 'source target weight'";
}

text_parser::text_parser(edge_list& sink, const text_layout& layout, bool first_part, name_set* names)
    : sink_(sink), names_(names), layout_(layout), starts_file_(first_part && layout.body == 0) {
  summary_.columns = layout.columns;
}

void text_parser::feed(std::string_view bytes) {
  if (failed() || bytes.empty()) return;
  if (inside_line()) complete_carried_line(bytes);
  if (failed() || bytes.empty()) return;
  const std::size_t past_lines = bytes.rfind('\n') + 1;  // npos + 1 is 0
  parse_lines(bytes.substr(0, past_lines));
  if (!failed()) carry(bytes.substr(past_lines));
}

void text_parser::finish() {
  if (!failed() && inside_line()) parse_line(carry_);
  carry_.clear();
}

// Takes the rest of the line that earlier bytes began off the front of `bytes`.
void text_parser::complete_carried_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  carry(bytes.substr(0, end));
  if (failed() || end == bytes.npos) {
    bytes = {};
    return;
  }
  bytes.remove_prefix(end + 1);
  parse_line(carry_);
  ++summary_.lines;
  carry_.clear();
}

void text_parser::carry(std::string_view bytes) {
  const bool was_too_long = carry_.size() > longest_line_bytes;
  carry_.append(bytes.substr(0, longest_line_bytes + 1 - carry_.size()));
  // Later bytes cannot change the meaning of such a line. Parsing it ends the reading, unless it is a
  // comment.
  if (!was_too_long && carry_.size() > longest_line_bytes) parse_line(carry_);
}

// Parses whole lines: `bytes` is empty or ends with '\n'. Plain lines take the short way.
void text_parser::parse_lines(std::string_view bytes) {
  const char* const end = bytes.data() + bytes.size();
  next_quote_ = nullptr;
  for (const char* line = bytes.data(); line != end;) {
    const std::size_t empty = empty_lines({line, static_cast<std::size_t>(end - line)});
    summary_.lines += empty;
    line += empty;
    if (line == end) return;
    if (layout_.is_table()) {
      line = parse_plain_rows(line, end);
    } else if (summary_.columns == 2) {
      line = parse_plain_lines<weights::none>(line, end);
    } else if (summary_.columns == 3) {
      line = layout_.ignores_weights ? parse_plain_lines<weights::skipped>(line, end)
                                     : parse_plain_lines<weights::read>(line, end);
    }
    if (line == end) return;
    const auto* line_end =
        static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    parse_line({line, static_cast<std::size_t>(line_end - line)});
    if (failed()) return;
    ++summary_.lines;
    line = line_end + 1;
  }
}

// Parses lines from `line` on; returns the first one that needs a careful look, or `end`.
template <text_parser::weights Weights>
const char* text_parser::parse_plain_lines(const char* line, const char* end) {
  if (names_ != nullptr) return parse_plain_lines<Weights, ids::named>(line, end);
  return layout_.format == text_format::edge_list ? parse_plain_lines<Weights, ids::as_is>(line, end)
                                                  : parse_plain_lines<Weights, ids::from_least>(line, end);
}

// Ids: as_is and named are those of edge lists, whose edges are what the lines say.
template <text_parser::weights Weights, text_parser::ids Ids>
const char* text_parser::parse_plain_lines(const char* line, const char* end) {
  // NOLINTBEGIN(readability-identifier-naming): of the template parameters
  constexpr bool Weighted = Weights == weights::read;
  constexpr bool AsIs = Ids != ids::from_least;
  // NOLINTEND(readability-identifier-naming)
  constexpr char comma = AsIs ? ',' : ' ';
  const char letter = layout_.letter;
  const std::uint64_t least = layout_.least_id, shift = layout_.table.target_shift;
  const std::uint64_t most_source = std::min(layout_.most_id, layout_.table.most_source) - least;
  const std::uint64_t most_target = std::min(layout_.most_id, layout_.table.most_target) - least;
  if (!AsIs &&
      (layout_.most_id < least || layout_.table.most_source < least || layout_.table.most_target < least))
    return line;  // of no vertices none is one
  const auto read_plain = [&](const char* p, std::uint64_t& id) {
    if constexpr (Ids == ids::named) {
      return plain_name(p, *names_, id);
    } else {
      return plain_id(p, id);
    }
  };
  const std::size_t edges_before = sink_.edges.size();
  std::uint64_t lines = 0;
  for (; line != end; lines += AsIs ? 0 : 1) {
    edge e;
    float weight = 0;
    const char* p = line;
    if (Ids == ids::named && begins_comment({p, static_cast<std::size_t>(end - p)})) break;
    if (!AsIs && letter != 0) {
      if (*p != letter || (p[1] != ' ' && p[1] != '\t')) break;
      p = skip_blanks(p + 1);
    }
    p = read_plain(p, e.source);
    if (p == nullptr || !separates(*p, comma)) break;
    p = read_plain(skip_blanks(p + 1), e.target);
    if (p == nullptr) break;
    if constexpr (!AsIs) {
      e.source -= least;
      e.target -= least;
      if (e.source > most_source || e.target > most_target) break;
      if (layout_.one_triangle && !is_in_place(e)) break;
      e.target += shift;
    }
    if constexpr (Weighted) {
      if (!separates(*p, comma)) break;
      p = plain_weight(skip_blanks(p + 1), end, weight, sink_);
      if (p == nullptr || !suits(layout_, weight)) break;
    } else if constexpr (Weights == weights::skipped) {
      if (!separates(*p, comma)) break;
      const char* const start = p = skip_blanks(p + 1);
      while (!separates(*p, comma) && *p != '\r' && *p != '\n') ++p;
      if (p == start) break;
    }
    p = skip_blanks(p);
    if (*p == '\r') ++p;
    if (*p != '\n' || p - line > static_cast<std::ptrdiff_t>(longest_line_bytes)) break;
    if constexpr (AsIs) {
      sink_.edges.push_back(e);
      if constexpr (Weighted) sink_.weights.push_back(weight);
    } else if constexpr (Weighted) {
      add(e, weight);
    } else {
      add(e);
    }
    line = p + 1;
  }
  if (AsIs) lines = sink_.edges.size() - edges_before;
  summary_.edges += lines;
  summary_.lines += lines;
  return line;
}

bool text_parser::is_comment(std::string_view text) const {
  switch (layout_.format) {
    case text_format::edge_list:
      return begins_comment(text);
    case text_format::matrix_market:
      return text.starts_with('%');
    case text_format::dimacs:
      return text.starts_with('c') || (layout_.node_letter != 0 && text.size() > 1 &&
                                       text[0] == layout_.node_letter && blanks.find(text[1]) != blanks.npos);
    case text_format::konect:
      return begins_comment(text);
    case text_format::csv:
      return !layout_.table.quotes() && begins_comment(text);
    case text_format::metis:
      break;  // has a parser of its own
  }
  return false;
}

// Parses one line, given without its '\n'; of a line longer than longest_line_bytes only one byte more is
// used.
void text_parser::parse_line(std::string_view line) {
  const bool too_long = line.size() > longest_line_bytes;
  line = line.substr(0, longest_line_bytes);
  if (starts_file_ && summary_.lines == 0) {
    if (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff")) {
      return fail(1, "UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
    }
    if (line.starts_with("\xef\xbb\xbf")) {
      line.remove_prefix(3);
    }
  }
  const std::size_t start = std::min(line.find_first_not_of(blanks), line.size());
  if (is_comment(line.substr(start))) return read_header(line.substr(start));
  if (too_long) {
    const std::size_t last_token = line.find_last_of(separators) + 1;  // npos + 1 is 0
    return fail(last_token + 1,
                fmt::format("a line longer than {} bytes; {}", longest_line_bytes, expected_line(layout_)));
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (layout_.is_table()) return parse_row(line);
  parse_data(line);
}

void text_parser::parse_data(std::string_view line) {
  const bool commas = layout_.format == text_format::edge_list;
  edge e;
  float weight = 0;
  std::uint32_t columns = 0;
  std::size_t at[3] = {};  // where the columns start
  std::size_t start = std::min(line.find_first_not_of(blanks), line.size());
  std::size_t end = start;  // of the last column
  if (start == line.size()) return;
  if (layout_.letter != 0) {
    end = std::min(line.find_first_of(blanks, start), line.size());
    if (line.substr(start, end - start) != std::string_view(&layout_.letter, 1))
      return fail(start + 1,
                  fmt::format("{}; {}", shown(line.substr(start, end - start)), expected_line(layout_)));
    start = std::min(line.find_first_not_of(blanks, end), line.size());
  }
  while (start < line.size()) {
    if (commas && columns == 2 && line[start] == '{') return parse_attributes(line, start, e);
    if (columns == 3)
      return fail(start + 1, fmt::format("more than 3 columns; {}{}", expected_line(layout_),
                                         commas ? ", or a table with --format=csv" : ""));
    end = std::min(line.find_first_of(commas ? separators : blanks, start), line.size());
    const std::string_view token = line.substr(start, end - start);
    at[columns] = start;
    if (++columns < 3) {
      std::uint64_t& id = columns == 1 ? e.source : e.target;
      if (!read_vertex(token, id))
        return fail(start + 1, names_ != nullptr ? why_no_name(token) : why_no_id(token, layout_));
      const std::uint64_t most = columns == 1 ? layout_.table.most_source : layout_.table.most_target;
      if (names_ == nullptr && id > most)
        return fail(start + 1, fmt::format("{} is not a {}; expected one up to {}", shown(token),
                                           columns == 1 ? "row" : "column", most));
    } else {
      const std::string wrong = read_weight(token, weight);
      if (!wrong.empty()) return fail(start + 1, wrong);
    }
    start = std::min(line.find_first_not_of(blanks, end), line.size());
    if (!commas || start == line.size() || line[start] != ',') continue;
    start = std::min(line.find_first_not_of(blanks, start + 1), line.size());
    if (start == line.size() || line[start] == ',')
      return fail(start + 1, fmt::format("nothing after a comma; {}", expected_line(layout_)));
  }
  if (columns < 2) {
    return fail(end + 1, fmt::format("{}; {}", columns == 0 ? "no columns" : "only one column",
                                     expected_line(layout_)));
  }
  if (layout_.one_triangle) {
    const std::string_view wrong = wrong_place(e, at[1] + 1);
    if (!wrong.empty()) return fail(at[1] + 1, wrong);
  }
  accept(e, weight, columns, (columns == 3 ? at[2] : end) + 1);
}

// Parses the attributes that NetworkX writes after an edge, from byte `start` of the line on: {'weight': 3,
// 'since': 'May'}.
void text_parser::parse_attributes(std::string_view line, std::size_t start, const edge& e) {
  const std::string_view attributes = line.substr(start, line.find_last_not_of(blanks) + 1 - start);
  std::string_view weight_text;
  float weight = 0;
  if (!find_attribute(attributes, "weight", weight_text))
    return fail(start + 1, "not attributes as NetworkX writes them; expected such as {'weight': 3}");
  if (weight_text.empty() || layout_.ignores_weights) return accept(e, weight, 2, start + 1);
  const auto column = static_cast<std::size_t>(weight_text.data() - line.data()) + 1;
  const std::string wrong = read_weight(weight_text, weight);
  if (!wrong.empty()) return fail(column, wrong);
  accept(e, weight, 3, column);
}

// "" or what is wrong with it.
std::string text_parser::read_weight(std::string_view token, float& weight) const {
  if (layout_.ignores_weights) {
    // The first edge hints at what else the file may be (text_file.cpp).
    if (summary_.columns == 0 && parse_weight(token, weight) != std::errc()) weight = 0;
    return {};
  }
  const std::errc error = parse_weight(token, weight);
  if (error != std::errc() || !std::isfinite(weight)) return why_no_weight(token, error);
  note_weight_of_text(sink_, token, weight);
  return suits(layout_, weight) ? std::string() : why_wrong_weight(token, weight);
}

// For a layout of one triangle: true if the edge is in the same triangle as the edges before it.
inline bool text_parser::is_in_place(const edge& e) const {
  if (e.source == e.target) return !layout_.negated;
  return summary_.triangle == (e.source < e.target ? '<' : '>');
}

// Says what is wrong with the place of an edge, if anything, and notes that of the first.
std::string_view text_parser::wrong_place(const edge& e, std::size_t column) {
  if (e.source == e.target)
    return layout_.negated ? "an entry on the diagonal, which a skew-symmetric matrix does not have; "
                             "expected row and column to differ"
                           : "";
  if (summary_.triangle == 0) {
    summary_.triangle = e.source < e.target ? '<' : '>';
    summary_.triangle_line = summary_.lines + 1;
    summary_.triangle_column = static_cast<std::uint32_t>(column);
  }
  return is_in_place(e) ? "" : triangle_disagreement;
}

bool text_parser::read_vertex(std::string_view token, std::uint64_t& id) {
  if (names_ == nullptr)
    return parse_number(token, id) == std::errc() && id >= layout_.least_id && id <= layout_.most_id;
  if (!is_name(token) || (!layout_.is_table() && token.starts_with('"'))) return false;
  id = names_->number_of(token);
  return true;
}

// Takes the edge of a line whose columns are all good; `column` is where it shows how many there are.
void text_parser::accept(edge e, float weight, std::uint32_t columns, std::size_t column) {
  if (summary_.columns == 0) {
    summary_.columns = columns;
    summary_.first_data_line = summary_.lines + 1;
    summary_.first_data_column = static_cast<std::uint32_t>(column);
    summary_.first_weight = weight;
    summary_.first_edge = e;
  }
  if (summary_.columns != columns) {
    if (layout_.columns == 0) return fail(column, column_disagreement(columns));
    return fail(column, fmt::format("{}; {}", columns == 2 ? "no third column" : "a third column",
                                    expected_line(layout_)));
  }
  e.source -= layout_.least_id;
  e.target += layout_.table.target_shift - layout_.least_id;
  if (columns == 3 && !layout_.ignores_weights) {
    add(e, weight);
  } else {
    add(e);
  }
  ++summary_.edges;
}

void text_parser::read_header(std::string_view comment) {
  if (summary_.has_header) return;
  comment = comment.substr(0, header_bytes);
  summary_.says_undirected |= comment.starts_with("# Undirected graph");
  const auto nodes = count_after(comment, "Nodes:");
  const auto edges = count_after(comment, "Edges:");
  if (!nodes || !edges) return;
  summary_.has_header = true;
  summary_.header_nodes = *nodes;
  summary_.header_edges = *edges;
}

void text_parser::fail(std::size_t column, std::string_view text) {
  summary_.error = exit_status::bad_data;
  summary_.error_line = summary_.lines + 1;
  summary_.error_column = static_cast<std::uint32_t>(column);
  text.copy(summary_.error_text.data(), summary_.error_text.size() - 1);
}

}  // namespace orujo::internal::formats
