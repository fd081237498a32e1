#include "system/base/descriptor.hpp"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::base {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(descriptor, is_closed_once_by_its_last_owner) {
  int number = -1;
  {
    descriptor first = descriptor::open("/dev/null", O_RDONLY);
    number = first.number();
    ASSERT_TRUE(first.is_open() && is_open(number));
    EXPECT_NE(::fcntl(number, F_GETFD) & FD_CLOEXEC, 0);
    descriptor second = std::move(first);
    EXPECT_FALSE(first.is_open());
    first = std::move(second);
    EXPECT_EQ(first.number(), number);
    first = descriptor::open("/dev/zero", O_RDONLY);
    EXPECT_FALSE(is_open(number)) << "what it replaces is closed";
    number = first.number();
  }
  EXPECT_FALSE(is_open(number));
}

TEST(descriptor, is_none_with_the_reason_where_there_is_no_file) {
  EXPECT_FALSE(descriptor::open("/nowhere/at/all", O_RDONLY).is_open());
  EXPECT_EQ(errno, ENOENT);
}

TEST(descriptor, writes_and_reads_at_positions) {
  const scratch_folder folder;
  const std::string path = folder / "file";
  const descriptor file = descriptor::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  EXPECT_EQ(file.write_at(4, bytes_of("lees")), 0);
  EXPECT_EQ(file.write_at(0, bytes_of("must")), 0);
  std::string text(16, '?');
  EXPECT_EQ(file.read_at(2, std::as_writable_bytes(std::span(text))), 6) << "the file ends there";
  EXPECT_EQ(text.substr(0, 6), "stlees");
  EXPECT_EQ(descriptor::open(path.c_str(), O_RDONLY).write_at(0, bytes_of("x")), EBADF);
  EXPECT_EQ(descriptor().read_at(0, std::as_writable_bytes(std::span(text))), -1);
}

}  // namespace
}  // namespace orujo::internal::base
