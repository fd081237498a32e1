// Written files can be read again, compressed or not. Files that are not finished or have no room do not
// appear.
#include "framework/formats/byte_sink.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "framework/formats/byte_source.hpp"
#include "system/base/random.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::formats {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  const auto source = open_source(path);
  std::string all, some(1 << 16, '\0');
  while (const std::size_t got = source.value()->read(some).value()) all.append(some, 0, got);
  return all;
}

TEST(byte_sink, brings_back_what_was_written) {
  const fs::path folder = fs::path(::testing::TempDir()) / "byte_sink_test";
  fs::create_directories(folder);
  random_stream random(1);
  std::string expected;
  for (int k = 0; k < 1 << 20; ++k) expected += static_cast<char>(random.below(k < 1 << 19 ? 2 : 256));
  for (const char* name : {"plain", "packed.gz", "packed.zst"}) {
    const std::string path = folder / name;
    auto sink = byte_sink::open(path);
    ASSERT_TRUE(sink.ok());
    sink.value()->write(std::string_view(expected).substr(0, 1));
    sink.value()->write({});
    sink.value()->write(std::string_view(expected).substr(1));
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(sink.value()->finish().message(), "");
    EXPECT_TRUE(content_of(path) == expected) << name;
    EXPECT_EQ(std::string_view(name) == "plain", fs::file_size(path) == expected.size());
    auto unfinished = byte_sink::open(path + "2");
    unfinished.value()->write("x");
  }
  for (const auto& entry : fs::directory_iterator(folder))
    EXPECT_EQ(entry.path().string().find('2'), std::string::npos) << entry.path();
  fs::remove_all(folder);
}

TEST(byte_sink, says_that_there_is_no_room) {
  const scratch_folder folder;
  const file_size_limit limit(1 << 10);
  random_stream random(1);
  std::string text;
  for (int k = 0; k < 1 << 20; ++k) text += static_cast<char>(random.below(256));
  for (const char* name : {"plain", "packed.gz", "packed.zst"}) {
    auto sink = byte_sink::open(folder / name);
    ASSERT_TRUE(sink.ok());
    sink.value()->write(text);
    const status failure = sink.value()->finish();
    EXPECT_EQ(failure.code(), exit_status::io_error);
    EXPECT_NE(failure.message().find("File too large"), std::string::npos) << failure.message();
  }
  EXPECT_EQ(folder.entries(), 0);
  EXPECT_EQ(byte_sink::open("/nowhere/F").status().code(), exit_status::io_error);
}

TEST(byte_sink, knows_compression_by_the_suffix) {
  std::string_view path = "a.el.gz";
  EXPECT_EQ(take_compression(path), "gzip");
  EXPECT_EQ(path, "a.el");
  EXPECT_EQ(take_compression(path), "");
  path = "b.zst";
  EXPECT_EQ(take_compression(path), "zstd");
}

}  // namespace
}  // namespace orujo::internal::formats
