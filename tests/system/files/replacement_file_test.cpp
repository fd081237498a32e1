#include "system/files/replacement_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;

class replacement : public testing::Test {
 protected:
  static result<files::replacement_file> create(const std::string& path) {
    const auto place = files::find_output_place(path);
    if (!place.ok()) return place.status();
    return files::replacement_file::create(place.value());
  }
  static status replace(const std::string& path) {
    auto made = create(path);
    if (!made.ok()) return made.status();
    EXPECT_EQ(::write(made.value().file().number(), "new", 3), 3);
    return made.value().take_place();
  }
  scratch_folder folder_;
  const std::string path_ = folder_ / "results";
};

TEST_F(replacement, has_a_name_of_its_own_beside_the_file) {
  const auto one = create(path_), other = create(path_);
  EXPECT_NE(one.value().temporary_path(), other.value().temporary_path());
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_TRUE(entry.path().filename().string().starts_with(".results.")) << entry.path();
  EXPECT_EQ(folder_.entries(), 2);
  // The longest name there may be, too.
  EXPECT_EQ(replace(folder_ / std::string(255, 'x')).message(), "");
}

TEST_F(replacement, follows_no_link_that_is_in_its_way) {
  std::ofstream(folder_ / "precious") << "precious";
  fs::create_symlink("precious", path_ + ".partial");
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(content_of_file(folder_ / "precious"), "precious");
  EXPECT_EQ(content_of_file(path_), "new");
}

// A signal ends the process while another of its threads begins to write.
TEST_F(replacement, is_not_begun_any_more_as_the_process_ends) {
  const auto end = [this] {
    const auto before = create(path_);
    files::remove_replacement_files();
    if (folder_.entries() > 0) return;
    ::ualarm(10'000, 0);
    [[maybe_unused]] const auto after = create(path_);
  };
  EXPECT_EXIT(end(), testing::KilledBySignal(SIGALRM), "");
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_F(replacement, tells_who_comes_last) {
  for (const bool there : {false, true}) {
    auto first = create(path_), last = create(path_);
    EXPECT_EQ(::write(last.value().file().number(), "last", 4), 4);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(first.value().take_place().ok());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << there;
    testing::internal::CaptureStderr();
    EXPECT_TRUE(last.value().take_place().ok());
    EXPECT_NE(testing::internal::GetCapturedStderr().find("was written by another process meanwhile"),
              std::string::npos);
    EXPECT_EQ(content_of_file(path_), "last");
  }
}

TEST_F(replacement, keeps_the_mode) {
  const mode_t mask = ::umask(027);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(mode_of(path_), 0640u) << "of a new file what the umask leaves";
  for (const mode_t mode : {0600, 0666, 0755}) {
    ::chmod(path_.c_str(), mode);
    const auto made = create(path_);
    EXPECT_EQ(mode_of(made.value().temporary_path()), 0600u) << "until it is complete only its owner sees it";
    EXPECT_TRUE(replace(path_).ok());
    EXPECT_EQ(mode_of(path_), mode);
  }
  ::umask(mask);
}

TEST_F(replacement, leaves_other_hard_links_their_content) {
  std::ofstream(path_) << "old";
  fs::create_hard_link(path_, folder_ / "link");
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(content_of_file(path_), "new");
  EXPECT_EQ(content_of_file(folder_ / "link"), "old");
}

TEST_F(replacement, keeps_the_owner_for_root) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can";
  std::ofstream(path_) << "old";
  ASSERT_EQ(::chown(path_.c_str(), nobody, nobody), 0);
  EXPECT_TRUE(replace(path_).ok());
  EXPECT_EQ(about(path_).st_uid, nobody);
  EXPECT_EQ(about(path_).st_gid, nobody);
}

TEST_F(replacement, lets_no_other_group_in) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  std::ofstream(path_) << "old";
  ASSERT_EQ(::chmod(path_.c_str(), 0662), 0);
  EXPECT_TRUE(as_nobody([&] { return replace(path_).ok(); }));
  EXPECT_EQ(about(path_).st_gid, nobody);
  EXPECT_EQ(mode_of(path_), 0622u);
}

TEST_F(replacement, needs_permission) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  EXPECT_TRUE(as_nobody([&] {
    return create(path_).status().message() ==
           "cannot write '" + path_ + "': no permission to make a file in its directory";
  }));
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  std::ofstream(path_) << "old";
  EXPECT_TRUE(as_nobody(
      [&] { return create(path_).status().message() == "cannot write '" + path_ + "': Permission denied"; }));
  EXPECT_EQ(content_of_file(path_), "old");
}

TEST_F(replacement, goes_away_with_what_it_was_for) {
  { EXPECT_TRUE(create(path_).ok()); }
  EXPECT_EQ(folder_.entries(), 0);
  auto one = create(path_), other = create(folder_ / "other");
  EXPECT_TRUE(in_child([&] {
    files::remove_replacement_files();
    return folder_.entries() == 0;
  }));
  EXPECT_EQ(one.value().take_place().code(), exit_status::io_error);
}

TEST_F(replacement, has_no_limit_of_number) {
  std::vector<result<files::replacement_file>> many;
  for (int k = 0; k < 40; ++k) many.push_back(create(path_));
  EXPECT_EQ(folder_.entries(), 40);
  many.clear();
  EXPECT_EQ(folder_.entries(), 0);
}

}  // namespace
}  // namespace orujo::internal
