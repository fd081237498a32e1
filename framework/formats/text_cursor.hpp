// The bytes of a source one after the other, with line ends as line_ends.hpp says, and where in it they are:
// for the readers of documents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/document_builder.hpp"
#include "framework/formats/line_ends.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// Longer words, texts and tags are refused: what a reader keeps of them is bounded by this.
inline constexpr std::size_t longest_text_bytes = std::size_t{1} << 20;

class text_cursor {
 public:
  static constexpr int end = -1;

  // A byte-order mark at the start is passed over.
  explicit text_cursor(byte_source& source);

  // The next byte, which stays or is taken; `end` if there is none, or the source has failed.
  int peek() {
    if (at_ == filled_) fill();
    return at_ == filled_ ? end : static_cast<unsigned char>(buffer_[at_]);
  }
  int get() {
    const int c = peek();
    if (c == end) return c;
    ++at_;
    ++place_.column;
    if (c == '\n') place_ = {place_.line + 1, 1};
    return c;
  }

  // The position of the next byte.
  text_place place() const { return place_; }
  const std::string& path() const { return source_.path(); }
  // The failure of the source, if any.
  const status& failure() const { return failure_; }

  // Blanks, tabs and, if wanted, line ends.
  void skip_blanks(bool lines);
  void skip_line();
  // Bytes up to a blank, a line end or one of `ends`, at most longest_text_bytes + 1 of them.
  std::string word(std::string_view ends = {});

 private:
  void fill();

  const byte_source& source_;
  text_stream stream_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;
  text_place place_{1, 1};
  status failure_;
};

inline bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace orujo::internal::formats
