#include "system/files/file_flags.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "system/files/output_place.hpp"

namespace orujo::internal::files {
namespace {

namespace fs = std::filesystem;

struct declared_flag {
  std::string name;
  file_flag::role role;
  file_flag::files_of_value files;
};

std::vector<declared_flag>& declared_flags() {
  static std::vector<declared_flag> all;
  return all;
}

// The files and directories that a flag's value stands for.
struct named_files {
  std::string flag;
  std::vector<file_identity> files;
  std::vector<file_identity> directories;  // for reading
};

bool contains(const std::vector<file_identity>& files, const file_identity& wanted) {
  return std::any_of(files.begin(), files.end(), [&](const file_identity& f) { return f.is_same(wanted); });
}

// Readers report a directory that cannot be read.
void add_directory(const std::string& path, named_files& to) {
  to.directories.emplace_back(path);
  std::error_code error, missing;
  fs::recursive_directory_iterator at(path, fs::directory_options::follow_directory_symlink, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    auto& kind = at->is_directory(missing) ? to.directories : to.files;
    kind.emplace_back(at->path());
  }
}

named_files files_of(const declared_flag& flag) {
  named_files found{flag.name, {}, {}};
  std::string value;
  if (!gflags::GetCommandLineOption(flag.name.c_str(), &value) || value.empty()) return found;
  for (const std::string& path : flag.files ? flag.files(value) : std::vector{value}) {
    std::error_code missing;
    if (flag.role == file_flag::read && fs::is_directory(path, missing)) {
      add_directory(path, found);
    } else {
      found.files.emplace_back(path);
    }
  }
  return found;
}

std::vector<named_files> files_of_all(file_flag::role role) {
  std::vector<named_files> all;
  for (const declared_flag& flag : declared_flags()) {
    if (flag.role == role) all.push_back(files_of(flag));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.flag < b.flag; });
  return all;
}

status compare(const named_files& with, const named_files& written) {
  for (const file_identity& file : written.files) {
    if (contains(with.files, file) || contains(with.directories, file))
      return {exit_status::usage,
              fmt::format("--{} and --{} name the same file: use two files", with.flag, written.flag)};
    const auto folder = file.folder();
    if (folder && contains(with.directories, *folder))
      return {
          exit_status::usage,
          fmt::format("--{} is in the directory that --{} names, all of which is read: use a file elsewhere",
                      written.flag, with.flag)};
  }
  return {};
}

}  // namespace

file_flag::file_flag(const char* flag, role of, files_of_value files) {
  declared_flags().push_back({flag, of, files});
}

status check_file_flags() {
  const std::vector<named_files> written = files_of_all(file_flag::written);
  const bool any =
      std::any_of(written.begin(), written.end(), [](const auto& w) { return !w.files.empty(); });
  if (!any) return {};
  const std::vector<named_files> read = files_of_all(file_flag::read);
  for (std::size_t k = 0; k < written.size(); ++k) {
    for (const named_files& input : read) {
      if (status same = compare(input, written[k]); !same.ok()) return same;
    }
    for (std::size_t before = 0; before < k; ++before) {
      if (status same = compare(written[before], written[k]); !same.ok()) return same;
    }
  }
  return {};
}

}  // namespace orujo::internal::files
