#include "system/base/mapping.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "system/base/descriptor.hpp"

namespace orujo::internal::base {
namespace {

// The lines of a file, one after the other; longer lines are cut.
class lines {
 public:
  explicit lines(const char* path) : file_(descriptor::open(path, O_RDONLY)) {}

  bool next(std::string_view& line) {
    std::size_t size = 0;
    for (char c = 0; get(c);) {
      if (c == '\n') {
        line = {text_, size};
        return true;
      }
      if (size < sizeof text_) text_[size++] = c;
    }
    return false;
  }

 private:
  bool get(char& c) {
    if (at_ == filled_) {
      const ssize_t got = ::read(file_.number(), buffer_, sizeof buffer_);
      if (got <= 0) return false;
      at_ = 0;
      filled_ = static_cast<std::size_t>(got);
    }
    c = buffer_[at_++];
    return true;
  }

  const descriptor file_;
  char buffer_[1024], text_[512];
  std::size_t at_ = 0, filled_ = 0;
};

// Reads a hexadecimal number and removes it, and the character after it, from the text.
std::uintptr_t take_number(std::string_view& text) {
  std::uintptr_t number = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) break;
    number = number * 16 + static_cast<std::uintptr_t>(digit);
  }
  text.remove_prefix(std::min<std::size_t>(1, text.size()));
  return number;
}

}  // namespace

// first-end rw-s offset device inode   path
bool is_shared_memory(const void* address, char* path, std::size_t bytes) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  lines maps("/proc/self/maps");
  for (std::string_view line; maps.next(line);) {
    const std::uintptr_t first = take_number(line), end = take_number(line);
    if (wanted < first || wanted >= end) continue;
    if (!line.starts_with("rw") || line.size() < 4 || line[3] != 's') return false;
    const std::string_view found = line.substr(std::min(line.find('/'), line.size()));
    const std::size_t kept = std::min(found.size(), bytes - 1);
    std::memcpy(path, found.data(), kept);
    path[kept] = 0;
    return true;
  }
  return false;
}

}  // namespace orujo::internal::base
