#include "system/files/standard_output.hpp"

#include <fcntl.h>

#include <cstdio>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal {
namespace {

// Checks the last message of a process that has printed `bytes` bytes to a file that takes a kilobyte.
bool printing_fails(std::size_t bytes, const char* message) {
  const scratch_folder folder;
  return in_child([&] {
    const file_size_limit limit(1024);
    ::dup2(::creat((folder / "stdout").c_str(), 0600), STDOUT_FILENO);
    for (std::size_t k = 0; k < bytes; k += 100) files::print(std::string(100, 'x'));
    const status end = files::finish_standard_output();
    return end.code() == (*message ? exit_status::io_error : exit_status::ok) && end.message() == message;
  });
}

TEST(standard_output, tells_that_something_could_not_be_printed) {
  EXPECT_TRUE(printing_fails(100, ""));
  EXPECT_TRUE(printing_fails(2000, "cannot write to stdout: File too large"));
  EXPECT_TRUE(printing_fails(100'000, "cannot write to stdout: File too large"));
}

TEST(standard_output, that_is_closed_is_not_another_file) {
  const scratch_folder folder;
  EXPECT_TRUE(in_child([&] {
    ::close(STDOUT_FILENO);
    files::reserve_standard_descriptors();
    const int file = ::creat((folder / "file").c_str(), 0600);
    std::printf("text");
    return file > STDERR_FILENO && !files::finish_standard_output().ok() &&
           content_of_file(folder / "file").empty();
  }));
}

}  // namespace
}  // namespace orujo::internal
