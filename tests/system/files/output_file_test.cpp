#include "system/files/output_file.hpp"

#include <fcntl.h>
#include <sys/sysmacros.h>

#include <thread>

#include "tests/sanitized.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;

class output : public testing::Test {
 protected:
  std::string content() const { return content_of_file(path_); }
  static status write_to(const std::string& path, std::string_view text) {
    auto file = files::output_file::open(path);
    if (!file.ok()) return file.status();
    file.value().write(text);
    return file.value().finish();
  }
  // Null where this process cannot make devices.
  bool make_device(unsigned minor) const {
    if (::mknod(path_.c_str(), S_IFCHR | 0666, makedev(1, minor)) != 0) return false;
    const int opened = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    ::close(opened);
    return opened >= 0;
  }
  scratch_folder folder_;
  const std::string path_ = folder_ / "results";
};
constexpr unsigned null_device = 3, full_device = 7;

TEST_F(output, appears_when_it_is_finished) {
  files::output_file file = files::output_file::open(path_).value();
  EXPECT_TRUE(file.wanted());
  EXPECT_FALSE(file.in_place());
  file.write("one\n");
  file.write("two\n");
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(file.finish().ok());
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(output, leaves_the_old_file_alone_when_it_is_dropped) {
  std::ofstream(path_) << "old";
  { files::output_file::open(path_).value().write("new"); }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(folder_.entries(), 1) << "something is left";
}

TEST_F(output, of_no_name_takes_everything_and_writes_nothing) {
  files::output_file file = files::output_file::open("").value();
  EXPECT_FALSE(file.wanted());
  file.write("text");
  EXPECT_TRUE(file.finish().ok());
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_F(output, that_cannot_be_written_is_refused_at_the_start) {
  const status missing = files::output_file::open(path_ + "/none").status();
  EXPECT_EQ(missing.code(), exit_status::io_error);
  EXPECT_EQ(missing.message(), "cannot write '" + path_ + "/none': No such file or directory");
  EXPECT_EQ(files::output_file::open(folder_.path()).status().message(),
            "cannot write '" + folder_.path().string() + "': Is a directory");
}

TEST_F(output, that_failed_to_be_written_is_an_error_at_the_end_and_leaves_nothing) {
  std::ofstream(path_) << "old";
  const file_size_limit limit(1000);
  for (const std::size_t bytes : {2000, 1 << 20}) {
    const status failed = write_to(path_, std::string(bytes, 'x'));
    EXPECT_EQ(failed.code(), exit_status::io_error);
    EXPECT_EQ(failed.message(), "cannot write '" + path_ + "': File too large");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(output, goes_into_a_device) {
  if (!make_device(null_device)) GTEST_SKIP() << "cannot make a device here";
  EXPECT_EQ(write_to(path_, "text").message(), "");
  EXPECT_TRUE(files::output_file::open(path_).value().in_place());
  EXPECT_TRUE(S_ISCHR(about(path_).st_mode));
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(output, tells_of_a_full_device) {
  if (!make_device(full_device)) GTEST_SKIP() << "cannot make a device here";
  EXPECT_EQ(write_to(path_, "text").message(), "cannot write '" + path_ + "': No space left on device");
  EXPECT_TRUE(S_ISCHR(about(path_).st_mode));
}

TEST_F(output, goes_into_a_pipe) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const std::string text(1 << 20, 'x');
  std::string read;
  std::thread reader([&] { read = content(); });
  EXPECT_EQ(write_to(path_, text).message(), "");
  reader.join();
  EXPECT_TRUE(read == text);
  EXPECT_TRUE(fs::is_fifo(path_));
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(output, replaces_what_is_at_the_end_of_links) {
  fs::create_directory(folder_ / "deep");
  fs::create_symlink("deep/second", path_);
  fs::create_symlink(folder_ / "third", folder_ / "deep/second");
  for (const char* text : {"first, when it is not there", "again"}) {
    EXPECT_EQ(write_to(path_, text).message(), "");
    EXPECT_TRUE(fs::is_symlink(path_) && fs::is_symlink(folder_ / "deep/second"));
    EXPECT_FALSE(fs::is_symlink(folder_ / "third"));
    EXPECT_EQ(content(), text);
  }
  EXPECT_EQ(folder_.entries(), 3);
}

TEST_F(output, goes_to_an_open_descriptor_by_its_name) {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(descriptor, "before\n", 7), 7);
  for (const char* of : {"/proc/self/fd/", "/dev/fd/"})
    EXPECT_EQ(write_to(of + std::to_string(descriptor), "data\n").message(), "");
  EXPECT_EQ(::write(descriptor, "after\n", 6), 6) << "it has been closed";
  ::close(descriptor);
  EXPECT_EQ(content(), "before\ndata\ndata\nafter\n");
  EXPECT_EQ(write_to("/dev/fd/" + std::to_string(descriptor), "x").code(), exit_status::io_error);
}

TEST_F(output, of_a_dash_is_stdout_and_what_is_printed_goes_to_stderr) {
  fs::create_symlink("/proc/self/fd/1", folder_ / "stdout");  // as /dev/stdout
  const std::string printed = folder_ / "stderr";
  for (const std::string& name : {std::string("-"), folder_ / "stdout"}) {
    EXPECT_TRUE(in_child([&] {
      ::dup2(::creat(path_.c_str(), 0600), STDOUT_FILENO);
      ::dup2(::creat(printed.c_str(), 0600), STDERR_FILENO);
      files::output_file file = files::output_file::open(name).value();
      std::printf("a report\n");
      std::fflush(stdout);
      file.write("data\n");
      return files::output_file::open("-").status().code() == exit_status::usage && file.finish().ok();
    }));
    EXPECT_EQ(content(), "data\n") << name;
    EXPECT_EQ(content_of_file(printed), "a report\n") << name;
  }
}

TEST_F(output, of_two_writers_is_the_last_ones_whole) {
  const std::string texts[] = {std::string(3 << 20, 'a'), std::string(2 << 20, 'b')};
  for (int k = 0; k < (sanitized ? 2 : 10); ++k) {
    std::thread other([&] { EXPECT_TRUE(write_to(path_, texts[0]).ok()); });
    EXPECT_TRUE(write_to(path_, texts[1]).ok());
    other.join();
    EXPECT_TRUE(content() == texts[0] || content() == texts[1]);
  }
  EXPECT_EQ(folder_.entries(), 1);
}

}  // namespace
}  // namespace orujo::internal
