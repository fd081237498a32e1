#include "system/base/output_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace orujo {
namespace {

namespace fs = std::filesystem;

class output : public testing::Test {
 protected:
  output() {
    std::string name = testing::TempDir() + "output_file.XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "results").string();
  }
  ~output() override { fs::remove_all(folder_); }
  std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(output, appears_when_it_is_finished) {
  output_file file = output_file::open(path_).value();
  EXPECT_TRUE(file.wanted());
  file.write("one\n");
  file.write("two\n");
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(file.finish().ok());
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(output, leaves_the_old_file_alone_when_it_is_dropped) {
  std::ofstream(path_) << "old";
  { output_file::open(path_).value().write("new"); }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "something is left";
}

TEST_F(output, of_no_name_takes_everything_and_writes_nothing) {
  output_file file = output_file::open("").value();
  EXPECT_FALSE(file.wanted());
  file.write("text");
  EXPECT_TRUE(file.finish().ok());
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(output, that_cannot_be_written_is_refused_at_the_start) {
  const status missing = output_file::open(path_ + "/none").status();
  EXPECT_EQ(missing.code(), exit_status::io_error);
  EXPECT_EQ(missing.message(), "cannot write '" + path_ + "/none': No such file or directory");
  EXPECT_EQ(output_file::open(folder_.string()).status().message(),
            "cannot write '" + folder_.string() + "': Is a directory");
}

TEST_F(output, that_failed_to_be_written_is_an_error_at_the_end) {
  fs::create_symlink("/dev/full", path_ + ".partial");
  output_file file = output_file::open(path_).value();
  file.write("text");
  EXPECT_EQ(file.finish().code(), exit_status::io_error);
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace orujo
