// Packed edges of Graph500: the record of the reference code, and what is wrong with bad files.
#include "framework/formats/packed_edges.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/framework/formats/whole_file.hpp"

namespace orujo::internal::formats {
namespace {

using namespace std::string_literals;

// The bytes that write_edge() of the reference code makes of 0x123456789abc -> 7 and 1 -> 0x200000003.
const std::string records = "\xbc\x9a\x78\x56\x07\0\0\0\x34\x12\0\0"s + "\1\0\0\0\3\0\0\0\0\0\2\0"s;
const std::string two_weights = "\0\0\x80\x3f\0\0\0\xc0"s;  // 1, -2

reading read_packed(const std::string& content, std::optional<std::string> weights, std::size_t parts = 1) {
  return read_parts({content, std::move(weights), file_format::graph500}, parts);
}

TEST(packed_edges, reads_the_reference_codes_records) {
  const std::vector<edge> expected{{0x123456789abc, 7}, {1, 0x200000003}};
  for (const std::size_t parts : {1, 2, 3}) {
    EXPECT_EQ(read_packed(records, {}, parts).list, (edge_list{expected, {}}));
    EXPECT_EQ(read_packed(records, two_weights, parts).list, (edge_list{expected, {1, -2}}));
  }
  std::string written;
  for (const edge& e : expected) append_packed_edge(written, e);
  EXPECT_EQ(written, records);
}

TEST(packed_edges, says_what_is_wrong_and_where) {
  EXPECT_EQ(read_packed("", {}).error, "F: no edges; packed edges take 12 bytes each");
  EXPECT_EQ(read_packed(records + "x", {}).error,
            "F: byte 25: the file ends in the middle of a record; packed edges take 12 bytes each");
  EXPECT_EQ(read_packed(records, two_weights + "x").error,
            "F.weights: byte 9: the file ends in the middle of a record; weights take 4 bytes each");
  EXPECT_EQ(read_packed(records, two_weights.substr(4)).error, "F.weights: 1 weight for the 2 edges of F");
  EXPECT_EQ(read_packed(records, "\0\0\x80\x3f\0\0\xc0\x7f"s, 2).error,
            "F.weights: byte 4: the weight is not finite");
  std::string negative = records;
  negative[12 + 9] = '\x80';
  EXPECT_EQ(read_packed(negative, {}, 2).error,
            "F: byte 12: 140737488355329 is not a vertex; expected one from 0 to 140737488355327");
}

TEST(packed_edges, a_scale_bounds_the_ids) {
  memory_source source(records);
  const auto read_with = [&](unsigned scale) {
    const auto layout = find_packed_layout(source, nullptr, scale);
    return read_packed_edges(source, nullptr, layout.value(), 0, 2).status().message();
  };
  EXPECT_EQ(read_with(45), "");
  EXPECT_EQ(read_with(40),
            "F: byte 0: 20015998343868 is not a vertex; expected one from 0 to 1099511627775, as "
            "--graph500_scale says");
}

TEST(packed_edges, are_known_by_their_name_only) {
  for (const char* path : {"F.g500", "F.packed"}) {
    memory_source source(records, path);
    EXPECT_EQ(numbered_edges::find(source).value()->format(), file_format::graph500);
  }
  memory_source source(records, "F");
  EXPECT_FALSE(numbered_edges::find(source).value());
  EXPECT_TRUE(numbered_edges::find(source, {file_format::graph500, 45}).value());
  memory_source compressed(records, "F.g500", std::string::npos, false);
  EXPECT_EQ(numbered_edges::find(compressed).status().message(),
            "F.g500: compressed packed edges cannot be read: decompress them first");
}

}  // namespace
}  // namespace orujo::internal::formats
