// Lines that fit a terminal; the widths are counted by hand.
#include "system/base/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace orujo::internal::base {
namespace {

TEST(terminal, text_is_wrapped_at_blanks_and_keeps_its_indentation) {
  EXPECT_EQ(wrapped("one two three\n", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 13), "one two three");
  EXPECT_EQ(wrapped("      one two three\n\nfour", 13), "      one two\n      three\n\nfour");
  EXPECT_EQ(wrapped("a longerthanthis b", 5), "a\nlongerthanthis\nb");
  EXPECT_EQ(wrapped("  bin/orujo run pagerank --graph=x", 10), "  bin/orujo run pagerank --graph=x");
  EXPECT_EQ(wrapped("\u00e9\u00e9\u00e9 \u00e9", 5), "\u00e9\u00e9\u00e9 \u00e9");
  EXPECT_EQ(wrapped("one two", any_width), "one two");
  EXPECT_EQ(wrapped("", 5), "");
}

TEST(terminal, lines_are_cut) {
  EXPECT_EQ(cut_to("superstep 5", 11), "superstep 5");
  EXPECT_EQ(cut_to("superstep 5", 10), "superst...");
  EXPECT_EQ(cut_to("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
  EXPECT_EQ(cut_to("superstep", 0), "...");
}

TEST(terminal, width_is_that_of_the_environment_or_the_terminal_or_80) {
  const int ours = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(ours, 0);
  winsize size{};
  size.ws_col = 133;
  ASSERT_EQ(::ioctl(ours, TIOCSWINSZ, &size), 0);
  ::unsetenv("COLUMNS");
  EXPECT_EQ(terminal_width(ours), 133);
  ::setenv("COLUMNS", "57", 1);
  EXPECT_EQ(terminal_width(ours), 57);
  ::setenv("COLUMNS", "many", 1);
  EXPECT_EQ(terminal_width(ours), 133);
  ::setenv("COLUMNS", "3", 1);
  EXPECT_EQ(terminal_width(ours), 20);
  ::unsetenv("COLUMNS");
  ::close(ours);
  EXPECT_EQ(terminal_width(-1), 80);
}

}  // namespace
}  // namespace orujo::internal::base
