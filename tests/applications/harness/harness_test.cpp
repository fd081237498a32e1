// Numbers for people, and files that somebody waits for. The files through the applications:
// pagerank_test.sh.
#include "applications/harness/harness.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace orujo::harness {
namespace {

namespace fs = std::filesystem;

TEST(harness, groups_digits_by_three) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(harness, counts_with_a_noun) {
  EXPECT_EQ(counted(0, "core"), "0 cores");
  EXPECT_EQ(counted(1, "core"), "1 core");
  EXPECT_EQ(counted(2, "core"), "2 cores");
}

TEST(harness, gives_rates_three_digits_and_a_unit) {
  EXPECT_EQ(engineering(0), "0");
  EXPECT_EQ(engineering(12.3456), "12.3");
  EXPECT_EQ(engineering(999.4), "999");
  EXPECT_EQ(engineering(999.7), "1 k");
  EXPECT_EQ(engineering(151'800'000), "152 M");
  EXPECT_EQ(engineering(2.5e9), "2.5 G");
  EXPECT_EQ(engineering(4e15), "4e+03 T");
}

class output_file_test : public testing::Test {
 protected:
  output_file_test() {
    std::string name = testing::TempDir() + "orujo_harness_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~output_file_test() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }
  std::string content(const char* name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

 private:
  fs::path folder_;
};

TEST_F(output_file_test, is_in_place_only_when_complete) {
  std::ofstream(path("out")) << "old";
  auto file = output_file::open(path("out"));
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file.value().wanted());
  file.value().write("new\n");
  file.value().write("lines\n");
  EXPECT_EQ(content("out"), "old");
  EXPECT_TRUE(file.value().finish().ok());
  EXPECT_EQ(content("out"), "new\nlines\n");
  EXPECT_EQ(files(), 1);
}

TEST_F(output_file_test, leaves_nothing_when_dropped) {
  {
    auto file = output_file::open(path("out"));
    file.value().write("half");
    const output_file moved = std::move(file).value();
    EXPECT_TRUE(moved.wanted());
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(output_file_test, that_nobody_wants_takes_everything_and_writes_nothing) {
  auto file = output_file::open("");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file.value().wanted());
  file.value().write("anything");
  EXPECT_TRUE(file.value().finish().ok());
  EXPECT_EQ(files(), 0);
}

TEST_F(output_file_test, refuses_what_cannot_be_written_at_once) {
  for (const std::string& where : {path(""), path("none/out")}) {
    const status refused = output_file::open(where).status();
    EXPECT_EQ(refused.code(), exit_status::io_error) << where;
    EXPECT_NE(refused.message().find("cannot write '" + where), std::string::npos) << refused.message();
  }
}

TEST_F(output_file_test, says_when_the_device_is_full) {
  // The partial file leads to a device that is always full.
  fs::create_symlink("/dev/full", path("out.partial"));
  auto file = output_file::open(path("out"));
  ASSERT_TRUE(file.ok());
  file.value().write(std::string(1 << 20, 'x'));
  const status failed = file.value().finish();
  EXPECT_EQ(failed.code(), exit_status::io_error);
  EXPECT_EQ(failed.message(), "cannot write '" + path("out") + "': No space left on device");
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace orujo::harness
