// Opening and streaming input files: what is refused, gzip, zstd, byte ranges, files that change or fail.
#include "framework/formats/byte_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "system/base/random.hpp"
#include "tests/framework/formats/compressed_files.hpp"

namespace orujo::internal::formats {
namespace {

namespace fs = std::filesystem;

// A folder for the files of one test, removed with it.
class byte_sources : public ::testing::Test {
 protected:
  byte_sources() {
    std::string name = ::testing::TempDir() + "orujo_byte_source_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~byte_sources() override { fs::remove_all(folder_); }

  std::string path(std::string_view name) const { return folder_ / name; }
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  fs::path folder_;
};

// All of the content, read `step` bytes at a time.
result<std::string> read_all(const std::string& path, std::size_t step = 1000) {
  auto source = open_source(path);
  if (!source.ok()) return source.status();
  std::string content, buffer(step, '\0');
  for (;;) {
    auto got = source.value()->read(buffer);
    if (!got.ok()) return got.status();
    if (got.value() == 0) return content;
    content.append(buffer, 0, got.value());
  }
}

std::string random_text(std::uint64_t seed, std::size_t size) {
  random_stream random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = "0123456789 \n"[random.below(12)];
  return text;
}

TEST_F(byte_sources, refuses_what_is_no_file_to_read) {
  const std::string fifo = path("fifo"), socket = path("socket");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ASSERT_EQ(::mknod(socket.c_str(), S_IFSOCK | 0600, 0), 0);

  const struct {
    std::string path;
    std::string_view why;
  } cases[] = {{path("missing"), "No such file or directory"},
               {write("file", "1 2\n") + "/x", "Not a directory"},
               {path(""), "it is a directory"},
               {fifo, "it is not a regular file"},
               {socket, "it is not a regular file"},
               {"/dev/null", "it is not a regular file"},
               {"", "No such file or directory"}};
  for (const auto& [path, why] : cases) {
    const status refused = open_source(path).status();
    EXPECT_EQ(refused.code(), exit_status::no_input) << path;
    EXPECT_EQ(refused.message(), "cannot open graph '" + path + "': " + std::string(why) + "; check --graph");
  }
}

TEST_F(byte_sources, refuses_an_unreadable_file) {
  const std::string file = write("secret", "1 2\n");
  ASSERT_EQ(::chmod(file.c_str(), 0), 0);
  ASSERT_EQ(::chmod(fs::path(file).parent_path().c_str(), 0755), 0);
  // Root reads everything, so it becomes another user for the moment.
  const ::uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const status refused = open_source(file).status();
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_EQ(refused.code(), exit_status::no_input);
  EXPECT_EQ(refused.message(), "cannot open graph '" + file + "': Permission denied; check --graph");
}

TEST_F(byte_sources, streams_a_plain_file) {
  const std::string text = random_text(1, 10007);
  for (const std::size_t step : {1, 7, 1000, 100000}) {
    const auto content = read_all(write("plain", text), step);
    ASSERT_TRUE(content.ok()) << content.status().message();
    EXPECT_EQ(content.value(), text);
  }
  EXPECT_EQ(read_all(write("empty", "")).value(), "");
}

TEST_F(byte_sources, reads_ranges_of_a_plain_file) {
  const auto source = open_source(write("plain", "0123456789"));
  ASSERT_TRUE(source.ok());
  ASSERT_TRUE(source.value()->seekable());
  EXPECT_EQ(source.value()->size(), 10u);
  std::string buffer(4, '-');
  EXPECT_EQ(source.value()->read_at(3, buffer).value(), 4u);
  EXPECT_EQ(buffer, "3456");
  EXPECT_EQ(source.value()->read_at(8, buffer).value(), 2u);
  EXPECT_EQ(buffer, "8956");
  EXPECT_EQ(source.value()->read_at(10, buffer).value(), 0u);
  EXPECT_EQ(source.value()->read_at(1000, buffer).value(), 0u);
}

TEST_F(byte_sources, maps_a_plain_file) {
  const std::string content = "\x1f\x8b as it is";
  const auto source = map_source(write("mapped", content)).value();
  EXPECT_TRUE(source->seekable());
  EXPECT_EQ(source->size(), content.size());
  ASSERT_EQ(source->mapped().size(), content.size());
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(source->mapped().data()), content.size()),
            content);
  char some[8];
  EXPECT_EQ(source->read_at(5, some).value(), content.size() - 5);
  EXPECT_EQ(std::string_view(some, content.size() - 5), content.substr(5));
  EXPECT_EQ(source->read_at(content.size(), some).value(), 0u);
  EXPECT_EQ(source->read(std::span(some, 2)).value(), 2u);
  EXPECT_EQ(source->read(some).value(), 8u);
  EXPECT_EQ(some[0], ' ');
  EXPECT_TRUE(map_source(write("empty", "")).value()->mapped().empty());
  EXPECT_EQ(map_source(path("nothing")).status().code(), exit_status::no_input);
  EXPECT_EQ(map_source(path("")).status().code(), exit_status::no_input);
}

TEST_F(byte_sources, decompresses_gzip_whatever_its_name) {
  const std::string text = random_text(2, 1000003);
  for (const std::size_t step : {997, 1 << 20, 1 << 21}) {
    const auto content = read_all(write("graph.txt", gzip_member(text)), step);
    ASSERT_TRUE(content.ok()) << content.status().message();
    EXPECT_TRUE(content.value() == text);
  }
  EXPECT_FALSE(open_source(path("graph.txt")).value()->seekable());
}

TEST_F(byte_sources, decompresses_concatenated_gzip_members) {
  const std::string packed =
      gzip_member("1 2\n3") + gzip_member("") + gzip_member(" 4\n") + gzip_member(random_text(3, 300000));
  for (const std::size_t step : {1, 3, 100000}) {
    const auto content = read_all(write("members.gz", packed), step);
    ASSERT_TRUE(content.ok()) << content.status().message();
    EXPECT_TRUE(content.value() == "1 2\n3 4\n" + random_text(3, 300000));
  }
}

TEST_F(byte_sources, names_the_byte_where_gzip_is_truncated) {
  const std::string packed = gzip_member("1 2\n3 4\n5 6\n");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    const std::string file = write("cut.gz", packed.substr(0, size));
    const status bad = read_all(file).status();
    EXPECT_EQ(bad.code(), exit_status::bad_data) << size;
    EXPECT_EQ(bad.message(), file + ": the gzip data ends in the middle at byte " + std::to_string(size) +
                                 "; check it with gzip -t, or get it again");
  }
}

TEST_F(byte_sources, names_the_byte_where_gzip_is_corrupt) {
  const std::string packed = gzip_member(random_text(4, 5000));
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;  // the checksum
  const std::string file = write("flipped.gz", flipped);
  const status bad = read_all(file).status();
  EXPECT_EQ(bad.code(), exit_status::bad_data);
  EXPECT_EQ(bad.message(), file + ": the gzip data is corrupt (incorrect data check) at byte " +
                               std::to_string(packed.size() - 4) +
                               "; check it with gzip -t, or get it again");
  EXPECT_EQ(read_all(write("tail.gz", packed + "no gzip")).status().code(), exit_status::bad_data);
}

TEST_F(byte_sources, never_passes_a_flipped_gzip_byte_for_other_content) {
  const std::string text = random_text(5, 300);
  const std::string packed = gzip_member(text);
  constexpr std::size_t header_bytes = 10;  // flags, time and system there do not change the content
  for (std::size_t i = header_bytes; i < packed.size(); ++i) {
    std::string flipped = packed;
    flipped[i] ^= 0x10;
    const auto content = read_all(write("flipped.gz", flipped));
    EXPECT_TRUE(!content.ok() || content.value() == text) << i;  // some bits are mere padding
  }
}

TEST_F(byte_sources, decompresses_zstd_of_several_frames) {
  const std::string text = random_text(6, 1000003);
  const std::string packed = zstd_frame("1 2\n3") + zstd_frame("") + zstd_frame(" 4\n") + zstd_frame(text);
  for (const std::size_t step : {1, 997, 1 << 21}) {
    const auto content = read_all(write("graph.txt", packed), step);
    ASSERT_TRUE(content.ok()) << content.status().message();
    EXPECT_TRUE(content.value() == "1 2\n3 4\n" + text);
  }
  EXPECT_FALSE(open_source(path("graph.txt")).value()->seekable());
}

// Decompressed bytes may still come after the last compressed byte.
TEST_F(byte_sources, gives_all_of_what_compresses_well) {
  const std::string text(300000, '1');
  for (const std::string& packed : {zstd_frame(text, true, false), zstd_frame(text), gzip_member(text)}) {
    for (const std::size_t step : {1, 1000, 131072, 1 << 20}) {
      const auto content = read_all(write("graph", packed), step);
      ASSERT_TRUE(content.ok()) << content.status().message();
      EXPECT_TRUE(content.value() == text);
    }
  }
}

TEST_F(byte_sources, names_the_byte_where_zstd_is_truncated) {
  const std::string packed = zstd_frame("1 2\n3 4\n5 6\n");
  for (std::size_t size = 4; size < packed.size(); ++size) {
    const std::string file = write("cut.zst", packed.substr(0, size));
    const status bad = read_all(file).status();
    EXPECT_EQ(bad.code(), exit_status::bad_data) << size;
    EXPECT_EQ(bad.message(), file + ": the zstd data ends in the middle at byte " + std::to_string(size) +
                                 "; check it with zstd -t, or get it again");
  }
}

TEST_F(byte_sources, never_passes_a_flipped_zstd_byte_for_other_content) {
  const std::string text = random_text(7, 300);
  const std::string packed = zstd_frame(text);
  for (std::size_t i = 4; i < packed.size(); ++i) {
    std::string flipped = packed;
    flipped[i] ^= 0x10;
    const auto content = read_all(write("flipped.zst", flipped));
    EXPECT_TRUE(!content.ok() || content.value() == text) << i;
    if (!content.ok()) {
      EXPECT_EQ(content.status().code(), exit_status::bad_data);
    }
  }
  EXPECT_EQ(read_all(write("tail.zst", packed + "no zstd")).status().code(), exit_status::bad_data);
}

TEST_F(byte_sources, reports_a_file_that_shrinks) {
  const std::string file = write("shrinking", "0123456789");
  const auto source = open_source(file);
  ASSERT_TRUE(source.ok());
  fs::resize_file(file, 4);
  std::string buffer(8, '\0');
  EXPECT_EQ(source.value()->read(buffer).value(), 4u);
  const status shrunk = source.value()->read(buffer).status();
  EXPECT_EQ(shrunk.code(), exit_status::io_error);
  EXPECT_EQ(shrunk.message(), "graph '" + file + "' shrank from 10 bytes to at most 4 while being read; " +
                                  "run again when no process writes to it");
}

TEST_F(byte_sources, ignores_what_is_appended_after_opening) {
  const std::string file = write("growing", "0123");
  const auto source = open_source(file);
  std::ofstream(file, std::ios::app) << "4567";
  std::string buffer(8, '\0');
  EXPECT_EQ(source.value()->read(buffer).value(), 4u);
  EXPECT_EQ(source.value()->read(buffer).value(), 0u);
}

TEST_F(byte_sources, reports_a_read_error) {
  // A regular file to stat(2), but page 0 of this process cannot be read.
  const status failed = open_source("/proc/self/mem").status();
  EXPECT_EQ(failed.code(), exit_status::io_error);
  EXPECT_EQ(failed.message(),
            "cannot read graph '/proc/self/mem' at byte 0: Input/output error; check its file system");
}

}  // namespace
}  // namespace orujo::internal::formats
