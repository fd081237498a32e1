#include "framework/verify/word_count_oracle.hpp"

#include <gtest/gtest.h>

#include "tests/framework/tables/mapreduce/text_files.hpp"

namespace orujo::internal::verify {
namespace {

using word_counts = std::map<std::string, std::uint64_t, std::less<>>;

TEST(word_count_oracle, counts_by_hand) {
  const mapreduce::text_folder folder;
  const std::string a = folder.write("a", "\xef\xbb\xbfThe cat, the\n cat"), b = folder.write("b", "the end");
  EXPECT_EQ(count_words({a, b}, 1, false, false).value(),
            (word_counts{{"The", 1}, {"cat,", 1}, {"cat", 1}, {"end", 1}, {"the", 2}}));
  EXPECT_EQ(count_words({a, b}, 1, true, true).value(), (word_counts{{"cat", 2}, {"end", 1}, {"the", 3}}));
  EXPECT_EQ(count_words({a, b}, 2, true, true).value(),
            (word_counts{{"cat the", 1}, {"the cat", 2}, {"the end", 1}}));
}

}  // namespace
}  // namespace orujo::internal::verify
