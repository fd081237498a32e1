#include "system/checkpoint/manifest.hpp"

#include <gtest/gtest.h>

#include <string>

#include "system/files/checksum.hpp"

namespace orujo::internal::checkpoint {
namespace {

// A section of 5 records in two files, and 3 loose ones.
manifest example() {
  manifest made;
  made.epoch = 12;
  made.token = 0x1f;
  made.run = 3;
  made.facts = {{"program", "page rank"}, {"--name", ""}, {"100%", "a\nb"}};
  made.values = {{"round", {std::byte{1}, std::byte{0xab}}}, {"nothing", {}}};
  made.sections = {{"ranks", true, 8, 5}, {"words", false, 12, 3}, {"empty", true, 4, 0}};
  made.file_bytes = {16 + 36, 24};
  made.chunks = {{0, 0, 0, 2, 0, 77}, {1, 0, 2, 3, 0, 78}, {0, 1, 0, 3, 16, 79}};
  return made;
}

std::string with_end(const std::string& text) {
  char end[32];
  std::snprintf(end, sizeof end, "end %lx\n", files::checksum(std::as_bytes(std::span(text))));
  return text + end;
}

exit_status code_of(std::string_view text) { return decode(text, "file").status().code(); }
exit_status code_of(const manifest& all) { return code_of(encode(all)); }

TEST(manifest, is_read_as_it_was_written) {
  const auto read = decode(encode(example()), "file");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value(), example());
  EXPECT_TRUE(decode(encode({}), "file").ok());
}

TEST(manifest, is_refused_with_any_byte_changed_or_missing) {
  const std::string text = encode(example());
  for (std::size_t at = 0; at < text.size(); ++at) {
    EXPECT_EQ(code_of(std::string_view(text).substr(0, at)), exit_status::bad_data) << "cut at " << at;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      EXPECT_EQ(code_of(changed), exit_status::bad_data) << changed;
    }
  }
  EXPECT_EQ(code_of(text + "\n"), exit_status::bad_data);
  RecordProperty("refused", static_cast<int>(9 * text.size() + 1));
}

TEST(manifest, ends_with_a_line_of_its_own) {
  const std::string text = encode(example());
  const std::string lines = text.substr(0, text.rfind("end "));
  EXPECT_EQ(code_of(with_end(lines)), exit_status::ok);
  EXPECT_EQ(code_of(with_end(lines + "fact a b")), exit_status::bad_data);
  EXPECT_EQ(code_of(with_end("orujo checkpoint 1")), exit_status::bad_data);
}

TEST(manifest, of_another_version_is_not_damaged) {
  EXPECT_EQ(code_of(with_end("orujo checkpoint 2\nwhatever that means\n")), exit_status::bad_checkpoint);
  EXPECT_EQ(code_of("orujo checkpoint 2\nend 0\n"), exit_status::bad_data);
}

// Whole, and yet not to be believed.
TEST(manifest, is_refused_where_its_numbers_do_not_fit) {
  const std::string head = "orujo checkpoint 1\nepoch 1 2 3\n";
  EXPECT_EQ(code_of(with_end(head)), exit_status::ok);
  for (const char* line :
       {"what", "epoch 1 2", "epoch 1 2 3 4", "epoch -1 2 3", "file", "file 99999999999999999999", "fact a",
        "fact %zz b", "fact %4 b", "value a abc", "value a xy", "section a sorted 1 0", "section a ordered 1",
        "chunk 0 0 0 1 0 0", "chunk 1 2 3"})
    EXPECT_EQ(code_of(with_end(head + line + "\n")), exit_status::bad_data) << line;
  const auto refused = [](auto change) {
    manifest changed = example();
    change(changed);
    return code_of(changed) == exit_status::bad_data;
  };
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[0].file = 2; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[0].section = 3; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[0].first = 1; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[1].first = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[1].records = ~std::uint64_t{0} / 2; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[1].at = 1; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[1].at = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks[2].first = 1; }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks.pop_back(); }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks.push_back(m.chunks[0]); }));
  EXPECT_TRUE(refused([](manifest& m) { m.chunks.push_back(m.chunks[2]); }));
  EXPECT_TRUE(refused([](manifest& m) { m.sections[0].record_bytes = 0; }));
  EXPECT_TRUE(refused([](manifest& m) { m.sections[0].records = 6; }));
  EXPECT_TRUE(refused([](manifest& m) { m.sections.pop_back(), m.sections.pop_back(); }));
}

TEST(difference, names_the_first) {
  const std::vector<fact> facts = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(difference(facts, facts), "");
  EXPECT_EQ(difference(facts, {{"b", "2"}, {"a", "1"}}), "");
  EXPECT_EQ(difference(facts, {{"a", "1"}, {"b", "3"}}), "b is 2 and was 3");
  EXPECT_EQ(difference(facts, {{"a", "1"}}), "b is 2, and there was none");
  EXPECT_EQ(difference({{"a", "1"}}, facts), "b was 2, and there is none");
}

}  // namespace
}  // namespace orujo::internal::checkpoint
