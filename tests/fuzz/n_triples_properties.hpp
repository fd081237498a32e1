// Properties of any bytes that are taken for lines of N-Triples.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "applications/query/plain_triples.hpp"
#include "framework/formats/n_triples.hpp"

namespace orujo::internal::fuzz {

// As it is written with as few escapes as there can be.
inline std::string written(std::string_view term) {
  const std::size_t last = term.starts_with('"') ? term.rfind('"') : 0;
  std::string made;
  for (std::size_t k = 0; k < term.size(); ++k) {
    const bool inside = k > 0 && k < last;
    if (inside && (term[k] == '"' || term[k] == '\\')) made += '\\';
    made += inside && term[k] == '\n' ? "\\n" : inside && term[k] == '\r' ? "\\r" : std::string(1, term[k]);
  }
  return made;
}

inline std::vector<std::string> texts_of(const formats::triple& of) {
  std::vector<std::string> made;
  for (const formats::triple_term& term : of) made.emplace_back(term.text);
  return made;
}

// The property that one line breaks, or an empty string. An error has its place in the line. A triple equals
// the one that is read character by character, and is written and read again unchanged.
inline std::string broken_triple_property(std::string_view line, bool& good) {
  formats::triple_reader reader;
  formats::triple found;
  const bool any = reader.read(line, found);
  good = !reader.failed();
  if (!good && (reader.error_column() < 1 || reader.error_column() > line.size() + 1)) return "no place";
  if (!any) return "";
  const std::vector<std::string> terms = texts_of(found);
  std::string_view left = line;
  std::vector<std::optional<std::string>> plain;
  if (!query::next_plain_triple(left, plain)) return "no triple, character by character";
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (plain[k] != terms[k]) return "another term, character by character: " + *plain[k];
  }
  const std::string again = written(terms[0]) + ' ' + written(terms[1]) + ' ' + written(terms[2]) + " .";
  formats::triple_reader other;
  if (!other.read(again, found)) return "not read again: " + again;
  return texts_of(found) == terms ? "" : "not the same again: " + again;
}

inline std::string broken_triples_property(std::string_view bytes, bool& good) {
  good = true;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    bool line_is_good = true;
    if (std::string broken = broken_triple_property(line, line_is_good); !broken.empty()) return broken;
    good &= line_is_good;
  }
  return "";
}

}  // namespace orujo::internal::fuzz
