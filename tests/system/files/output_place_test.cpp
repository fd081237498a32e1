#include "system/files/output_place.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;

class place : public testing::Test {
 protected:
  static std::string refusal_of(const std::string& path) {
    const status found = files::find_output_place(path).status();
    EXPECT_TRUE(found.ok() || found.code() == exit_status::io_error);
    const std::string begin = "cannot write '" + path + "': ";
    return found.message().starts_with(begin) ? found.message().substr(begin.size()) : found.message();
  }
  scratch_folder folder_;
  const std::string path_ = folder_ / "results";
};

TEST_F(place, is_behind_all_links) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink(path_, folder_ / "b");
  const auto found = files::find_output_place(folder_ / "a");
  EXPECT_EQ(found.value().path, path_);
  EXPECT_EQ(found.value().is, files::output_place::kind::file);
  EXPECT_FALSE(found.value().there);
  std::ofstream(path_) << "text";
  EXPECT_EQ(files::find_output_place(folder_ / "a").value().there->st_size, 4);
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(refusal_of(folder_ / "circle"), std::strerror(ELOOP));
}

TEST_F(place, is_a_descriptor_where_its_name_says_so) {
  for (const auto& [path, number] : {std::pair("-", 1), {"/dev/stdout", 1}, {"/dev/fd/2", 2}}) {
    const auto found = files::find_output_place(path);
    EXPECT_EQ(found.value().is, files::output_place::kind::descriptor) << path;
    EXPECT_EQ(found.value().descriptor, number);
  }
  EXPECT_EQ(files::find_output_place(folder_ / "1").value().is, files::output_place::kind::file);
}

TEST_F(place, is_no_directory_and_no_socket) {
  EXPECT_EQ(refusal_of(folder_.path()), "Is a directory");
  EXPECT_EQ(refusal_of(path_ + "/"), "No such file or directory");
  sockaddr_un name = {AF_UNIX, {}};
  if (path_.size() >= sizeof name.sun_path) GTEST_SKIP() << "the folder's name is too long for a socket";
  std::strcpy(name.sun_path, path_.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  EXPECT_EQ(refusal_of(path_), "it is a socket");
  ::close(socket);
}

TEST_F(place, is_not_what_another_user_has_put_where_all_may) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  ASSERT_EQ(::chmod(folder_.path().c_str(), 01777), 0);
  std::ofstream(folder_ / "precious") << "precious";
  ASSERT_TRUE(as_nobody([&] {
    fs::create_symlink("precious", folder_ / "link");
    std::ofstream(folder_ / "file") << "text";
    return ::mkfifo((folder_ / "pipe").c_str(), 0666) == 0;
  }));
  const std::string foreign = "another user owns it, in a directory with the sticky bit";
  for (const char* name : {"link", "file", "pipe"}) {
    EXPECT_EQ(refusal_of(folder_ / name), foreign) << name;
    EXPECT_TRUE(as_nobody([&] { return refusal_of(folder_ / name).empty() == (name[0] != 'l'); })) << name;
  }
  // root's own, which root has opened to all: nobody can write it, but not replace it.
  ASSERT_EQ(::chmod((folder_ / "precious").c_str(), 0666), 0);
  EXPECT_TRUE(as_nobody([&] {
    return refusal_of(folder_ / "precious") ==
           "only its owner may replace it in a directory with the sticky bit";
  }));
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  for (const char* name : {"link", "file", "pipe"}) EXPECT_EQ(refusal_of(folder_ / name), "") << name;
}

TEST_F(place, is_the_same_by_any_name) {
  EXPECT_TRUE(files::same_file(path_, path_));
  EXPECT_TRUE(files::same_file(path_, folder_.path().string() + "/./results")) << "not there yet";
  fs::create_symlink("results", folder_ / "link");
  EXPECT_TRUE(files::same_file(path_, folder_ / "link"));
  EXPECT_FALSE(files::same_file(path_, folder_ / "other"));
  std::ofstream(path_) << "text";
  fs::create_hard_link(path_, folder_ / "hard");
  EXPECT_TRUE(files::same_file(folder_ / "hard", folder_ / "link"));
  EXPECT_FALSE(files::same_file(path_, folder_ / "other"));
  std::ofstream(folder_ / "other") << "text";
  EXPECT_FALSE(files::same_file(path_, folder_ / "other"));
  EXPECT_TRUE(files::same_file("-", "/dev/stdout"));
  EXPECT_FALSE(files::same_file("-", "/dev/stderr"));
  EXPECT_FALSE(files::same_file("-", "./-"));
}

}  // namespace
}  // namespace orujo::internal
