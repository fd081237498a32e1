#include "framework/formats/n_triples.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <utility>

#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view iri_without = "it without blanks, <>\"{}|^` and \\";
constexpr std::string_view string_type = "<http://www.w3.org/2001/XMLSchema#string>";

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_label(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

// True for characters that an IRI may have, also by an escape.
bool is_of_iri(std::uint32_t code) {
  return code > ' ' && (code > 0x7f || std::string_view("<>\"{}|^`\\").find(static_cast<char>(code)) ==
                                           std::string_view::npos);
}

// True if the text after '<' begins with a scheme, such as "http:".
bool has_scheme(std::string_view iri) {
  std::size_t k = 0;
  while (k < iri.size() && (is_letter(iri[k]) ||
                            (k > 0 && (is_digit(iri[k]) || iri[k] == '+' || iri[k] == '-' || iri[k] == '.'))))
    ++k;
  return k > 0 && k < iri.size() && iri[k] == ':';
}

void append_utf8(std::uint32_t code, std::string& to) {
  const auto continued = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | code >> 6);
    continued(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | code >> 12);
    continued(6), continued(0);
  } else {
    to += static_cast<char>(0xf0 | code >> 18);
    continued(12), continued(6), continued(0);
  }
}

}  // namespace

bool names_triples(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".zst", ".xz", ".bz2", ".lz4"}) {
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  return path.ends_with(".nt");
}

bool triple_reader::read(std::string_view line, triple& found) {
  line_ = line;
  at_ = 0;
  error_.clear();
  skip_blanks();
  if (at_ == line_.size() || is_at('#')) return false;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    skip_blanks();
    found[k].column = at_ + 1;
    if (k == 1 && is_at('_')) return refuse(at_, "a blank node as the predicate; expected an <IRI>");
    const bool good =
        k == 2 ? read_object(terms_[k])
               : read_resource(k == 0 ? "a subject: <IRI> or _:name" : "a predicate: an <IRI>", terms_[k]);
    if (!good) return false;
    found[k].text = terms_[k].text;
  }
  return read_end();
}

bool triple_reader::read_resource(std::string_view expected, term& to) {
  if (is_at('<')) return read_iri(to);
  if (is_at('_')) return read_blank_node(to);
  return refuse(at_, at_ == line_.size() ? fmt::format("the line ends; expected {}", expected)
                                         : fmt::format("{}; expected {}", shown(token()), expected));
}

bool triple_reader::read_object(term& to) {
  return is_at('"') ? read_literal(to)
                    : read_resource("an object: <IRI>, _:name or a \"text\" in double quotes", to);
}

bool triple_reader::read_end() {
  skip_blanks();
  if (!is_at('.'))
    return refuse(at_, at_ == line_.size()
                           ? "the line ends; expected a . after the object"
                           : fmt::format("{} after the object; expected a .", shown(token())));
  ++at_;
  skip_blanks();
  if (at_ == line_.size() || is_at('#')) return true;
  return refuse(at_, fmt::format("{} after the .; expected one triple in a line", shown(token())));
}

bool triple_reader::read_iri(term& to) {
  const std::size_t begin = at_++;
  if (!read_enclosed('>', begin, to)) return false;
  if (has_scheme(to.text.substr(1))) return true;
  return refuse(begin, fmt::format("the relative IRI {}; expected an absolute one such as <http://a.org/b>",
                                   shown(to.text)));
}

bool triple_reader::read_blank_node(term& to) {
  const std::size_t begin = at_++;
  if (!is_at(':')) return refuse(begin, fmt::format("{}; expected _:name", shown(token())));
  const std::size_t name = ++at_;
  while (at_ < line_.size() &&
         (is_label(line_[at_]) || (at_ > name && (line_[at_] == '-' || line_[at_] == '.'))))
    ++at_;
  while (at_ > name && line_[at_ - 1] == '.') --at_;  // it ends the triple
  if (at_ == name) return refuse(begin, "a blank node without a name; expected _:name");
  to.text = line_.substr(begin, at_ - begin);
  return true;
}

bool triple_reader::read_literal(term& to) {
  const std::size_t begin = at_++;
  if (!read_enclosed('"', begin, to)) return false;
  if (is_at('@')) return read_language(begin, to);
  return !line_.substr(at_).starts_with("^^") || read_type(begin, to);
}

bool triple_reader::read_language(std::size_t begin, term& to) {
  const std::size_t tag = at_++;
  bool first = true, small = true;
  for (;; first = false) {
    const std::size_t part = at_;
    for (; at_ < line_.size() && (is_letter(line_[at_]) || (!first && is_digit(line_[at_]))); ++at_)
      small &= line_[at_] < 'A' || line_[at_] > 'Z';
    if (at_ == part) return refuse(tag, "not a language; expected one such as @en or @pt-BR");
    if (!is_at('-')) break;
    ++at_;
  }
  if (small && to.text.data() == line_.data() + begin) {
    to.text = line_.substr(begin, at_ - begin);
    return true;
  }
  std::string made(to.text);
  for (const char c : line_.substr(tag, at_ - tag))
    made += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  to.resolved = std::move(made);
  to.text = to.resolved;
  return true;
}

bool triple_reader::read_type(std::size_t begin, term& to) {
  const std::size_t carets = at_;
  at_ += 2;
  if (!is_at('<')) return refuse(carets, "^^ without a type; expected ^^<IRI>");
  if (!read_iri(type_)) return false;
  if (type_.text == string_type) return true;
  if (to.text.data() == line_.data() + begin && type_.text.data() == line_.data() + carets + 2) {
    to.text = line_.substr(begin, at_ - begin);
    return true;
  }
  std::string made = fmt::format("{}^^{}", to.text, type_.text);
  to.resolved = std::move(made);
  to.text = to.resolved;
  return true;
}

bool triple_reader::read_enclosed(char closing, std::size_t begin, term& to) {
  const bool in_iri = closing == '>';
  bool escapes = false;
  for (; at_ < line_.size() && line_[at_] != closing;) {
    const char c = line_[at_];
    if (c == '\\') {
      if (!escapes) to.resolved.assign(line_.substr(begin, at_ - begin));
      escapes = true;
      if (!read_escape(in_iri, to.resolved)) return false;
      continue;
    }
    if (in_iri && !is_of_iri(static_cast<unsigned char>(c)))
      return refuse(at_, fmt::format("{} in an IRI; expected {}", shown(line_.substr(at_, 1)), iri_without));
    if (c == '\r') return refuse(at_, "a carriage return in a text; expected it as \\r");
    if (escapes) to.resolved += c;
    ++at_;
  }
  if (at_ == line_.size())
    return refuse(
        begin, in_iri ? "an IRI that does not end; expected a >"
                      : "a text in quotes that does not end; expected a \" in the same line, and line ends "
                        "in the text as \\n");
  ++at_;
  if (escapes) {
    to.resolved += closing;
    to.text = to.resolved;
  } else {
    to.text = line_.substr(begin, at_ - begin);
  }
  return true;
}

bool triple_reader::read_escape(bool in_iri, std::string& to) {
  constexpr std::string_view written = "tbnrf\"'\\", meant = "\t\b\n\r\f\"'\\";
  const char kind = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
  if (kind == 'u') return read_code_point(4, in_iri, to);
  if (kind == 'U') return read_code_point(8, in_iri, to);
  const std::size_t k = written.find(kind);
  if (in_iri || k == written.npos)
    return refuse(at_,
                  fmt::format("{} is not an escape; expected {}", shown(line_.substr(at_, 2)),
                              in_iri ? "\\uXXXX or \\UXXXXXXXX"
                                     : "\\t, \\b, \\n, \\r, \\f, \\\", \\', \\\\, \\uXXXX or \\UXXXXXXXX"));
  to += meant[k];
  at_ += 2;
  return true;
}

bool triple_reader::read_code_point(std::size_t digits, bool in_iri, std::string& to) {
  const std::string_view hex = line_.substr(at_ + 2, digits), whole = line_.substr(at_, 2 + digits);
  std::uint32_t code = 0;
  const auto [past, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
  if (hex.size() < digits || error != std::errc() || past != hex.data() + hex.size())
    return refuse(at_, fmt::format("{}; expected {} hexadecimal digits", shown(whole), digits));
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return refuse(at_,
                  fmt::format("{} is not a character; expected one from 1 to 10FFFF, except D800 to DFFF",
                              shown(whole)));
  if (in_iri && !is_of_iri(code))
    return refuse(at_, fmt::format("{} in an IRI; expected {}", shown(whole), iri_without));
  append_utf8(code, to);
  at_ += 2 + digits;
  return true;
}

bool triple_reader::refuse(std::size_t at, std::string what) {
  error_at_ = at;
  error_ = std::move(what);
  return false;
}

std::string_view triple_reader::token() const {
  const std::string_view left = line_.substr(at_);
  return left.substr(0, left.find_first_of(" \t"));
}

}  // namespace orujo::internal::formats
