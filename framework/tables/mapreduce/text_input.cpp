#include "framework/tables/mapreduce/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <utility>

#include "framework/tables/mapreduce/word_bits.hpp"

namespace orujo::internal::mapreduce {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view nul_byte =
    "a NUL byte; expected text: convert UTF-16 with iconv -f UTF-16 -t UTF-8";
constexpr std::string_view no_utf8 =
    "bytes that are not UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8";

static_assert(longest_piece_bytes == 65536);
constexpr std::string_view long_line = "a line of more than 65536 bytes; expected lines of text";
constexpr std::string_view long_word =
    "a word of more than 65536 bytes; expected text with blanks or line ends";

// The size of a byte-order mark at the start of a file.
std::size_t bytes_of_mark(const chunk& c) {
  return c.at == 0 && c.bytes.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

// Where a piece begins of which a byte-order mark is no part: its part is the mark's.
std::uint64_t start_of(const chunk& c, std::size_t at) { return at == bytes_of_mark(c) ? c.at : c.at + at; }

// A line ends with LF, with CR and LF, or with CR alone.
class line_reader {
 public:
  line_reader(bool begin_behind_a_line, std::uint64_t last, const line_visitor& visit, mistake& found)
      : last_(last), visit_(visit), found_(found), inside_(begin_behind_a_line) {}

  std::size_t operator()(const chunk& c) {
    const std::size_t size = c.bytes.size();
    std::size_t at = bytes_of_mark(c);
    std::size_t feed = find_byte(c, '\n', at), carriage = find_byte(c, '\r', at);  // the next ones
    for (;;) {
      // The first line begins after the first line end.
      if (!inside_ && start_of(c, at) >= last_) return stop_reading;
      if (feed < at) feed = find_byte(c, '\n', at);
      if (carriage < at) carriage = find_byte(c, '\r', at);
      const std::size_t end = std::min(feed, carriage);
      const bool may_go_on = end == carriage && end + 1 == size && !c.is_last;  // by the LF of a CR
      if (end == size || may_go_on) return unfinished(c, at);
      if (!inside_ && !visit(c.bytes.substr(at, end - at), c.at + at)) return stop_reading;
      inside_ = false;
      at = end + (carriage < feed && c.bytes.substr(end + 1, 1) == "\n" ? 2 : 1);
    }
  }

 private:
  static std::size_t find_byte(const chunk& c, char byte, std::size_t from) {
    return std::min(c.bytes.find(byte, from), c.bytes.size());
  }
  std::size_t unfinished(const chunk& c, std::size_t at) {
    if (inside_ && c.at + c.bytes.size() >= last_) return stop_reading;
    if (inside_) return c.bytes.size() - (c.bytes.ends_with('\r') && !c.is_last ? 1 : 0);
    if (c.is_last && at < c.bytes.size()) visit(c.bytes.substr(at), c.at + at);
    if (c.bytes.size() - at <= longest_piece_bytes) return at;
    found_ = {c.at + at, std::string(long_line)};
    return stop_reading;
  }
  bool visit(std::string_view line, std::uint64_t at) {
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

// Finds the begins and ends of words in bytes, 64 at a time.
class word_edges {
 public:
  word_edges(std::string_view bytes, bool letters) : bytes_(bytes), letters_(letters) { look_at(0); }

  bool begin_in_word() const { return first_ == 0 && (bits_.of_word & 1) != 0; }

  // Returns in turn the next word's first byte and the byte after its last one, or the end if there are no
  // more.
  std::size_t next() {
    while (changes_ == 0) {
      if (first_ + bytes_at_once >= bytes_.size()) return bytes_.size();
      look_at(first_ + bytes_at_once);
    }
    const auto at = first_ + static_cast<std::size_t>(std::countr_zero(changes_));
    changes_ &= changes_ - 1;
    return at;
  }

  // The first NUL in the inspected bytes, or npos if there is none.
  std::size_t first_nul() const { return first_nul_; }

  // True if bytes from `begin` to `end`, the last edge that next() returned, may be beyond ASCII. It is exact
  // for words within one window.
  bool may_be_beyond_ascii(std::size_t begin, std::size_t end) const {
    if (begin >= beyond_up_to_ || begin == end) return false;
    if (begin < first_) return true;
    return bits_.beyond_ascii >> (begin - first_) << (bytes_at_once - (end - begin)) != 0;
  }

 private:
  static constexpr std::size_t bytes_at_once = 64;

  void look_at(std::size_t first) {
    const std::uint64_t in_word = bits_.of_word >> 63;
    first_ = first;
    if (first + bytes_at_once <= bytes_.size()) {
      bits_ = word_bits_of(bytes_.data() + first, letters_);
    } else {
      char end[bytes_at_once];
      std::memset(end, ' ', sizeof end);
      bytes_.substr(first).copy(end, sizeof end);
      bits_ = word_bits_of(end, letters_);
    }
    changes_ = bits_.of_word ^ (bits_.of_word << 1 | in_word);
    if (bits_.beyond_ascii != 0) beyond_up_to_ = first + bytes_at_once;
    if (bits_.nul != 0 && first_nul_ == std::string_view::npos)
      first_nul_ = first + static_cast<std::size_t>(std::countr_zero(bits_.nul));
  }

  const std::string_view bytes_;
  const bool letters_;
  std::size_t first_ = 0;  // of the bytes whose bits these are
  word_bits bits_;
  std::uint64_t changes_ = 0;  // where words begin or end that have not been reported
  std::size_t first_nul_ = std::string_view::npos;
  std::size_t beyond_up_to_ = 0;  // after the last examined bytes that had some beyond ASCII
};

class word_reader {
 public:
  word_reader(const file_part& part, const word_options& options, const words_visitor& visit, mistake& found)
      : last_(part.last), options_(options), visit_(visit), found_(found), inside_(part.first > 0) {
    if (options.lower_case) lowered_.reserve(2 * longest_piece_bytes);
  }

  std::size_t operator()(const chunk& c) {
    const std::size_t done = read(c);
    visit_ready();
    return done;
  }

 private:
  std::size_t read(const chunk& c) {
    const std::size_t mark = bytes_of_mark(c);
    const std::string_view bytes = c.bytes.substr(mark);
    const std::uint64_t first = c.at + mark;  // byte of the file
    // Words that begin at `stop` or later belong to the next part. The mark belongs to the bytes after it.
    const std::uint64_t stop = last_ > c.at ? std::max(last_, first + 1) - first : 0;
    const auto up_to = [&](std::size_t at) { return at + mark; };
    word_edges edges(bytes, options_.letters);
    if (inside_ && edges.begin_in_word()) {
      edges.next();
      if (edges.next() == bytes.size()) return bytes.size() >= stop ? stop_reading : up_to(bytes.size());
    }
    inside_ = false;
    for (;;) {
      const std::size_t begin = std::min(edges.next(), edges.first_nul());
      if (begin == bytes.size()) return begin >= stop && words_.empty() ? stop_reading : up_to(begin);
      const std::size_t end = begin == edges.first_nul() ? begin : edges.next();
      if (end == bytes.size() && !c.is_last && end - begin <= longest_piece_bytes) return up_to(begin);
      if (begin >= stop && words_.empty()) return stop_reading;
      const std::string_view word = bytes.substr(begin, end - begin);
      if (!is_right(word, first + begin, edges.may_be_beyond_ascii(begin, end), end == edges.first_nul()) ||
          !take(word, first + begin))
        return stop_reading;
    }
  }

  bool is_right(std::string_view word, std::uint64_t at, bool beyond_ascii, bool ends_in_nul) {
    if (ends_in_nul && word.size() <= longest_piece_bytes) {
      found_ = {at + word.size(), std::string(nul_byte)};
    } else if (word.size() > longest_piece_bytes) {
      found_ = {at, std::string(long_word)};
    } else if (beyond_ascii && !options_.any_bytes && !is_utf8(word)) {
      found_ = {at, fmt::format("{}, or pass --any_bytes to count bytes", no_utf8)};
    } else {
      return true;
    }
    return false;
  }

  // False when nothing that starts in this part is to come.
  bool take(std::string_view word, std::uint64_t at) {
    if (options_.lower_case) word = lowered(word);
    if (options_.length == 1) {
      ready_[ready_words_++] = word;
      if (ready_words_ == ready_.size()) visit_ready();
      return true;
    }
    if (!words_.empty()) joined_ += ' ';
    joined_ += word;
    words_.push_back({at, word.size()});
    if (words_.size() < options_.length) return true;
    const std::string_view words = joined_;
    visit_({&words, 1});
    joined_.erase(0, words_.front().size + 1);
    words_.pop_front();
    return words_.front().at < last_;
  }

  // Good until the next visit_ready().
  std::string_view lowered(std::string_view word) {
    if (lowered_.size() + word.size() > lowered_.capacity()) visit_ready();
    const std::size_t begin = lowered_.size();
    for (const char c : word) lowered_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return std::string_view(lowered_).substr(begin);
  }

  void visit_ready() {
    if (ready_words_ > 0) visit_({ready_.data(), ready_words_});
    ready_words_ = 0;
    lowered_.clear();
  }

  struct earlier_word {
    std::uint64_t at;
    std::size_t size;
  };
  const std::uint64_t last_;
  const word_options options_;
  const words_visitor& visit_;
  mistake& found_;
  std::array<std::string_view, 64> ready_;  // for the visitor,
  std::size_t ready_words_ = 0;             // so many
  bool inside_;                             // a word that may have begun before the part
  std::deque<earlier_word> words_;          // that begin what is not complete yet; the first one in this part
  std::string joined_, lowered_;
};

// The number of bytes of a UTF-8 character with this first byte, or 0 if there is none.
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

status detail::read_words_of(const input_file& file, const file_part& part, const word_options& options,
                             const words_visitor& visit, mistake& found) {
  return read_part(file, part, word_reader(part, options, visit, found));
}

status detail::read_words(const input_files& files, const word_options& options, const words_visitor& visit) {
  return read_my_parts(files, [&](const input_file& file, const file_part& part, mistake& found) {
    return read_words_of(file, part, options, visit, found);
  });
}

}  // namespace orujo::internal::mapreduce
