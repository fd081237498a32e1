#include "framework/formats/compressed_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "system/base/random.hpp"
#include "tests/framework/formats/compressed_files.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::formats {
namespace {

// Lines that do not compress well, with numbers of many lengths.
std::string some_text(std::size_t bytes, std::uint64_t seed = 1) {
  random_stream random(seed, 0);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() >> random.below(60)) + '\n';
  return text;
}

class compressed_parts : public ::testing::Test {
 protected:
  std::unique_ptr<plain_source> file_of(const std::string& packed) {
    std::ofstream(folder_ / "packed", std::ios::binary) << packed;
    auto file = plain_source::open(folder_ / "packed");
    EXPECT_TRUE(file.ok());
    return std::move(file).value();
  }

  // The parts that are found, each with at least `least` bytes.
  std::vector<packed_part> parts_of(const std::string& packed, compression how, std::uint64_t least = 1) {
    const auto file = file_of(packed);
    std::vector<packed_part> parts = list_parts(*file, how).value();
    if (parts.empty() && how == compression::gzip) {
      // By three searchers.
      std::vector<packed_part> found;
      for (std::uint64_t k = 0; k < 3; ++k) {
        const auto mine = find_members(*file, file->size() * k / 3, file->size() * (k + 1) / 3).value();
        found.insert(found.end(), mine.begin(), mine.end());
      }
      parts = parts_of_members(*file, found).value();
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::uint64_t end = k + 1 < parts.size() ? parts[k + 1].at : file->size();
      if (parts[k].bytes == packed_part::unknown)
        parts[k].bytes = count_content(*file, how, parts[k].at, end).value();
    }
    return join_parts(parts, least);
  }

  // Expects that all of the content is found, read in pieces from any place.
  void expect_content(const std::string& packed, compression how, const std::string& content,
                      std::size_t parts, std::uint64_t least = 1) {
    const auto found = parts_of(packed, how, least);
    EXPECT_EQ(found.size(), parts);
    parted_source source(file_of(packed), how, found);
    ASSERT_EQ(source.size(), content.size());
    for (const std::size_t start :
         {content.size() / 2, std::size_t{0}, content.size() / 3, content.size() - 1}) {
      std::string read;
      std::vector<char> buffer(start % 2 == 0 ? 7001 : 400000), small(100);
      for (std::size_t at = start; at < content.size();) {
        if (read.size() % 3 == 0) {  // and the same once more
          ASSERT_TRUE(source.read_at(at, small).ok());
        }
        const auto got = source.read_at(at, buffer);
        ASSERT_TRUE(got.ok()) << got.status().message();
        ASSERT_GT(got.value(), 0u);
        read.append(buffer.data(), got.value());
        at += got.value();
      }
      EXPECT_EQ(read, content.substr(start)) << "from " << start;
    }
  }

  // The outcome of reading to the end.
  status read_through(const std::string& packed, compression how, std::vector<packed_part> parts,
                      bool& misled) {
    parted_source source(file_of(packed), how, std::move(parts));
    std::vector<char> buffer(100000);
    for (;;) {
      const auto got = source.read(buffer);
      misled = source.misled();
      if (!got.ok()) return got.status();
      if (got.value() == 0) return {};
    }
  }

  scratch_folder folder_;
};

TEST_F(compressed_parts, of_bgzip_are_listed_by_headers) {
  const std::string text = some_text(1000000);
  expect_content(bgzf(text), compression::gzip, text, (text.size() + 59999) / 60000);
  expect_content(bgzf(text), compression::gzip, text, 4, 300000);
}

TEST_F(compressed_parts, of_several_members_are_found_by_search) {
  std::string text, packed;
  for (std::uint64_t k = 0; k < 5; ++k) {
    const std::string more = some_text(100000 * (k + 1), k);
    text += more;
    packed += gzip_member(more);
  }
  expect_content(packed, compression::gzip, text, 5);
}

// Seven bytes of a member's content look like the beginning of another: the chain does not hold there.
TEST_F(compressed_parts, that_only_look_like_members_mislead) {
  using namespace std::string_view_literals;
  std::string text = some_text(3000);
  text.insert(1500, "\x1f\x8b\x08\0\0\0\0\0\0\xff"sv);
  z_stream stored{};  // not compressed, so that it is there as it is
  ASSERT_EQ(deflateInit2(&stored, 0, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stored, text.size()), '\0');
  stored.next_in = reinterpret_cast<Bytef*>(text.data());
  stored.avail_in = static_cast<uInt>(text.size());
  stored.next_out = reinterpret_cast<Bytef*>(packed.data());
  stored.avail_out = static_cast<uInt>(packed.size());
  ASSERT_EQ(deflate(&stored, Z_FINISH), Z_STREAM_END);
  packed.resize(stored.total_out);
  deflateEnd(&stored);
  const auto file = file_of(packed);
  const auto found = find_members(*file, 0, file->size()).value();
  ASSERT_EQ(found.size(), 1u);
  bool misled = false;
  const std::uint64_t half = found[0].at;
  EXPECT_FALSE(read_through(packed, compression::gzip, {{0, half}, {half, text.size() - half}}, misled).ok());
  EXPECT_TRUE(misled);
}

TEST_F(compressed_parts, of_zstd_are_listed_with_and_without_sizes) {
  for (const bool says_size : {true, false}) {
    std::string text, packed;
    for (std::uint64_t k = 0; k < 4; ++k) {
      const std::string more = some_text(200 + 300000 * k, k);
      text += more;
      const std::string frame = zstd_frame(more, says_size);
      packed += skippable_frame("about the next one") + frame;
    }
    expect_content(packed, compression::zstd, text, 4);
  }
}

TEST_F(compressed_parts, are_begun_at_where_that_saves_more_than_it_costs) {
  const std::string text = some_text(100000), packed = zstd_frame(text) + zstd_frame(text);
  const parted_source source(file_of(packed), compression::zstd, parts_of(packed, compression::zstd));
  const std::uint64_t most = 30000, parts = text.size();
  EXPECT_EQ(source.start_near(0, most), 0);
  EXPECT_EQ(source.start_near(1, most), 1);
  EXPECT_EQ(source.start_near(parts * 3 / 4 - 1, most), parts * 3 / 4 - 1) << "costs more than it saves";
  EXPECT_EQ(source.start_near(parts * 3 / 4 + 2, most), parts + 1);
  EXPECT_EQ(source.start_near(parts - 1, most), parts + 1);
  EXPECT_EQ(source.start_near(parts, most), parts + 1) << "the byte before would be the last part's";
  EXPECT_EQ(source.start_near(parts + 1, most), parts + 1);
  EXPECT_EQ(source.start_near(parts - 2000, 1999), parts - 2000) << "ranges would differ by too much";
  EXPECT_EQ(source.start_near(2 * parts - 1, most), 2 * parts);
  EXPECT_EQ(source.start_near(2 * parts, most), 2 * parts);
}

TEST_F(compressed_parts, without_content_go_with_others) {
  const std::string text = some_text(70000);
  expect_content(zstd_frame("") + zstd_frame(text) + zstd_frame("") + zstd_frame(text), compression::zstd,
                 text + text, 2);
}

TEST_F(compressed_parts, are_not_seen_where_the_file_does_not_go_on_as_it_begins) {
  const std::string text = some_text(100000), blocks = bgzf(text),
                    frames = zstd_frame(text) + zstd_frame(text);
  for (const std::size_t cut : {1, 5, 40, 5000}) {
    EXPECT_EQ(list_parts(*file_of(blocks.substr(0, blocks.size() - cut)), compression::gzip).value().size(),
              0u)
        << cut;
    EXPECT_EQ(list_parts(*file_of(frames.substr(0, frames.size() - cut)), compression::zstd).value().size(),
              0u)
        << cut;
  }
  EXPECT_EQ(list_parts(*file_of(frames + "more"), compression::zstd).value().size(), 0u);
  EXPECT_EQ(list_parts(*file_of(gzip_member(text)), compression::gzip).value().size(), 0u);
}

// A reader past the end of a part notices if it is damaged, or has another size than stated.
TEST_F(compressed_parts, that_are_wrong_mislead) {
  const std::string text = some_text(150000);
  for (const compression how : {compression::gzip, compression::zstd}) {
    const std::string packed = how == compression::gzip ? bgzf(text) : zstd_frame(text) + zstd_frame(text);
    const auto good = parts_of(packed, how);
    bool misled = false;
    EXPECT_TRUE(read_through(packed, how, good, misled).ok());
    EXPECT_FALSE(misled);
    for (std::size_t at = 30; at < packed.size() - 60; at += packed.size() / 7) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
      EXPECT_FALSE(read_through(damaged, how, good, misled).ok()) << at;
      EXPECT_TRUE(misled);
    }
    for (const int more : {1, -1}) {
      auto other = good;
      other[0].bytes += static_cast<std::uint64_t>(more);
      other[1].bytes -= static_cast<std::uint64_t>(more);
      EXPECT_FALSE(read_through(packed, how, other, misled).ok());
      EXPECT_TRUE(misled);
    }
  }
}

// Sizes that so few bytes cannot have are no sizes.
TEST_F(compressed_parts, of_impossible_sizes_are_not_seen) {
  std::string frame = zstd_frame(std::string(5000, 'x'));
  ASSERT_EQ(static_cast<unsigned char>(frame[4]) >> 6, 1) << "two bytes of size";
  frame[4] = static_cast<char>(frame[4] | 0xc0);  // eight
  frame.insert(7, "\xff\xff\xff\xff\xff\x7f");
  EXPECT_EQ(list_parts(*file_of(frame), compression::zstd).value().size(), 0u);
  const auto member = file_of(gzip_member("1 2\n"));
  EXPECT_EQ(parts_of_members(*member, std::vector<packed_part>{{20, 1u << 30}}).value().size(), 0u);
}

}  // namespace
}  // namespace orujo::internal::formats
