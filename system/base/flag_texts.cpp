// The texts that --help and --print_settings show.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "system/base/flag_registry.hpp"
#include "system/base/flags.hpp"
#include "system/base/terminal.hpp"

namespace orujo::internal::base {
namespace {

using detail::is_among, detail::is_never_used, detail::offered_flags;

std::vector<std::string>& names_of_telling_flags() {
  static std::vector<std::string> all;
  return all;
}

std::vector<std::string>& names_of_everyday_flags() {
  static std::vector<std::string> all;
  return all;
}

// gflags prints 0.85 as 0.84999999999999998.
std::string shortest(const std::string& type, const std::string& value) {
  return type == "double" ? fmt::format("{}", std::strtod(value.c_str(), nullptr)) : value;
}

enum class area { application, framework, runtime, other };

// The flags of glog 0.4 to 0.7. Packaged builds of glog name their sources "./src/logging.cc", a path that a
// program of a user may have, too.
constexpr std::string_view flags_of_glog[] = {"alsologtoemail",
                                              "alsologtostderr",
                                              "colorlogtostderr",
                                              "colorlogtostdout",
                                              "drop_log_memory",
                                              "log_backtrace_at",
                                              "log_dir",
                                              "log_file_header",
                                              "log_link",
                                              "log_prefix",
                                              "log_utc_time",
                                              "log_year_in_prefix",
                                              "logbuflevel",
                                              "logbufsecs",
                                              "logcleansecs",
                                              "logemaillevel",
                                              "logfile_mode",
                                              "logmailer",
                                              "logtostderr",
                                              "logtostdout",
                                              "max_log_size",
                                              "minloglevel",
                                              "stderrthreshold",
                                              "stop_logging_if_full_disk",
                                              "symbolize_stacktrace",
                                              "timestamp_in_logfile_name",
                                              "v",
                                              "vmodule"};

// The path of a source in this project's tree. It is empty for other sources, such as those of a user's
// program, whose folders may have the same names. All libraries are compiled from one directory, as this file
// is.
std::string_view place_in_tree(std::string_view file) {
  std::string_view root = __FILE__;
  root.remove_suffix(std::string_view("system/base/flag_texts.cpp").size());
  return file.starts_with(root) ? file.substr(root.size()) : std::string_view();
}

area area_of(const gflags::CommandLineFlagInfo& flag) {
  if (std::find(std::begin(flags_of_glog), std::end(flags_of_glog), flag.name) != std::end(flags_of_glog))
    return area::other;
  const std::string_view place = place_in_tree(flag.filename);
  if (place.starts_with("framework/")) return area::framework;
  return place.starts_with("system/") ? area::runtime : area::application;
}

}  // namespace

telling_flags::telling_flags(std::initializer_list<const char*> names) {
  names_of_telling_flags().insert(names_of_telling_flags().end(), names.begin(), names.end());
}

everyday_flags::everyday_flags(std::initializer_list<const char*> names) {
  names_of_everyday_flags().insert(names_of_everyday_flags().end(), names.begin(), names.end());
}

std::vector<std::pair<std::string, std::string>> flags_of_program() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& flag : offered_flags()) {
    if (area_of(flag) != area::application || is_among(names_of_telling_flags(), flag.name)) continue;
    found.emplace_back(flag.name, shortest(flag.type, flag.current_value));
  }
  return found;
}

namespace {

// " (also --undirected; --directed: the opposite)"
std::string other_names_of(const std::string& flag) {
  std::string text;
  for (const detail::alias& a : detail::aliases()) {
    if (a.flag == flag)
      text +=
          fmt::format("{}--{}{}", text.empty() ? "also " : "; ", a.name, a.opposite ? ": the opposite" : "");
  }
  return text.empty() ? text : " (" + text + ")";
}

}  // namespace

std::string help_text(const std::string& usage, bool full, std::size_t width) {
  const std::vector<gflags::CommandLineFlagInfo> all = offered_flags();
  std::string text = usage + "\n";
  const char* titles[] = {"Flags of this application", "Flags of the graph framework", "Flags of the runtime",
                          "Flags of the libraries"};
  int left_out = 0;
  for (area a : {area::application, area::framework, area::runtime, area::other}) {
    bool titled = false;
    for (const auto& flag : all) {
      if (area_of(flag) != a || is_never_used(flag.name)) continue;
      if (!full && a != area::application && !is_among(names_of_everyday_flags(), flag.name)) {
        left_out += a == area::other ? 0 : 1;
        continue;
      }
      if (!std::exchange(titled, true)) text += fmt::format("\n{}:\n", titles[static_cast<int>(a)]);
      const std::string shown =
          flag.type == "string" ? '"' + flag.default_value + '"' : shortest(flag.type, flag.default_value);
      text += fmt::format("  --{} ({}, default {})\n      {}{}\n", flag.name, flag.type, shown,
                          flag.description, other_names_of(flag.name));
    }
  }
  if (left_out > 0)
    text += fmt::format("\n--helpfull shows {} more, of placement, messages and the like.\n", left_out);
  return wrapped(text, width);
}

std::string settings_text() {
  std::string text;
  for (const auto& flag : offered_flags()) {
    if (area_of(flag) == area::other) continue;
    text += fmt::format("  --{}={}{}\n", flag.name, shortest(flag.type, flag.current_value),
                        flag.is_default ? "" : "  (set)");
  }
  return text;
}

}  // namespace orujo::internal::base
