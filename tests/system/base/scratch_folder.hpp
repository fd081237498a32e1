// A folder of a test's own, and what tests of output files do in it.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace orujo::internal {

class scratch_folder {
 public:
  scratch_folder() {
    std::string name = testing::TempDir() + "orujo_test.XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  auto entries() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

 private:
  std::filesystem::path path_;
};

inline std::string content_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline struct stat about(const std::string& path) {
  struct stat found = {};
  EXPECT_EQ(::lstat(path.c_str(), &found), 0) << path;
  return found;
}
inline mode_t mode_of(const std::string& path) { return about(path).st_mode & 07777; }

// Returns whether `holds` does, in a process of its own, so that its changes of the process are lost.
template <class Holds>
bool in_child(Holds holds) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(holds() ? 0 : 1);
  int ended = -1;
  return ::waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
}

// Root only.
constexpr uid_t nobody = 65534;
template <class Holds>
bool as_nobody(Holds holds) {
  return in_child([&] { return ::setegid(nobody) == 0 && ::seteuid(nobody) == 0 && holds(); });
}

// While it lives, files cannot grow beyond `bytes` bytes.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  file_size_limit(const file_size_limit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_;
};

}  // namespace orujo::internal
