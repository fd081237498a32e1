#include "framework/tables/mapreduce/text_input.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "system/base/random.hpp"
#include "tests/framework/tables/mapreduce/text_files.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::mapreduce {
namespace {

pieces lines_by(const input_files& files, std::size_t n, bool skip_first = false) {
  return read_by(files, n, [&](const input_file& file, const file_part& part, pieces& got, mistake& found) {
    const line_visitor keep = [&](std::string_view line) -> line_mistake {
      got.emplace_back(line);
      return line == "bad" ? line_mistake{2, "bad"} : line_mistake();
    };
    return read_lines_of(file, part, skip_first, keep, found);
  });
}
pieces words_by(const input_files& files, std::size_t n, const word_options& options = {}) {
  return read_by(files, n, [&](const input_file& file, const file_part& part, pieces& got, mistake& found) {
    const auto keep = [&](std::string_view words) { got.emplace_back(words); };
    return read_words_of(file, part, options, keep, found);
  });
}

TEST(text_input, gives_each_line_once_for_any_number_of_readers) {
  const text_folder folder;
  folder.write("a",
               "\xef\xbb\xbf"
               "first\n\nthird\r\nlast without an end");
  folder.write("b", "");
  folder.write("c", "\n\n");
  folder.write("d/e", "one\ntwo\n");
  folder.write(".hidden", "hidden\n");
  const input_files files = files_in(folder.path());
  ASSERT_EQ(files.size(), 4u);
  const pieces expected = {"first", "", "third", "last without an end", "", "", "one", "two"};
  for (std::size_t n = 1; n <= bytes_of(files) + 2; ++n) EXPECT_EQ(lines_by(files, n), expected) << n;
  const pieces behind_headers = {"", "third", "last without an end", "", "two"};
  for (std::size_t n = 1; n <= bytes_of(files) + 2; ++n)
    EXPECT_EQ(lines_by(files, n, true), behind_headers) << n;
}

TEST(text_input, gives_each_word_once_for_any_number_of_readers) {
  const text_folder folder;
  folder.write("a", "\xef\xbb\xbfThe caf\xc3\xa9, the  end.\r\nIt's");
  folder.write("b", "x1\t\v y");
  const input_files files = files_in(folder.path());
  for (std::size_t n = 1; n <= bytes_of(files) + 2; ++n) {
    EXPECT_EQ(words_by(files, n), (pieces{"The", "caf\xc3\xa9,", "the", "end.", "It's", "x1", "y"})) << n;
    EXPECT_EQ(words_by(files, n, {.letters = true, .lower_case = true}),
              (pieces{"the", "caf\xc3\xa9", "the", "end", "it", "s", "x1", "y"}))
        << n;
    EXPECT_EQ(words_by(files, n, {.length = 2}),
              (pieces{"The caf\xc3\xa9,", "caf\xc3\xa9, the", "the end.", "end. It's", "x1 y"}))
        << n;
    EXPECT_EQ(words_by(files, n, {.length = 3}),
              (pieces{"The caf\xc3\xa9, the", "caf\xc3\xa9, the end.", "the end. It's"}))
        << n;
    EXPECT_EQ(words_by(files, n, {.length = 6}), pieces()) << n;
  }
}

// Byte by byte.
pieces words_in(std::string_view text, bool letters) {
  pieces words(1);
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    const bool of_word = letters ? std::isalnum(c) != 0 || c >= 0x80 : c > ' ';
    if (of_word) words.back() += byte;
    if (!of_word && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Words are searched in 64 bytes at a time: they begin, end and lie across anywhere.
TEST(text_input, gives_the_words_of_random_bytes) {
  const text_folder folder;
  random_stream random(11);
  for (int round = 0; round < 60; ++round) {
    std::string text(random.below(300), ' ');
    const std::uint64_t blanks = 1 + random.below(12);
    for (char& c : text)
      c = random.below(blanks) == 0 ? "\n -\t"[random.below(4)] : "aZ09_\xc3\xa9\xff"[random.below(8)];
    const input_files files = files_in(folder.write("random", text));
    for (const std::size_t n : {1, 2, 5}) {
      for (const bool letters : {false, true}) {
        EXPECT_EQ(words_by(files, n, {.letters = letters, .any_bytes = true}), words_in(text, letters))
            << "round " << round << ", " << n << " parts";
      }
    }
  }
}

// Over the ends of the chunks in which files are read, and words as long as they may be.
TEST(text_input, reads_long_texts) {
  const text_folder folder;
  random_stream random(7);
  pieces words;
  std::string text;
  while (text.size() < 2'300'000) {
    words.push_back(std::string(random.below(200) == 0 ? longest_piece_bytes : 1 + random.below(9),
                                static_cast<char>('a' + random.below(26))));
    text += words.back() + (random.below(8) == 0 ? "\n" : " ");
  }
  const input_files files = files_in(folder.write("long", text));
  for (const std::size_t n : {1, 2, 7}) EXPECT_TRUE(words_by(files, n) == words) << n;
  gzFile to = gzopen((folder.path() + "/long.gz").c_str(), "wb1");
  ASSERT_EQ(gzwrite(to, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(to);
  const input_files same = files_in(folder.path() + "/long.gz");
  for (const std::size_t n : {1, 3}) EXPECT_TRUE(words_by(same, n) == words) << n;
}

TEST(text_input, tells_mistakes_with_their_place_for_any_number_of_readers) {
  const text_folder folder;
  const std::string many(longest_piece_bytes + 1, 'w');
  const auto word_mistake = [&](const std::string& content, const std::string& expected) {
    const std::string path = folder.write("w", content);
    for (std::size_t n = 1; n <= 9; ++n) EXPECT_EQ(words_by(files_in(path), n).back(), path + expected) << n;
  };
  const std::string nul = "a NUL byte; expected text: convert UTF-16 with iconv -f UTF-16 -t UTF-8";
  word_mistake(std::string("a b\nc d\0e", 9), ":2:4: " + nul);
  word_mistake(std::string("\xff\xfeh\0i\0", 6), ":1:4: " + nul);
  word_mistake("good\n " + many + " " + many,
               ":2:2: a word of more than 65536 bytes; expected text with blanks or line ends");
  const std::string no_utf8 =
      "bytes that are not UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8, or pass "
      "--any_bytes to count bytes";
  word_mistake("a caf\xe9 b\nand \xe9", ":1:3: " + no_utf8);
  word_mistake("cut \xe2\x82", ":1:5: " + no_utf8);
  for (const std::size_t before : {0, 50, 60, 62, 63, 64, 70, 130}) {
    const std::string blanks(before, ' ');
    word_mistake(blanks + "wo\xe9rd", ":1:" + std::to_string(before + 1) + ": " + no_utf8);
    word_mistake(blanks + std::string("word \0 word", 11), ":1:" + std::to_string(before + 6) + ": " + nul);
  }

  const auto line_mistake = [&](const std::string& content, const std::string& expected) {
    const std::string path = folder.write("l", content);
    for (std::size_t n = 1; n <= 9; ++n) EXPECT_EQ(lines_by(files_in(path), n).back(), path + expected) << n;
  };
  line_mistake("good\n\nbad\nbad\n", ":3:2: bad");
  line_mistake(std::string("good\n  \0\n", 9), ":2:3: " + nul);
  line_mistake("good\n" + many + "\ngood\n", ":2:1: a line of more than 65536 bytes; expected lines of text");
  line_mistake("good\n" + many + many, ":2:1: a line of more than 65536 bytes; expected lines of text");
}

TEST(text_input, takes_any_bytes_where_asked) {
  const text_folder folder;
  const input_files files = files_in(folder.write("a", "caf\xe9 \xff"));
  EXPECT_EQ(words_by(files, 2, {.any_bytes = true}), (pieces{"caf\xe9", "\xff"}));
}

TEST(text_input, refuses_what_is_not_there) {
  const text_folder folder;
  EXPECT_EQ(find_input(folder.path() + "/none").status().code(), exit_status::no_input);
  EXPECT_EQ(find_input(folder.path()).status().code(), exit_status::no_input);
  EXPECT_NE(find_input(folder.path()).status().message().find("no files in the directory"),
            std::string::npos);
}

TEST(text_input, knows_utf8) {
  for (const char* good : {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\xf8\x88\x80\x80\x80", "\xf0\x82\x82\xac", "a\xe9z"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

// The ends of lines may lie anywhere, at the ends of chunks, too.
TEST(text_input, lines_end_with_feeds_returns_or_both) {
  const text_folder folder;
  EXPECT_EQ(lines_by(files_in(folder.write("mac", "a\rb\r\rc")), 1), (pieces{"a", "b", "", "c"}));
  EXPECT_EQ(lines_by(files_in(folder.write("mac", "a\rb\r\rc\r")), 3), (pieces{"a", "b", "", "c"}));
  EXPECT_EQ(lines_by(files_in(folder.write("mixed", "a\r\nb\r\n\rc\n\rd\r\r\n")), 4),
            (pieces{"a", "b", "", "c", "", "d", ""}));
  random_stream random(11);
  for (const std::uint64_t longest : {3, 30, 9000}) {
    std::string text;
    pieces expected;
    while (text.size() < (std::size_t{5} << 19)) {
      // Not LF after CR: they would be one end.
      const char* const end = random.below(3) == 0 ? "\r\n" : random.below(2) ? "\r" : "\n";
      const bool would_join = text.ends_with('\r') && *end == '\n';
      expected.emplace_back(random.below(longest) + (would_join ? 1 : 0), 'x');
      text += expected.back() + end;
    }
    const input_files files = files_in(folder.write("random", text));
    for (const std::size_t n : {1, 2, 7}) {
      if (n != 7 && sanitized) continue;
      EXPECT_EQ(lines_by(files, n), expected) << n << ' ' << longest;
    }
  }
}

TEST(text_input, tells_the_line_of_a_mistake_whatever_ends_lines) {
  const text_folder folder;
  const std::string path = folder.write("mixed", "a\rb\r\n\nbad\r");
  EXPECT_EQ(lines_by(files_in(path), 1).back(), path + ":4:2: bad");
}

}  // namespace
}  // namespace orujo::internal::mapreduce
