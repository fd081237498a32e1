// Sections of .orj files: any part of them, and damage anywhere.
#include "framework/formats/orj_file.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/orj_image.hpp"

namespace orujo::internal::formats {
namespace {

// 100,000 vertices without edges: offsets of 800,008 bytes, in four blocks, and as many ids.
orj_image image_of_blocks() {
  orj_image image;
  image.header.vertices = 100'000;
  image.header.symmetric = true;
  image.sections[orj_section::in_offsets] = bytes_of(std::vector<std::uint64_t>(100'001));
  std::vector<std::uint64_t> ids(100'000);
  std::iota(ids.begin(), ids.end(), 1000);
  image.sections[orj_section::ids] = bytes_of(ids);
  return image;
}

TEST(orj_file, reads_any_part_of_a_section) {
  orj_image image = image_of_blocks();
  for (const std::size_t most : {std::string::npos, std::size_t{50'000}}) {
    memory_source source(image.file(), "F", most);
    auto reader = orj_section_reader::open(source, image.header, orj_section::ids);
    ASSERT_TRUE(reader.ok());
    for (const std::uint64_t first : {0u, 1u, 32'767u, 32'768u, 50'000u, 99'999u, 100'000u}) {
      for (const std::uint64_t last : {0u, 32'768u, 65'536u, 65'537u, 100'000u}) {
        if (last < first) continue;
        std::vector<std::uint64_t> ids(last - first);
        std::uint64_t looked_at = first * 8;
        const status read =
            reader.value().read_values(first, std::span(ids), [&](std::uint64_t begin, std::uint64_t end) {
              EXPECT_EQ(begin, looked_at);
              EXPECT_LE(end, (begin / orj_block_bytes + 1) * orj_block_bytes);
              for (std::uint64_t at = begin; at < end; at += 8) EXPECT_EQ(ids[at / 8 - first], 1000 + at / 8);
              looked_at = end;
              return status();
            });
        EXPECT_TRUE(read.ok()) << read.message();
        EXPECT_EQ(looked_at, last * 8);
      }
    }
  }
}

TEST(orj_file, names_the_block_that_is_damaged) {
  orj_image image = image_of_blocks();
  std::string file = image.file();
  const std::uint64_t ids = image.header[orj_section::ids].first;
  file[ids + orj_block_bytes + 5] = 'x';
  memory_source source(file);
  auto reader = orj_section_reader::open(source, image.header, orj_section::ids);
  std::vector<std::uint64_t> some(32'768);
  EXPECT_TRUE(reader.value().read_values(0, std::span(some)).ok());
  const status damaged = reader.value().read_values(1, std::span(some));
  EXPECT_EQ(damaged.code(), exit_status::bad_data);
  EXPECT_EQ(damaged.message(),
            "F: byte 1069056: section ids: its 262144 bytes from here on are damaged: their checksum "
            "differs; copy or "
            "convert the file again");
}

TEST(orj_file, ends_where_look_at_says) {
  orj_image image = image_of_blocks();
  memory_source source(image.file());
  auto reader = orj_section_reader::open(source, image.header, orj_section::ids);
  std::vector<std::uint64_t> all(100'000);
  int calls = 0;
  const status ended = reader.value().read_values(0, std::span(all), [&](std::uint64_t, std::uint64_t) {
    return ++calls == 2 ? status(exit_status::bad_data, "enough") : status();
  });
  EXPECT_EQ(ended.message(), "enough");
  EXPECT_EQ(calls, 2);
}

// Nothing that is read is ever wrong: a flipped bit is refused, or is in no requested section.
TEST(orj_file, refuses_every_flipped_bit_of_its_sections) {
  orj_image image = small_orj_image();
  const std::string good = image.file();
  for (std::size_t k = 0; k + 1 < orj_sections; ++k) {
    const auto section = static_cast<orj_section>(k);
    const orj_header::place& place = image.header.places[k];
    if (place.bytes == 0) continue;
    const auto read = [&](const std::string& file) {
      memory_source source(file);
      auto reader = orj_section_reader::open(source, image.header, section);
      if (!reader.ok()) return reader.status();
      std::vector<std::byte> content(place.bytes);
      const status done = reader.value().read(0, content);
      if (done.ok()) {
        EXPECT_EQ(std::memcmp(content.data(), image.sections[section].data(), content.size()), 0);
      }
      return done;
    };
    const auto flip_all = [&](std::uint64_t first, std::uint64_t bytes) {
      for (std::uint64_t bit = 8 * first; bit < 8 * (first + bytes); ++bit) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        ASSERT_EQ(read(bad).code(), exit_status::bad_data)
            << "bit " << bit << " of section " << name_of(section);
      }
    };
    EXPECT_TRUE(read(good).ok());
    flip_all(place.first, place.bytes);
    flip_all(image.header[orj_section::checksums].first + 8 * first_block_of(image.header, section), 8);
  }
}

TEST(orj_file, tells_of_a_file_that_ends_early) {
  orj_image image = small_orj_image();
  std::string file = image.file();
  memory_source source(file.substr(0, image.header[orj_section::ids].first + 10));
  const status failed = orj_section_reader::open(source, image.header, orj_section::ids).status();
  EXPECT_EQ(failed.message(), "F: byte 53296: the file ends");
}

}  // namespace
}  // namespace orujo::internal::formats
