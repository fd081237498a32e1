#include "framework/results/table_rows.hpp"

#include <gtest/gtest.h>

#include <array>

namespace orujo::internal::results {
namespace {

TEST(table_rows, format_is_by_the_end_of_the_name) {
  EXPECT_EQ(row_format_of("a/ranks.csv"), row_format::csv);
  EXPECT_EQ(row_format_of("ranks.npy"), row_format::npy);
  for (const char* name : {"", "-", "ranks", "ranks.txt", "csv", "ranks.csv.txt"})
    EXPECT_EQ(row_format_of(name), row_format::text) << name;
}

TEST(table_rows, columns_have_the_types_of_the_numbers) {
  const auto one = columns_of<float>({"rank"});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, "rank");
  EXPECT_EQ(one[0].kind, 'f');
  EXPECT_EQ(one[0].bytes, 4u);
  const auto many = columns_of<std::array<double, 3>>({"factor"});
  ASSERT_EQ(many.size(), 3u);
  EXPECT_EQ(many[1].name, "factor_2");
  EXPECT_EQ(many[2].name, "factor_3");
  const auto named = columns_of<std::array<std::int64_t, 2>>({"parent", "level"});
  EXPECT_EQ(named[1].name, "level");
  EXPECT_EQ(named[1].kind, 'i');
  EXPECT_EQ(columns_of<std::uint8_t>({"member"})[0].kind, 'u');
}

TEST(table_rows, csv_has_a_header_and_quotes_what_needs_it) {
  std::string text = table_head(row_format::csv, columns_of<double>({"rank"}), 2);
  append_vertex(text, row_format::csv, {7, "O\"Neil, jr"});
  append_number(text, row_format::csv, 0.5);
  append_row_end(text, row_format::csv);
  append_vertex(text, row_format::csv, {8, ""});
  append_label(text, row_format::csv, {9, "a,b"});
  append_row_end(text, row_format::csv);
  EXPECT_EQ(text, "id,rank\n\"O\"\"Neil, jr\",0.5\n8,\"a,b\"\n");
}

TEST(table_rows, text_has_blanks_and_no_header) {
  std::string text = table_head(row_format::text, columns_of<double>({"rank"}), 1);
  append_vertex(text, row_format::text, {7, ""});
  append_number(text, row_format::text, std::uint8_t{1});
  append_row_end(text, row_format::text);
  EXPECT_EQ(text, "7 1\n");
}

// By the specification: magic, version 1.0, the length of the head, the head of a dictionary to a multiple of
// 64 bytes, and the records without anything between them.
TEST(table_rows, npy_is_as_its_specification_has_it) {
  const std::string head =
      table_head(row_format::npy, {column_of<float>("rank"), column_of<std::uint8_t>("member")}, 3);
  ASSERT_EQ(head.size() % 64, 0u);
  EXPECT_EQ(head.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = static_cast<unsigned char>(head[8]) + 256u * static_cast<unsigned char>(head[9]);
  EXPECT_EQ(10 + length, head.size());
  EXPECT_EQ(head.back(), '\n');
  EXPECT_EQ(head.substr(10, head.find_last_not_of(" \n") + 1 - 10),
            "{'descr': [('id', '<u8'), ('rank', '<f4'), ('member', '|u1')], 'fortran_order': False, 'shape': "
            "(3,), }");
  std::string row;
  append_vertex(row, row_format::npy, {258, ""});
  append_number(row, row_format::npy, 1.5f);
  append_number(row, row_format::npy, std::uint8_t{9});
  append_row_end(row, row_format::npy);
  EXPECT_EQ(row, std::string("\x02\x01\0\0\0\0\0\0\0\0\xc0\x3f\x09", 13));
}

}  // namespace
}  // namespace orujo::internal::results
