// The lines at the start of a text file, which say how it is to be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct word {
  std::string_view text;
  std::size_t column;  // from 1
};

// Between blanks, tabs and a CR at the end.
std::vector<word> words_of(std::string_view line);

// ASCII letters only.
std::string lower(std::string_view text);

// Goes through the lines, which end as line_ends.hpp says; a byte-order mark is no part of the first one.
class header_reader {
 public:
  header_reader(std::string_view head, std::string_view path) : head_(head), path_(path) {}

  // The next line; false at the end of the head.
  bool next();
  std::string_view line() const { return line_; }
  const std::vector<word>& words() const { return words_; }
  std::uint64_t number() const { return number_; }

  // The body begins after the line, or with it.
  void set_body_behind(text_layout& layout) const;
  void set_body_here(text_layout& layout) const;

  status bad(std::size_t column, std::string_view what) const;
  // An error at word k, or at the line's end if it has fewer words.
  status bad_word(std::size_t k, std::string_view what) const {
    return bad(k < words_.size() ? words_[k].column : line_.size() + 1, what);
  }

 private:
  std::string_view head_, path_, line_;
  std::vector<word> words_;
  std::size_t at_ = 0, past_ = 0;
  std::uint64_t number_ = 0;
};

// "39 39 170", the numbers from word `first` on; returns what is wrong, if anything.
status read_counts(const header_reader& header, std::size_t first, std::span<std::uint64_t> counts,
                   std::string_view expected);

}  // namespace orujo::internal::formats
