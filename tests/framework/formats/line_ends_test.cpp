// A CR alone is an LF, CRLF stays, however the bytes are cut.
#include "framework/formats/line_ends.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "system/base/random.hpp"
#include "tests/framework/formats/memory_source.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::formats {
namespace {

std::string expected_of(const std::string& text) {
  return std::regex_replace(text, std::regex("\r(?!\n)"), "\n");
}

std::string read_by(const auto& read, std::size_t piece) {
  std::string all;
  for (std::string buffer(piece, '?');;) {
    const auto got = read(all.size(), std::span(buffer));
    if (!got.ok() || got.value() == 0) return all;
    all += buffer.substr(0, got.value());
  }
}

TEST(line_ends, are_the_same_in_pieces_of_any_size) {
  random_stream random(7);
  for (int round = 0; round < (sanitized ? 60 : 300); ++round) {
    std::string text;
    for (std::uint64_t size = random.below(300); text.size() < size;)
      text += "\r\n\nabcdef"[random.below(round % 2 == 0 ? 9 : 3)];
    for (const std::size_t piece : {1, 2, 3, 7, 100}) {
      for (const std::size_t most : {1, 4, 100}) {
        memory_source at(text, "F", most), whole(text, "F", most);
        EXPECT_EQ(
            read_by([&](std::size_t offset, std::span<char> into) { return read_text_at(at, offset, into); },
                    piece),
            expected_of(text));
        text_stream stream(whole);
        EXPECT_EQ(read_by([&](std::size_t, std::span<char> into) { return stream.read(into); }, piece),
                  expected_of(text));
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::formats
