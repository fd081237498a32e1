#include "system/checkpoint/folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::checkpoint {
namespace {

void touch(const std::string& path) { std::ofstream(path) << "x"; }

TEST(checkpoint_folder, lists_manifests_the_last_first) {
  const scratch_folder folder;
  const std::string path = folder.path();
  EXPECT_TRUE(epochs_in(path + "/none").empty());
  for (const std::uint64_t epoch : {2, 10, 9}) touch(manifest_path(path, epoch));
  touch(file_path(path, 11, 1, 0));
  for (const char* other :
       {"epoch-.manifest", "epoch-3.manifesto", "epoch-x.manifest", "xepoch-3.manifest", "epoch-3"})
    touch(folder / other);
  EXPECT_EQ(epochs_in(path), (std::vector<std::uint64_t>{10, 9, 2}));
}

TEST(checkpoint_folder, removes_what_is_old_and_nothing_else) {
  const scratch_folder folder;
  const std::string path = folder.path();
  for (const std::uint64_t epoch : {1, 2, 3}) {
    touch(manifest_path(path, epoch));
    for (const std::uint64_t locale : {0, 1}) touch(file_path(path, epoch, 7, locale));
  }
  touch(folder / "epoch-1.txt");
  remove_epochs_but(path, {2, 3});
  EXPECT_EQ(epochs_in(path), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(folder.entries(), 2 * 3 + 1);
}

TEST(checkpoint_folder, is_one_jobs) {
  const scratch_folder folder;
  const std::string path = folder / "a/b";
  std::optional<folder_lock> mine = std::move(folder_lock::take(path)).value();
  EXPECT_EQ(folder_lock::take(path).status().code(), exit_status::io_error);
  mine.reset();
  EXPECT_TRUE(folder_lock::take(path).ok());
  touch(folder / "file");
  EXPECT_EQ(folder_lock::take(folder / "file").status().code(), exit_status::io_error);
  EXPECT_EQ(folder_lock::take(folder / "file/c").status().code(), exit_status::io_error);
}

}  // namespace
}  // namespace orujo::internal::checkpoint
