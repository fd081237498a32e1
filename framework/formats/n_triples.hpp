// Lines of N-Triples: RDF 1.1, https://www.w3.org/TR/n-triples/.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace orujo::internal::formats {

// True if a file has triples by its name: x.nt, maybe compressed (x.nt.gz).
bool names_triples(std::string_view path);

// A term means one thing and is one text, however it is written:
//
//   <http://a.org/b>      an IRI
//   _:b                   a blank node
//   "text"                a literal, of the type string; also what is written "text"^^<...XMLSchema#string>
//   "text"@en             of a language, in small letters
//   "5"^^<http://a.org>   of another type
//
// with \uXXXX and the other escapes resolved: the text is what stands between the first quote and the last
// one. Bytes are not checked to be UTF-8.
struct triple_term {
  std::string_view text;
  std::size_t column = 0;  // of the line, from 1
};
using triple = std::array<triple_term, 3>;
inline constexpr std::array<std::string_view, 3> triple_columns = {"subject", "predicate", "object"};

// Takes lines, given without their ends.
class triple_reader {
 public:
  // False if the line has no triple, being empty or a comment, or where failed(). Terms are good until the
  // next line, as long as this one is there.
  bool read(std::string_view line, triple& found);

  bool failed() const { return !error_.empty(); }
  // "what; what is expected", and where in the line, from 1.
  const std::string& error() const { return error_; }
  std::size_t error_column() const { return error_at_ + 1; }

 private:
  // Bytes of the line, or what they come to.
  struct term {
    std::string_view text;
    std::string resolved;
  };

  bool read_resource(std::string_view expected, term& to);
  bool read_object(term& to);
  bool read_iri(term& to);
  bool read_blank_node(term& to);
  bool read_literal(term& to);
  bool read_language(std::size_t begin, term& to);
  bool read_type(std::size_t begin, term& to);
  bool read_end();
  // The bytes from `begin` on to the closing one; at_ is after it.
  bool read_enclosed(char closing, std::size_t begin, term& to);
  bool read_escape(bool in_iri, std::string& to);
  bool read_code_point(std::size_t digits, bool in_iri, std::string& to);
  bool refuse(std::size_t at, std::string what);
  std::string_view token() const;

  void skip_blanks() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
  }
  bool is_at(char c) const { return at_ < line_.size() && line_[at_] == c; }

  std::string_view line_;
  std::size_t at_ = 0, error_at_ = 0;
  std::string error_;
  std::array<term, 3> terms_;
  term type_;
};

}  // namespace orujo::internal::formats
