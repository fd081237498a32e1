#include "system/base/shared_output.hpp"

#include <errno.h>
#include <fcntl.h>

#include "system/base/output_file.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo {
namespace {

TEST(shared_output, is_written_in_any_order_beside_the_one_who_has_it) {
  const scratch_folder folder;
  base::output_file file = base::output_file::open(folder / "results").value();
  file.write("head ");
  const auto place = file.share();
  ASSERT_TRUE(place);
  EXPECT_EQ(place->size, 5);
  auto there = base::shared_output::open(*place), also_there = base::shared_output::open(*place);
  ASSERT_TRUE(there && also_there);
  EXPECT_EQ(also_there->write(place->size + 4, "two "), 0);
  EXPECT_EQ(there->write(place->size, "one "), 0);
  file.skip(8);
  file.write("tail");
  EXPECT_TRUE(file.finish().ok());
  EXPECT_EQ(content_of_file(folder / "results"), "head one two tail");
}

TEST(shared_output, is_no_other_file) {
  const scratch_folder folder;
  base::output_file file = base::output_file::open(folder / "results").value();
  const auto place = file.share();
  ASSERT_TRUE(place);
  auto elsewhere = *place;
  elsewhere.machine += "!";
  EXPECT_FALSE(base::shared_output::open(elsewhere)) << "of another machine";
  std::ofstream(folder / "other") << "precious";
  auto other = *place;
  other.path = folder / "other";
  EXPECT_FALSE(base::shared_output::open(other));
  std::filesystem::create_symlink(place->path, folder / "link");
  auto link = *place;
  link.path = folder / "link";
  EXPECT_FALSE(base::shared_output::open(link)) << "by a link, which may change";
  other.path = folder / "none";
  EXPECT_FALSE(base::shared_output::open(other));
}

TEST(shared_output, is_not_of_what_is_written_in_place) {
  base::output_file null = base::output_file::open("/dev/null").value();
  EXPECT_FALSE(null.share());
  EXPECT_FALSE(base::output_file::open("").value().share());
}

TEST(shared_output, failed_says_why) {
  const scratch_folder folder;
  const bool told = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit least{4, 4};
    if (::setrlimit(RLIMIT_FSIZE, &least) != 0) return false;
    base::output_file file = base::output_file::open(folder / "results").value();
    auto there = base::shared_output::open(file.share().value());
    if (!there || there->write(0, "fits") != 0) return false;
    file.fail(there->write(4, "does not"));
    const status done = file.finish();
    return done.code() == exit_status::io_error && done.message().find("File too large") != std::string::npos;
  });
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace orujo
