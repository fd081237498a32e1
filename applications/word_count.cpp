// Counts the words of text files, or words in a row.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "applications/tally/tally.hpp"
#include "framework/tables/mapreduce/text_input.hpp"
#include "framework/verify/word_count_oracle.hpp"
#include "system/base/flags.hpp"

DEFINE_int32(length, 1, "length of the counted n-grams, in words; 1: single words");
DEFINE_bool(letters, false,
            "treat everything but letters, digits and non-ASCII characters as separators; otherwise only "
            "blanks, line ends and control characters separate");
DEFINE_bool(lower_case, false, "count the letters A to Z as a to z");
DEFINE_bool(any_bytes, false, "accept words that are not valid UTF-8");

static const orujo::flag_rule length_rule(
    "length", [] { return FLAGS_length >= 1 && FLAGS_length <= 100; }, "from 1 to 100");

namespace orujo::internal {
namespace {

using mapreduce::input_files;

// The flags are the same at every locale.
struct emit_words {
  template <class Emit>
  status operator()(const input_files& files, Emit& emit) const {
    return mapreduce::read_words(
        files, {static_cast<std::size_t>(FLAGS_length), FLAGS_letters, FLAGS_lower_case, FLAGS_any_bytes},
        [&](std::string_view words) { emit(words, 1); });
  }
};

result<tally::serial_result<std::uint64_t>> count_serially(const input_files& files) {
  return verify::count_words(mapreduce::paths_of(files), static_cast<std::size_t>(FLAGS_length),
                             FLAGS_letters, FLAGS_lower_case);
}

status main_task() {
  const auto as_text = [](std::uint64_t count) { return fmt::to_string(count); };
  const tally::nouns words = FLAGS_length == 1
                                 ? tally::nouns{"word_count", "words", "word", "words", "count"}
                                 : tally::nouns{"word_count", "words", "words", "words", "count"};
  return tally::run<std::uint64_t, emit_words, decltype(&count_serially), decltype(as_text)>(
             words, emit_words(), &count_serially, as_text)
      .all();
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "word_count: number of times that each word or n-gram occurs in text files.\n\n"
                    "  bin/orujo run word_count --input=book.txt --lower_case --letters --output=counts.txt\n"
                    "  bin/orujo run -n 2 word_count --input=logs/ --length=2 --top=20 --verify",
                    &orujo::internal::main_task);
}
