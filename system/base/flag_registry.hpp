// The flags of a program as flags.cpp and flag_texts.cpp both see them. For no others.
#pragma once

#include <gflags/gflags.h>

#include <algorithm>
#include <string>
#include <vector>

namespace orujo::internal::base::detail {

// The flags of the project and its libraries, sorted by name, without those that gflags itself defines.
std::vector<gflags::CommandLineFlagInfo> offered_flags();

// True if a flag_need says that the program ignores this flag.
bool is_never_used(const std::string& name);

// Another name of a flag (flag_alias).
struct alias {
  std::string name, flag;
  bool opposite;
};
std::vector<alias>& aliases();

inline bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace orujo::internal::base::detail
