// The examples of the recommendation (https://www.w3.org/TR/n-triples/, sections 2 and 6), and what is none.
#include "framework/formats/n_triples.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace orujo::internal::formats {
namespace {

// "subject | predicate | object", "", or "column: error".
std::string reading_of(std::string_view line) {
  triple_reader reader;
  triple found;
  if (reader.read(line, found))
    return std::string(found[0].text) + " | " + std::string(found[1].text) + " | " +
           std::string(found[2].text);
  return reader.failed() ? std::to_string(reader.error_column()) + ": " + reader.error() : "";
}

std::string object_of(std::string_view object) {
  const std::string before = "<http://a.org/s> <http://a.org/p> ";
  const std::string found = reading_of(before + std::string(object) + " .");
  const std::size_t at = found.rfind(" | ");
  return at == found.npos ? found : found.substr(at + 3);
}

TEST(n_triples, are_three_terms_in_a_line) {
  EXPECT_EQ(reading_of("<http://one.example/subject1> <http://one.example/predicate1> "
                       "<http://one.example/object1> . # comments here"),
            "<http://one.example/subject1> | <http://one.example/predicate1> | <http://one.example/object1>");
  EXPECT_EQ(reading_of("_:subject1 <http://an.example/predicate1> \"object1\" ."),
            "_:subject1 | <http://an.example/predicate1> | \"object1\"");
  EXPECT_EQ(reading_of("\t<a:s><a:p>_:o."), "<a:s> | <a:p> | _:o");
  EXPECT_EQ(reading_of("_:a.b-1 <a:p> _:1.\t#"), "_:a.b-1 | <a:p> | _:1");
  EXPECT_EQ(reading_of("_:a <a:p> _:1.."), "15: '.' after the .; expected one triple in a line");
  for (const char* nothing : {"", " \t", "# a comment", "  # <a:s> <a:p> <a:o> ."})
    EXPECT_EQ(reading_of(nothing), "") << nothing;
}

TEST(n_triples, have_literals_with_languages_and_types) {
  EXPECT_EQ(object_of("\"That Seventies Show\"^^<http://www.w3.org/2001/XMLSchema#string>"),
            "\"That Seventies Show\"");
  EXPECT_EQ(object_of("\"Cette S\u00e9rie\"@fr-BE"), "\"Cette S\u00e9rie\"@fr-be");
  EXPECT_EQ(object_of("\"2\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
            "\"2\"^^<http://www.w3.org/2001/XMLSchema#integer>");
  EXPECT_EQ(object_of("\"\""), "\"\"");
  EXPECT_EQ(object_of("\"a \\\"b\\\"\"@en"), "\"a \"b\"\"@en");
}

TEST(n_triples, have_escapes) {
  EXPECT_EQ(object_of(R"("\t\b\n\r\f\"\'\\")"), "\"\t\b\n\r\f\"'\\\"");
  EXPECT_EQ(object_of(R"("\u0041\u00e9\u20AC\U0001F600")"), "\"A\u00e9\u20ac\U0001F600\"");
  EXPECT_EQ(object_of(R"(<http://a.org/\u00E9>)"), "<http://a.org/\u00e9>");
  EXPECT_EQ(object_of(R"("5"^^<http://a.org/\u00E9>)"), "\"5\"^^<http://a.org/\u00e9>");
  EXPECT_EQ(object_of(R"("\u0041"@EN)"), "\"A\"@en");
}

TEST(n_triples, that_are_none_say_where_and_why) {
  const std::pair<const char*, const char*> wrong[] = {
      {"<a:s> _:p <a:o> .", "7: a blank node as the predicate; expected an <IRI>"},
      {"<a:s> <a:p> <a:o>", "18: the line ends; expected a . after the object"},
      {"<a:s> <a:p>", "12: the line ends; expected an object: <IRI>, _:name or a \"text\" in double quotes"},
      {"<a:s> <a:p> <a:o> <a:g> .", "19: '<a:g>' after the object; expected a ."},
      {"<a:s> <a:p> <a:o> . <a:t>", "21: '<a:t>' after the .; expected one triple in a line"},
      {"\"s\" <a:p> <a:o> .", "1: '\"s\"'; expected a subject: <IRI> or _:name"},
      {"<s> <a:p> <a:o> .", "1: the relative IRI '<s>'; expected an absolute one such as <http://a.org/b>"},
      {"<a:s <a:p> <a:o> .", "5: ' ' in an IRI; expected it without blanks, <>\"{}|^` and \\"},
      {"<a:s> <a:p> \"no end .",
       "13: a text in quotes that does not end; expected a \" in the same line, and line ends in the text as "
       "\\n"},
      {"<a:s> <a:p> \"\\x\" .",
       "14: '\\x' is not an escape; expected \\t, \\b, \\n, \\r, \\f, \\\", \\', \\\\, \\uXXXX or "
       "\\UXXXXXXXX"},
      {"<a:s> <a:p> \"\\u00g0\" .", "14: '\\u00g0'; expected 4 hexadecimal digits"},
      {"<a:s> <a:p> \"\\uDC00\" .",
       "14: '\\uDC00' is not a character; expected one from 1 to 10FFFF, except D800 to DFFF"},
      {"<a:s> <a:p> <a:\\n> .", "16: '\\n' is not an escape; expected \\uXXXX or \\UXXXXXXXX"},
      {"<a:s> <a:p> <a:\\u003E> .", "16: '\\u003E' in an IRI; expected it without blanks, <>\"{}|^` and \\"},
      {"<a:s> <a:p> \"x\"@ .", "16: not a language; expected one such as @en or @pt-BR"},
      {"<a:s> <a:p> \"x\"^^a:t .", "16: ^^ without a type; expected ^^<IRI>"},
      {"@prefix a: <http://a.org/> .", "1: '@prefix'; expected a subject: <IRI> or _:name"},
  };
  for (const auto& [line, error] : wrong) EXPECT_EQ(reading_of(line), error) << line;
}

TEST(n_triples, are_known_by_the_names_of_files) {
  EXPECT_TRUE(names_triples("a/b.nt"));
  EXPECT_TRUE(names_triples("b.nt.gz"));
  EXPECT_FALSE(names_triples("b.ntx"));
  EXPECT_FALSE(names_triples("nt"));
}

}  // namespace
}  // namespace orujo::internal::formats
