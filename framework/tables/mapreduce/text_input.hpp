// The lines and the words of text files, which the cores share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "framework/tables/mapreduce/input_files.hpp"

namespace orujo::internal::mapreduce {

// Text is ASCII or UTF-8 without NUL, with lines and words of at most 64 KiB. Other input fails with bad_data
// and its position, the same for any number of cores. A byte-order mark at the start of a file is skipped.

// The result of a visitor of lines or rows: the column, from 1 on, and the mistake there; {} if the line is
// right.
struct line_mistake {
  std::size_t column = 0;
  std::string text = {};
};
using line_visitor = std::function<line_mistake(std::string_view line)>;

// [task; suspends] Calls visit(line) for each line that starts in the calling core's part of the files. If
// all cores call it, each line is visited once. It returns early at a mistake; then other cores continue, and
// first_failure() of all cores' statuses is the first in the order of the files. `skip_first` leaves out the
// first line of each file.
status read_lines(const input_files& files, bool skip_first, const line_visitor& visit);

// [task; suspends] The same for a part of one file; `found` says at what it stopped.
status read_lines_of(const input_file& file, const file_part& part, bool skip_first,
                     const line_visitor& visit, mistake& found);

// The words of read_words(), and the number of words in a sequence.
struct word_options {
  std::size_t length = 1;   // words in a row (n-grams), with one blank between
  bool letters = false;     // words are letters, digits and bytes beyond ASCII; else all that is no blank
  bool lower_case = false;  // of the letters A to Z
  bool any_bytes = false;   // words need not be UTF-8
};
// Takes some of the words, in their order. They are valid until it returns.
using words_visitor = std::function<void(std::span<const std::string_view> words)>;

namespace detail {
status read_words(const input_files& files, const word_options& options, const words_visitor& visit);
status read_words_of(const input_file& file, const file_part& part, const word_options& options,
                     const words_visitor& visit, mistake& found);

// visit(word) is compiled into the loop over what comes at a time.
template <class Visit>
auto for_each_of(const Visit& visit) {
  return [&visit](std::span<const std::string_view> words) {
    for (const std::string_view word : words) visit(word);
  };
}
}  // namespace detail

// [task; suspends] Calls visit(std::string_view), which may suspend, for each word, or sequence of words,
// that starts in the calling core's part of the files. A sequence ends in the same file. Mistakes are as in
// read_lines().
template <class Visit>
status read_words(const input_files& files, const word_options& options, const Visit& visit) {
  return detail::read_words(files, options, detail::for_each_of(visit));
}

// [task; suspends] The same for a part of one file.
template <class Visit>
status read_words_of(const input_file& file, const file_part& part, const word_options& options,
                     const Visit& visit, mistake& found) {
  return detail::read_words_of(file, part, options, detail::for_each_of(visit), found);
}

// True if all bytes are well-formed UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

}  // namespace orujo::internal::mapreduce
