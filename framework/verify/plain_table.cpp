#include "framework/verify/plain_table.hpp"

#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "framework/verify/file_content.hpp"

namespace orujo::internal::verify {
namespace {

using row = std::vector<plain_cell>;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::vector<std::string> lines_in(const std::string& content) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t k = 0; k < content.size(); ++k) {
    const char c = content[k];
    if (c != '\n' && c != '\r') {
      line += c;
      continue;
    }
    if (c == '\r' && k + 1 < content.size() && content[k + 1] == '\n') ++k;
    lines.push_back(std::exchange(line, ""));
  }
  if (!line.empty()) lines.push_back(line);
  std::erase_if(lines, [](const std::string& one) { return one.find_first_not_of(" \t") == one.npos; });
  return lines;
}

row words_in(const std::string& line) {
  row words;
  bool inside = false;
  for (const char c : line) {
    if (!is_blank(c) && !inside) words.emplace_back();
    inside = !is_blank(c);
    if (inside) words.back().text += c;
  }
  return words;
}

// A state machine over the characters: cells with doubled quotes (RFC 4180), blanks around them dropped.
// Nothing if the line is not a row.
row cells_in(const std::string& line, char separator) {
  if (separator == ' ') return words_in(line);
  row cells(1);
  bool quoted = false;
  const auto end_cell = [&] {
    plain_cell& cell = cells.back();
    while (!cell.in_quotes && !cell.text.empty() && is_blank(cell.text.back())) cell.text.pop_back();
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    plain_cell& cell = cells.back();
    if (quoted) {
      const bool doubled = c == '"' && k + 1 < line.size() && line[k + 1] == '"';
      if (c != '"' || doubled) cell.text += c;
      quoted = c != '"' || doubled;
      k += doubled ? 1 : 0;
    } else if (c == separator) {
      end_cell();
      cells.emplace_back();
    } else if (c == '"' && cell.text.empty() && !cell.in_quotes) {
      quoted = cell.in_quotes = true;
    } else if (cell.in_quotes && !is_blank(c)) {
      return {};
    } else if (!is_blank(c) || (!cell.text.empty() && !cell.in_quotes)) {
      cell.text += c;
    }
  }
  end_cell();
  return quoted ? row() : cells;
}

// All of the text, as C reads it.
bool is_decimal(const std::string& text, double& value) {
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != text.npos) return false;
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::isfinite(value);
}

// Returns how many cells all lines have, or 0 where they differ.
std::size_t width_by(const std::vector<std::string>& lines, char separator) {
  const std::size_t width = cells_in(lines[0], separator).size();
  for (const std::string& line : lines) {
    if (cells_in(line, separator).size() != width) return 0;
  }
  return width;
}

// Counts each candidate in a line, except commas between digits. Texts in quotes do not count; they begin at
// the line's start or after a candidate.
std::map<char, std::size_t> times_of(const std::string& line, const std::string& candidates) {
  std::map<char, std::size_t> times;
  std::size_t decimal_commas = 0;
  std::string unquoted = line;
  for (std::size_t k = 0, start = 0; k < line.size(); ++k) {
    if (candidates.find(line[k]) != std::string::npos) {
      start = k + 1;
    } else if (line[k] == '"' && line.find_first_not_of(' ', start) == k) {
      std::size_t end = k + 1;
      while (end < line.size() && (line[end] != '"' || line.compare(end, 2, "\"\"") == 0))
        end += line[end] == '"' ? 2 : 1;
      for (; k < end && k < line.size(); ++k) unquoted[k] = '"';
    }
  }
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (candidates.find(unquoted[k]) == std::string::npos) continue;
    ++times[unquoted[k]];
    const auto is_digit = [&](std::size_t at) {
      return at < line.size() && unquoted[at] >= '0' && unquoted[at] <= '9';
    };
    if (unquoted[k] == ',' && k > 0 && is_digit(k - 1) && is_digit(k + 1)) ++decimal_commas;
  }
  if (times.size() > 1 && times.contains(',')) times[','] -= decimal_commas;
  return times;
}

// Returns whether one of the columns between blanks has only numbers in the lines of the first 64 KiB.
bool has_column_of_numbers(const std::vector<std::string>& lines, std::size_t words) {
  for (std::size_t c = 0; c < words; ++c) {
    bool numbers = true;
    std::size_t bytes = lines.size() > 1 ? lines[0].size() + 1 : 0;
    for (std::size_t k = lines.size() > 1 ? 1 : 0; k < lines.size() && bytes < 65536;
         bytes += lines[k++].size() + 1) {
      double value = 0;
      numbers = numbers && is_decimal(words_in(lines[k])[c].text, value);
    }
    if (numbers) return true;
  }
  return false;
}

// Chooses the candidate that the first line has most often, among those that give all lines as many cells.
char separator_of(const std::vector<std::string>& lines) {
  const std::string candidates = "\t,;|";
  std::map<char, std::size_t> times = times_of(lines[0], candidates);
  char best = '\n';
  for (const char one : candidates) {
    const bool is_more = times[one] > (best == '\n' ? 0 : times[best]);
    if (is_more && width_by(lines, one) > 1) best = one;
  }
  if (best != '\n') return best;
  const std::size_t words = width_by(lines, ' ');
  return words > 1 && has_column_of_numbers(lines, words) ? ' ' : '\n';
}

bool looks_like_a_header(const row& first) {
  for (const plain_cell& cell : first) {
    std::string text = cell.text;  // maybe with a decimal comma
    if (const std::size_t comma = text.find(','); comma != text.npos) text[comma] = '.';
    if (double value = 0; text.empty() || is_decimal(text, value)) return false;
  }
  return true;
}

// Where the columns of these names are.
std::vector<std::size_t> places_of(const std::vector<std::string>& names, const row& header) {
  std::vector<std::size_t> places;
  std::set<std::size_t> taken;
  for (const std::string& name : names) {
    std::size_t at = 0;
    while (at < header.size() && (header[at].text != name || taken.contains(at))) ++at;
    taken.insert(at);
    places.push_back(at);
  }
  return places;
}

}  // namespace

std::size_t plain_table::column(const std::string& name) const {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return k;
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (strcasecmp(names[k].c_str(), name.c_str()) == 0) return k;
  }
  return static_cast<std::size_t>(std::atoll(name.c_str())) - 1;
}

result<plain_table> read_plain_table(const std::vector<std::string>& paths, const plain_request& wanted) {
  plain_table table;
  std::optional<bool> has_header = wanted.header;
  for (const std::string& path : paths) {
    const auto content = content_of(path);
    if (!content.ok()) return content.status();
    const std::vector<std::string> lines = lines_in(content.value());
    if (lines.empty()) continue;
    const char separator = wanted.separator != 0 ? wanted.separator : separator_of(lines);
    const row first = cells_in(lines[0], separator);
    if (!has_header) has_header = looks_like_a_header(first);
    if (*has_header && table.names.empty()) {
      for (const plain_cell& cell : first) table.names.push_back(cell.text);
    }
    const std::vector<std::size_t> places = places_of(table.names, first);
    for (std::size_t k = *has_header ? 1 : 0; k < lines.size(); ++k) {
      row cells = cells_in(lines[k], separator);
      row& to = table.rows.emplace_back();
      for (const std::size_t at : places) to.push_back(at < cells.size() ? cells[at] : plain_cell());
      if (*has_header) continue;
      cells.resize(std::max(cells.size(), first.size()));
      to = std::move(cells);
    }
  }
  return table;
}

plain_kind kind_of(const plain_table& table, std::size_t column) {
  bool integers = true, numbers = true, any = false, empty_in_quotes = false;
  for (const row& cells : table.rows) {
    const plain_cell& cell = cells[column];
    empty_in_quotes |= cell.text.empty() && cell.in_quotes;
    if (cell.text.empty()) continue;
    any = true;
    const std::string text = cell.text[0] == '+' ? cell.text.substr(1) : cell.text;
    errno = 0;
    const long long whole = std::strtoll(text.c_str(), nullptr, 10);
    const bool is_integer = errno == 0 && (std::to_string(whole) == text || text == "-0");
    const bool has_only_digits = text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == text.npos;
    const bool is_code = has_only_digits && !is_integer;  // such as a postal code that begins with 0
    double value = 0;
    const bool infinite = text == "inf" || text == "-inf" || text == "Infinity" || text == "-Infinity";
    integers = integers && is_integer;
    numbers = numbers && (is_integer || infinite || (is_decimal(text, value) && !is_code));
  }
  if (!numbers || (empty_in_quotes && !any)) return plain_kind::text;
  return integers ? plain_kind::integer : plain_kind::real;
}

}  // namespace orujo::internal::verify
