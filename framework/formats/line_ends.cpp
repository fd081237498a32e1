#include "framework/formats/line_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orujo::internal::formats {

namespace {

using some_bytes [[gnu::vector_size(16)]] = char;  // as every x86-64 has them

// The CRs of [p, last) that no LF follows; *last is read, too.
char* replace_each(char* p, const char* last) {
  for (; p < last; ++p) *p = *p == '\r' && p[1] != '\n' ? '\n' : *p;
  return p;
}

constexpr std::ptrdiff_t bytes_at_once = 64;

// Takes bytes_at_once bytes and the next one.
bool has_lone_cr(const char* p) {
  some_bytes lone{};
  for (std::ptrdiff_t k = 0; k < bytes_at_once; k += sizeof(some_bytes)) {
    some_bytes here, behind;
    std::memcpy(&here, p + k, sizeof here);
    std::memcpy(&behind, p + k + 1, sizeof behind);
    lone |= (here == '\r') & (behind != '\n');
  }
  std::uint64_t words[2];
  std::memcpy(words, &lone, sizeof words);
  return (words[0] | words[1]) != 0;
}

}  // namespace

void end_lines_by_lf(std::span<char> text, bool lf_follows) {
  // Most files have none.
  auto* p = static_cast<char*>(text.empty() ? nullptr : std::memchr(text.data(), '\r', text.size()));
  if (p == nullptr) return;
  // Without a branch per line, of which files with CRLF have many.
  char* const last = text.data() + text.size() - 1;
  while (last - p >= bytes_at_once)
    p = has_lone_cr(p) ? replace_each(p, p + bytes_at_once) : p + bytes_at_once;
  replace_each(p, last);
  if (*last == '\r' && !lf_follows) *last = '\n';
}

result<std::size_t> read_text_at(byte_source& source, std::uint64_t offset, std::span<char> into) {
  const auto got = source.read_at(offset, into);
  if (!got.ok() || got.value() == 0) return got;
  const std::span<char> text = into.first(got.value());
  bool lf_follows = false;
  if (text.back() == '\r') {
    char next = 0;
    const auto more = source.read_at(offset + text.size(), {&next, 1});
    if (!more.ok()) return more;
    lf_follows = more.value() > 0 && next == '\n';
  }
  end_lines_by_lf(text, lf_follows);
  return got;
}

result<std::size_t> text_stream::read(std::span<char> into) {
  if (into.empty()) return std::size_t{0};
  std::size_t count = 0;
  if (next_) {
    into[count++] = *next_;
    next_.reset();
  } else {
    const auto got = source_.read(into);
    if (!got.ok() || got.value() == 0) return got;
    count = got.value();
  }
  if (into[count - 1] == '\r') {
    char next = 0;
    const auto more = source_.read({&next, 1});
    if (!more.ok()) return more;
    if (more.value() > 0) next_ = next;
  }
  end_lines_by_lf(into.first(count), next_ == '\n');
  return count;
}

}  // namespace orujo::internal::formats
