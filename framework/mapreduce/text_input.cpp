#include "framework/mapreduce/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

namespace orujo::mapreduce {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view nul_byte =
    "a NUL byte; expected text: convert UTF-16 with iconv -f UTF-16 -t UTF-8";
constexpr std::string_view no_utf8 =
    "bytes that are no UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8";

static_assert(longest_piece_bytes == 65536);
constexpr std::string_view long_line = "a line of more than 65536 bytes; expected lines of text";
constexpr std::string_view long_word =
    "a word of more than 65536 bytes; expected text with blanks or line ends";

// Of a byte-order mark at the start of a file.
std::size_t bytes_of_mark(const chunk& c) {
  return c.at == 0 && c.bytes.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

// Where a piece begins of which a byte-order mark is no part: its part is the mark's.
std::uint64_t start_of(const chunk& c, std::size_t at) { return at == bytes_of_mark(c) ? c.at : c.at + at; }

// Reads the calling core's parts by read(file, part, found).
template <class Read>
status read_my_parts(const input_files& files, const Read& read) {
  for (const file_part& part : my_parts(files)) {
    mistake found;
    if (status failed = read(files[part.file], part, found); !failed.ok()) return failed;
    if (found.any()) return mistake_in(files[part.file], found);
  }
  return {};
}

class line_reader {
 public:
  line_reader(bool begin_behind_a_line, std::uint64_t last, const line_visitor& visit, mistake& found)
      : last_(last), visit_(visit), found_(found), inside_(begin_behind_a_line) {}

  std::size_t operator()(const chunk& c) {
    const char* const bytes = c.bytes.data();
    std::size_t at = bytes_of_mark(c);
    for (;;) {
      // The first line begins behind the first line end.
      if (!inside_ && start_of(c, at) >= last_) return stop_reading;
      const void* const end = std::memchr(bytes + at, '\n', c.bytes.size() - at);
      if (end == nullptr) return unfinished(c, at);
      const auto behind = static_cast<std::size_t>(static_cast<const char*>(end) - bytes) + 1;
      if (!inside_ && !visit(c.bytes.substr(at, behind - at - 1), c.at + at)) return stop_reading;
      inside_ = false;
      at = behind;
    }
  }

 private:
  std::size_t unfinished(const chunk& c, std::size_t at) {
    if (inside_) return c.at + c.bytes.size() >= last_ ? stop_reading : c.bytes.size();
    if (c.is_last && at < c.bytes.size()) visit(c.bytes.substr(at), c.at + at);
    if (c.bytes.size() - at <= longest_piece_bytes) return at;
    found_ = {c.at + at, std::string(long_line)};
    return stop_reading;
  }
  bool visit(std::string_view line, std::uint64_t at) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > longest_piece_bytes) {
      found_ = {at, std::string(long_line)};
    } else if (const std::size_t place = line.find('\0'); place != line.npos) {
      found_ = {at + place, std::string(nul_byte)};
    } else if (line_mistake wrong = visit_(line); !wrong.text.empty()) {
      found_ = {at + wrong.column - 1, std::move(wrong.text)};
    }
    return !found_.any();
  }

  const std::uint64_t last_;
  const line_visitor& visit_;
  mistake& found_;
  bool inside_;  // a line that is not visited
};

enum class byte_kind : unsigned char { of_word, between, nul };
using byte_kinds = std::array<byte_kind, 256>;

byte_kinds kinds_for(bool letters) {
  byte_kinds kinds;
  for (std::size_t c = 0; c < 256; ++c) {
    const bool ascii_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', digit = c >= '0' && c <= '9';
    const bool of_word = letters ? ascii_letter || digit || c >= 0x80 : c > ' ';
    kinds[c] = of_word ? byte_kind::of_word : byte_kind::between;
  }
  kinds[0] = byte_kind::nul;
  return kinds;
}

class word_reader {
 public:
  word_reader(const file_part& part, const word_options& options, const word_visitor& visit, mistake& found)
      : last_(part.last),
        options_(options),
        kinds_(kinds_for(options.letters)),
        visit_(visit),
        found_(found),
        inside_(part.first > 0) {}

  std::size_t operator()(const chunk& c) {
    const std::size_t size = c.bytes.size();
    std::size_t at = bytes_of_mark(c);
    if (inside_) {
      while (at < size && kind(c.bytes[at]) == byte_kind::of_word) ++at;
      if (at == size) return c.at + at >= last_ ? stop_reading : at;
      inside_ = false;
    }
    for (;;) {
      while (at < size && kind(c.bytes[at]) == byte_kind::between) ++at;
      if (at == size) return c.at + at >= last_ && words_.empty() ? stop_reading : at;
      const std::size_t begin = at;
      unsigned char any = 0;
      while (at < size && kind(c.bytes[at]) == byte_kind::of_word)
        any |= static_cast<unsigned char>(c.bytes[at++]);
      if (at == size && !c.is_last && at - begin <= longest_piece_bytes) return begin;
      const std::string_view word = c.bytes.substr(begin, at - begin);
      if (start_of(c, begin) >= last_ && words_.empty()) return stop_reading;
      check(word, c.at + begin, any >= 0x80, at < size && c.bytes[at] == '\0');
      if (found_.any() || !take(word, c.at + begin)) return stop_reading;
    }
  }

 private:
  byte_kind kind(char c) const { return kinds_[static_cast<unsigned char>(c)]; }

  void check(std::string_view word, std::uint64_t at, bool beyond_ascii, bool ends_in_nul) {
    if (ends_in_nul && word.size() <= longest_piece_bytes) {
      found_ = {at + word.size(), std::string(nul_byte)};
    } else if (word.size() > longest_piece_bytes) {
      found_ = {at, std::string(long_word)};
    } else if (beyond_ascii && !options_.any_bytes && !is_utf8(word)) {
      found_ = {at, fmt::format("{}, or count bytes as they are by --any_bytes", no_utf8)};
    }
  }

  // False when nothing that starts in this part is to come.
  bool take(std::string_view word, std::uint64_t at) {
    if (options_.lower_case) {
      lowered_.assign(word);
      for (char& c : lowered_) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      word = lowered_;
    }
    if (options_.length == 1) {
      visit_(word);
      return true;
    }
    if (!words_.empty()) joined_ += ' ';
    joined_ += word;
    words_.push_back({at, word.size()});
    if (words_.size() < options_.length) return true;
    visit_(joined_);
    joined_.erase(0, words_.front().size + 1);
    words_.pop_front();
    return words_.front().at < last_;
  }

  struct earlier_word {
    std::uint64_t at;
    std::size_t size;
  };
  const std::uint64_t last_;
  const word_options options_;
  const byte_kinds kinds_;
  const word_visitor& visit_;
  mistake& found_;
  bool inside_;                     // a word that may have begun before the part
  std::deque<earlier_word> words_;  // that begin what is not complete yet; the first one in this part
  std::string joined_, lowered_;
};

// How many bytes a character of UTF-8 has that begins so; 0: none does.
std::size_t bytes_of_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size > text.size()) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool no_character = (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf4 && byte(1) > 0x8f);
  return size > 0 && (overlong || no_character) ? 0 : size;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = bytes_of_character(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

status read_lines_of(const input_file& file, const file_part& part, bool skip_first,
                     const line_visitor& visit, mistake& found) {
  return read_part(file, part, line_reader(part.first > 0 || skip_first, part.last, visit, found));
}

status read_lines(const input_files& files, bool skip_first, const line_visitor& visit) {
  return read_my_parts(files, [&](const input_file& file, const file_part& part, mistake& found) {
    return read_lines_of(file, part, skip_first, visit, found);
  });
}

status read_words_of(const input_file& file, const file_part& part, const word_options& options,
                     const word_visitor& visit, mistake& found) {
  return read_part(file, part, word_reader(part, options, visit, found));
}

status read_words(const input_files& files, const word_options& options, const word_visitor& visit) {
  return read_my_parts(files, [&](const input_file& file, const file_part& part, mistake& found) {
    return read_words_of(file, part, options, visit, found);
  });
}

}  // namespace orujo::mapreduce
