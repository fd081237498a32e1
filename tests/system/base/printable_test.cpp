#include "system/base/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orujo::internal {
namespace {

TEST(printable, leaves_text_alone) {
  EXPECT_EQ(base::printable(""), "");
  EXPECT_EQ(base::printable("a file\\name~"), "a file\\name~");
  EXPECT_EQ(base::printable("\xc3\xa4"), "\xc3\xa4") << "UTF-8";
}

TEST(printable, shows_what_would_steer_a_terminal) {
  EXPECT_EQ(base::printable("\x1b[31mred\n\t\x7f"), "\\x1b[31mred\\x0a\\x09\\x7f");
  EXPECT_EQ(base::printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(base::printable("\xc2\x9b"
                            "2J"),
            "\\xc2\\x9b2J")
      << "CSI in one character";
  EXPECT_EQ(base::printable("\x9b"
                            "2J"),
            "\\x9b2J")
      << "and in one byte";
}

TEST(printable, shows_what_is_no_utf_8) {
  EXPECT_EQ(base::printable("\xe4"), "\\xe4") << "Latin-1";
  EXPECT_EQ(base::printable("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(base::printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b") << "CSI in too many bytes";
  EXPECT_EQ(base::printable("\xe2\x82\xac\xf0\x9f\x8d\x87"), "\xe2\x82\xac\xf0\x9f\x8d\x87");
}

// It holds for all texts of two bytes, and those of three that begin with any lead byte.
TEST(printable, leaves_no_byte_that_steers_in_any_text) {
  const auto is_harmless = [](const std::string& text) {
    const std::string shown = base::printable(text);
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const auto byte = static_cast<unsigned char>(shown[k]);
      const bool continues = k > 0 && static_cast<unsigned char>(shown[k - 1]) >= 0x80;
      if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && byte < 0xc0 && !continues)) return false;
      if (byte == 0xc2 && static_cast<unsigned char>(shown[k + 1]) < 0xa0) return false;
    }
    return true;
  };
  std::string text(3, 'x');
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      text[0] = static_cast<char>(first);
      text[1] = static_cast<char>(second);
      EXPECT_TRUE(is_harmless(text)) << first << ' ' << second;
      text[2] = '\x9b';
      EXPECT_TRUE(is_harmless(text)) << first << ' ' << second << " 0x9b";
      text[2] = 'x';
    }
  }
}

}  // namespace
}  // namespace orujo::internal
