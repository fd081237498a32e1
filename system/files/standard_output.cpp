#include "system/files/standard_output.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "system/files/output_place.hpp"

namespace orujo::internal::files {
namespace {

std::atomic<int> print_error{0};  // errno of print()'s first failure

}  // namespace

void reserve_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The least free number is this one. It is opened in the wrong direction, so that its use fails as if it
    // were closed.
    [[maybe_unused]] const int opened =
        ::open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_NOCTTY);
  }
}

result<base::descriptor> take_standard_output() {
  static std::atomic<bool> taken{false};
  if (taken.exchange(true))
    return status(exit_status::usage, "stdout ('-') accepts one output: use files for the others");
  std::fflush(stdout);
  base::descriptor data(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!data.is_open() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return cannot_write("-", errno);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return data;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  int none = 0;
  print_error.compare_exchange_strong(none, errno);
}

status finish_standard_output() {
  const bool failed = std::ferror(stdout) != 0, flushed = std::fflush(stdout) == 0;
  if (flushed && !failed) return {};
  const int error = print_error != 0 ? print_error.load() : flushed ? EIO : errno;  // printf's is forgotten
  return {exit_status::io_error, fmt::format("cannot write to stdout: {}", std::strerror(error))};
}

}  // namespace orujo::internal::files
