#include "system/base/printable.hpp"

#include <gtest/gtest.h>

namespace orujo {
namespace {

TEST(printable, leaves_text_alone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a file\\name~"), "a file\\name~");
  EXPECT_EQ(printable("\xc3\xa4"), "\xc3\xa4") << "UTF-8";
}

TEST(printable, shows_what_would_steer_a_terminal) {
  EXPECT_EQ(printable("\x1b[31mred\n\t\x7f"), "\\x1b[31mred\\x0a\\x09\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

}  // namespace
}  // namespace orujo
