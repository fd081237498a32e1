// Flags that name files, over every way in which two paths lead to one file.
#include "system/files/file_flags.hpp"

#include <fcntl.h>
#include <gflags/gflags.h>

#include "tests/system/base/scratch_folder.hpp"

DEFINE_string(file_flags_test_input, "", "read");
DEFINE_string(file_flags_test_list, "", "files that are read, with commas between");
DEFINE_string(file_flags_test_output, "", "written");
DEFINE_string(file_flags_test_report, "", "written, too");

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of_list(const std::string& value) {
  std::vector<std::string> files;
  std::size_t at = 0;
  for (std::size_t end; (end = value.find(',', at)) != value.npos; at = end + 1)
    files.push_back(value.substr(at, end - at));
  files.push_back(value.substr(at));
  return files;
}

const files::file_flag input("file_flags_test_input", files::file_flag::read);
const files::file_flag list("file_flags_test_list", files::file_flag::read, &files_of_list);
const files::file_flag flag_of_output("file_flags_test_output", files::file_flag::written);
const files::file_flag report("file_flags_test_report", files::file_flag::written);

constexpr const char* both_inputs =
    "--file_flags_test_input and --file_flags_test_output name the same file: use two files";
constexpr const char* both_outputs =
    "--file_flags_test_output and --file_flags_test_report name the same file: use two files";

class file_flags : public testing::Test {
 protected:
  file_flags() {
    fs::create_directories(folder_ / "data/deep");
    for (const char* name : {"data/a", "data/deep/b", "c"}) std::ofstream(folder_ / name) << name;
  }
  // The error about them, or an empty string.
  static std::string mistake(const std::string& read, const std::string& written,
                             const std::string& reported = "", const std::string& listed = "") {
    const gflags::FlagSaver saved;
    FLAGS_file_flags_test_input = read;
    FLAGS_file_flags_test_list = listed;
    FLAGS_file_flags_test_output = written;
    FLAGS_file_flags_test_report = reported;
    const status found = files::check_file_flags();
    EXPECT_TRUE(found.ok() || found.code() == exit_status::usage);
    return found.message();
  }
  scratch_folder folder_;
  const std::string a_ = folder_ / "data/a", c_ = folder_ / "c";
};

TEST_F(file_flags, that_name_different_files_are_well) {
  EXPECT_EQ(mistake(a_, c_, folder_ / "data/deep/b"), "");
  EXPECT_EQ(mistake(a_, folder_ / "data/new", folder_ / "new"), "");
  EXPECT_EQ(mistake(a_, "", "", a_ + "," + a_), "") << "a file may be read twice";
  EXPECT_EQ(mistake("", "", ""), "");
  EXPECT_EQ(mistake(folder_ / "none", folder_ / "none/x"), "");
}

TEST_F(file_flags, that_name_one_file_by_any_path_are_a_mistake) {
  fs::create_symlink("a", folder_ / "data/soft");
  fs::create_hard_link(a_, folder_ / "hard");
  fs::create_directory_symlink("data", folder_ / "elsewhere");
  for (const char* name :
       {"data/a", "data/../data/./a", "data/soft", "hard", "elsewhere/a", "elsewhere/soft"}) {
    EXPECT_EQ(mistake(a_, folder_ / name), both_inputs) << name;
    EXPECT_EQ(mistake(folder_ / name, a_), both_inputs) << name;
    EXPECT_EQ(mistake("", a_, folder_ / name), both_outputs) << name;
  }
  const int open_file = ::open(a_.c_str(), O_RDONLY | O_CLOEXEC);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"})
    EXPECT_EQ(mistake(folder + std::to_string(open_file), a_), both_inputs) << folder;
  ::close(open_file);
}

TEST_F(file_flags, that_name_one_file_to_be_made_are_a_mistake) {
  fs::create_symlink("new", folder_ / "data/soft");
  fs::create_directory_symlink("data", folder_ / "elsewhere");
  for (const char* name : {"data/new", "data/deep/../new", "data/soft", "elsewhere/new"})
    EXPECT_EQ(mistake("", folder_ / "data/new", folder_ / name), both_outputs) << name;
  EXPECT_EQ(mistake("", folder_ / "data/new", folder_ / "new"), "");
}

TEST_F(file_flags, that_name_stdout_twice_are_a_mistake) {
  EXPECT_EQ(mistake("", "-", "-"), both_outputs);
  EXPECT_EQ(mistake("", "-", "/dev/stdout"), both_outputs);
  EXPECT_EQ(mistake("", "/dev/stderr", "/dev/stdout"), "");
  EXPECT_EQ(mistake("", "/dev/null", "/dev/null"), "") << "a device takes all";
}

TEST_F(file_flags, that_name_a_directory_stand_for_all_in_it) {
  const std::string data = folder_ / "data";
  for (const char* name : {"data/a", "data/deep/b"})
    EXPECT_EQ(mistake(data, folder_ / name), both_inputs) << name;
  for (const char* name : {"data/new", "data/deep/new"})
    EXPECT_NE(mistake(data, folder_ / name).find("is in the directory that --file_flags_test_input names"),
              std::string::npos)
        << name;
  EXPECT_EQ(mistake(data, data), both_inputs);
  EXPECT_EQ(mistake(data, c_), "");
  EXPECT_EQ(mistake(folder_ / "data/deep", a_), "");
}

TEST_F(file_flags, that_name_a_directory_stand_for_what_its_links_lead_to) {
  fs::create_symlink("../c", folder_ / "data/0_link");
  fs::create_symlink("nowhere", folder_ / "data/0_dangling");
  fs::create_hard_link(c_, folder_ / "data/deep/hard");
  EXPECT_EQ(mistake(folder_ / "data", c_), both_inputs);
  fs::remove(folder_ / "data/0_link");
  EXPECT_EQ(mistake(folder_ / "data", c_), both_inputs);
  EXPECT_EQ(mistake(folder_ / "data", folder_ / "data/0_dangling"), both_inputs);
}

TEST_F(file_flags, may_stand_for_several_files) {
  const std::string several = c_ + "," + folder_ / "data";
  for (const char* name : {"c", "data/a", "data/new"})
    EXPECT_NE(mistake("", folder_ / name, "", several), "") << name;
  EXPECT_EQ(mistake("", folder_ / "new", "", several), "");
}

}  // namespace
}  // namespace orujo::internal
