// Checksums of our files: known answers.
#include "system/files/checksum.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace orujo::internal {
namespace {

std::uint64_t of(std::string_view text) { return files::checksum(std::as_bytes(std::span(text))); }

TEST(checksum, is_xxh3_of_64_bits) {
  EXPECT_EQ(of(""), 0x2d06800538d394c2u);   // xxHash 0.8, tests/sanity_test_vectors.h: length 0, seed 0
  EXPECT_EQ(of("a"), 0xe6c632b61e964e1fu);  // xxhsum -H3
  EXPECT_EQ(of("abc"), 0x78af5f94892f3950u);
}

TEST(checksum, differs_for_every_flipped_bit) {
  std::string text(300, 'x');
  const std::uint64_t right = of(text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(of(text), right) << bit;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  }
}

}  // namespace
}  // namespace orujo::internal
