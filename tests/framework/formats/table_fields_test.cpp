#include "framework/formats/table_fields.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orujo::internal::formats {
namespace {

// The meanings of the fields, and after them the error.
std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> all;
  std::string quoted;
  field_reader fields(line, separator);
  for (table_field field; fields.next(field);) all.emplace_back(field.value(quoted));
  if (fields.failed())
    all.push_back(std::to_string(fields.error_column()) + ": " + std::string(fields.error()));
  return all;
}

TEST(table_fields, are_what_stands_between_separators) {
  using list = std::vector<std::string>;
  EXPECT_EQ(fields_of(" a , \"b, \"\"c\"\"\" ,,d\"e", ','), (list{"a", "b, \"c\"", "", "d\"e"}));
  EXPECT_EQ(fields_of("a\t b\t", '\t'), (list{"a", "b", ""}));
  EXPECT_EQ(fields_of(" a  \"b\tc\" ", ' '), (list{"a", "\"b", "c\""}));
  EXPECT_EQ(fields_of(" New York, N. Y.; x ", whole_line), list{"New York, N. Y.; x"});
  EXPECT_EQ(fields_of("\"New York\"", whole_line), list{"New York"});
  EXPECT_EQ(fields_of("a,\"b", ',').back(),
            "3: a text in quotes that does not end in its line; expected one without line ends");
}

TEST(table_fields, tell_separators_from_decimal_commas) {
  EXPECT_EQ(separator_of("1,5;2,5;a"), ';');
  EXPECT_EQ(separator_of("1,5\t2"), '\t');
  EXPECT_EQ(separator_of("1,5;x,y,z"), ',') << "not all are between digits";
  EXPECT_EQ(separator_of("1,5,7"), ',') << "with none of the others";
  EXPECT_EQ(separator_of("\"1;5;7\",x"), ',');
  EXPECT_EQ(separator_of("1 5"), ' ');
  EXPECT_EQ(separator_of("a\"1;2;3\",x"), ';') << "a quote within a text is part of it";
  EXPECT_EQ(separator_of("a,\"b;c;d"), ',') << "what is wrong is told by whoever reads it";
}

TEST(table_fields, columns_are_found_without_regard_to_case_where_that_is_clear) {
  const std::vector<std::string> names = {"Sender", "to", "TO", "sum", "sum"};
  const std::pair<const char*, std::optional<std::size_t>> cases[] = {
      {"Sender", 0}, {"SENDER", 0}, {"to", 1},    {"TO", 2}, {"To", {}},
      {"sum", 3},    {"Sum", {}},   {"send", {}}, {"", {}}};
  for (const auto& [name, at] : cases) EXPECT_EQ(find_column(names, name), at) << name;
}

}  // namespace
}  // namespace orujo::internal::formats
