// The header of .orj files: byte for byte, and what is wrong with bad ones.
#include "framework/formats/orj_header.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "framework/formats/orj_file.hpp"
#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/orj_image.hpp"

namespace orujo::internal::formats {
namespace {

template <class Number>
void set_number(std::string& file, std::size_t at, Number value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

// With the right checksum.
void seal_header(std::string& file) {
  set_number(file, 4088, files::checksum(std::as_bytes(std::span(file).first(4088))));
}

std::string header_error(std::string file) {
  memory_source source(std::move(file));
  const auto found = find_orj_header(source);
  if (found.ok()) return found.value() ? "" : "no .orj file";
  EXPECT_EQ(found.status().code(), exit_status::bad_data);
  return found.status().message();
}

// The error after a change, with the right checksum.
template <class Number>
std::string error_with(std::size_t at, Number value) {
  std::string file = small_orj_image().file();
  set_number(file, at, value);
  seal_header(file);
  return header_error(file);
}

TEST(orj_header, has_these_bytes) {
  const std::string file = small_orj_image().file();
  std::string expected(4096, '\0');
  expected.replace(0, 8, "\x89ORJ\r\n\x1a\n", 8);
  set_number(expected, 8, std::uint32_t{1});
  expected.replace(12, 4, "\4\3\2\1");
  set_number(expected, 16, std::uint64_t{14 * 4096});
  set_number(expected, 24, std::uint64_t{3});
  set_number(expected, 32, std::uint64_t{4});
  expected[48] = 1 + 8;
  set_number(expected, 64, std::uint64_t{3});
  set_number(expected, 72, std::uint64_t{1});
  set_number(expected, 80, std::uint64_t{1});
  expected[88] = 32;
  expected.replace(96, 5, "range");
  // Section, page, bytes.
  const std::uint64_t places[][3] = {{0, 1, 32},   {1, 2, 16},  {3, 3, 16},      {4, 4, 32},  {5, 5, 16},
                                     {7, 6, 16},   {8, 7, 24},  {12, 8, 96},     {13, 9, 96}, {14, 10, 4},
                                     {15, 11, 24}, {16, 12, 8}, {17, 13, 12 * 8}};
  for (const auto& [section, page, bytes] : places) {
    set_number(expected, 128 + 24 * section, page * 4096);
    set_number(expected, 128 + 24 * section + 8, bytes);
    if (section == 17) continue;
    // One block: the checksum of its checksum.
    const std::uint64_t block = files::checksum(std::as_bytes(std::span(file).subspan(page * 4096, bytes)));
    set_number(expected, 128 + 24 * section + 16, files::checksum(std::as_bytes(std::span(&block, 1))));
  }
  seal_header(expected);
  EXPECT_EQ(file.substr(0, 4096), expected);
  EXPECT_EQ(file.size(), 14u * 4096);
}

TEST(orj_header, is_read_as_it_was_written) {
  orj_image image = small_orj_image();
  image.header.first_id = 7;
  image.header.no_self_loops = true;
  image.header.numbering = orj_numbering::scattered;
  image.header.seed = 99;
  image.header.layout = "hash";
  memory_source source(image.file());
  EXPECT_EQ(find_orj_header(source).value(), image.header);
}

TEST(orj_header, places_large_sections_in_blocks) {
  orj_header h;
  h.vertices = (std::uint64_t{1} << 32) + 1;
  h.edges = std::uint64_t{1} << 34;
  h.symmetric = true;
  h.numbering = orj_numbering::table;
  place_sections(h, {.ids = false, .name_bytes = 5, .names = true});
  EXPECT_EQ(h[orj_section::in_offsets], (orj_header::place{4096, 8 * (h.vertices + 1), 0}));
  EXPECT_EQ(h[orj_section::in_neighbours].first, 4096 + (std::uint64_t{1} << 35) + 4096);
  EXPECT_EQ(h[orj_section::in_high_bits].bytes, std::uint64_t{1} << 36);
  EXPECT_EQ(h[orj_section::layout].bytes, 8 * h.vertices);
  EXPECT_EQ(h[orj_section::names].bytes, 5u);
  EXPECT_FALSE(h.has(orj_section::out_offsets) || h.has(orj_section::in_weights));
  EXPECT_EQ(first_block_of(h, orj_section::in_neighbours), (std::uint64_t{1} << 17) + 1);
}

TEST(orj_header, takes_nothing_else_for_one) {
  for (const std::string& other : {std::string("1 2\n3 4\n"), std::string(), std::string("\x89ORJ\n\x1a\n"),
                                   "x" + small_orj_image().file()}) {
    EXPECT_EQ(header_error(other), "no .orj file");
  }
  memory_source compressed(small_orj_image().file(), "F", std::string::npos, false);
  EXPECT_FALSE(find_orj_header(compressed).value());
}

TEST(orj_header, says_what_is_wrong_and_where) {
  const std::string remedy = "; copy or convert the file again";
  EXPECT_EQ(error_with(12, 0x04030201u),
            "F: byte 12: header: the file is big-endian, which is not read" + remedy);
  EXPECT_EQ(error_with(12, 0x04030200u),
            "F: byte 12: header: the mark of the byte order is damaged" + remedy);
  EXPECT_EQ(error_with(8, 2u), "F: byte 8: header: its version is 2, but 1 is read" + remedy);
  std::string damaged = small_orj_image().file();
  damaged[100] = 'x';
  EXPECT_EQ(header_error(damaged), "F: byte 0: header: is damaged: its checksum differs" + remedy);
  EXPECT_EQ(error_with(48, 16u), "F: byte 48: header: unknown flags 0x10" + remedy);
  EXPECT_EQ(error_with(52, 3u), "F: byte 52: header: unknown numbering 3" + remedy);
  EXPECT_EQ(error_with(72, std::uint64_t{0}), "F: byte 72: header: 0 slices for 1 segment" + remedy);
  EXPECT_EQ(error_with(88, 256u), "F: byte 88: header: a bundle depth of 256" + remedy);
}

TEST(orj_header, refuses_sizes_whose_products_overflow) {
  for (const std::uint64_t huge :
       {std::uint64_t{1} << 61, ~std::uint64_t{0}, std::uint64_t{1} << 62, std::uint64_t{1} << 59}) {
    for (const std::size_t at : {24, 32, 64, 72, 80}) {
      EXPECT_NE(error_with(at, huge).find("do not fit a file of 57344 bytes"), std::string::npos) << at;
    }
  }
  EXPECT_NE(error_with(32, std::uint64_t{5})
                .find("section in_neighbours: has 16 bytes, but the header's numbers require 20"),
            std::string::npos);
}

TEST(orj_header, refuses_sections_beyond_the_end_or_overlapping) {
  const auto at = [](orj_section s) { return 128 + 24 * static_cast<std::size_t>(s); };
  const std::size_t ids = at(orj_section::ids);
  EXPECT_NE(
      error_with(ids, std::uint64_t{14} * 4096).find("section ids: bytes 57344 to 57368 are beyond the end"),
      std::string::npos);
  EXPECT_NE(error_with(ids, ~std::uint64_t{0}).find("beyond the end"), std::string::npos);
  EXPECT_NE(error_with(ids + 8, ~std::uint64_t{0} - 3).find("beyond the end"), std::string::npos);
  EXPECT_NE(error_with(ids, std::uint64_t{6 * 4096})
                .find("section ids: begins at byte 24576, but the section before it ends at 28672"),
            std::string::npos);
  EXPECT_NE(error_with(ids, std::uint64_t{28680}).find("begins at byte 28680"), std::string::npos);
}

TEST(orj_header, refuses_trailing_bytes_and_truncation_at_every_byte) {
  const std::string file = small_orj_image().file();
  EXPECT_EQ(header_error(file + "x"),
            "F: byte 57344: header: the file has 57345 bytes, but was written with 57344; "
            "copy or convert the file again");
  std::string longer = file + std::string(4096, '\0');
  set_number(longer, 16, std::uint64_t{longer.size()});
  seal_header(longer);
  EXPECT_NE(header_error(longer).find("byte 57344: header: 4,096 bytes after the last section"),
            std::string::npos);
  for (std::size_t size = 8; size < file.size(); ++size) {
    const std::string error = header_error(file.substr(0, size));
    ASSERT_TRUE(error.starts_with(fmt::format("F: byte {}: header: the file ", size))) << error;
  }
  RecordProperty("refused", static_cast<int>(2 + file.size() - 8));
}

TEST(orj_header, is_refused_with_any_flipped_bit) {
  std::string file = small_orj_image().file();
  for (std::size_t bit = 8 * 8; bit < 8 * 4096; ++bit) {
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
    ASSERT_NE(header_error(file), "") << "bit " << bit;
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
  }
  EXPECT_EQ(header_error(file), "");
  RecordProperty("refused", 8 * (4096 - 8));
}

}  // namespace
}  // namespace orujo::internal::formats
