#include "system/files/shared_output.hpp"

#include <errno.h>
#include <fcntl.h>

#include "system/files/output_file.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal {
namespace {

std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(shared_output, is_written_in_any_order_beside_the_one_who_has_it) {
  const scratch_folder folder;
  files::output_file file = files::output_file::open(folder / "results").value();
  file.write("head ");
  const auto place = file.share();
  ASSERT_TRUE(place);
  EXPECT_EQ(place->size, 5);
  const base::descriptor there = place->open(), also_there = place->open();
  ASSERT_TRUE(there.is_open() && also_there.is_open());
  EXPECT_EQ(also_there.write_at(place->size + 4, as_bytes("two ")), 0);
  EXPECT_EQ(there.write_at(place->size, as_bytes("one ")), 0);
  file.skip(8);
  file.write("tail");
  EXPECT_TRUE(file.finish().ok());
  EXPECT_EQ(content_of_file(folder / "results"), "head one two tail");
}

TEST(shared_output, is_no_other_file) {
  const scratch_folder folder;
  files::output_file file = files::output_file::open(folder / "results").value();
  const auto place = file.share();
  ASSERT_TRUE(place);
  auto elsewhere = *place;
  elsewhere.machine += "!";
  EXPECT_FALSE(elsewhere.open().is_open()) << "of another machine";
  std::ofstream(folder / "other") << "precious";
  auto other = *place;
  other.path = folder / "other";
  EXPECT_FALSE(other.open().is_open());
  std::filesystem::create_symlink(place->path, folder / "link");
  auto link = *place;
  link.path = folder / "link";
  EXPECT_FALSE(link.open().is_open()) << "by a link, which may change";
  other.path = folder / "none";
  EXPECT_FALSE(other.open().is_open());
}

TEST(shared_output, is_not_of_what_is_written_in_place) {
  files::output_file null = files::output_file::open("/dev/null").value();
  EXPECT_FALSE(null.share());
  EXPECT_FALSE(files::output_file::open("").value().share());
}

TEST(shared_output, failed_says_why) {
  const scratch_folder folder;
  const bool told = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit least{4, 4};
    if (::setrlimit(RLIMIT_FSIZE, &least) != 0) return false;
    files::output_file file = files::output_file::open(folder / "results").value();
    const base::descriptor there = file.share().value().open();
    if (there.write_at(0, as_bytes("fits")) != 0) return false;
    file.fail(there.write_at(4, as_bytes("does not")));
    const status done = file.finish();
    return done.code() == exit_status::io_error && done.message().find("File too large") != std::string::npos;
  });
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace orujo::internal
