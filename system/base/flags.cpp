#include "system/base/flags.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace orujo::base {
namespace {

struct rule {
  std::string flag;
  bool (*holds)();
  std::string expected;
};

std::vector<rule>& rules() {
  static std::vector<rule> all;
  return all;
}

struct need {
  std::vector<std::string> flags;
  bool (*holds)();  // null: never
  std::string when;
};

std::vector<need>& needs() {
  static std::vector<need> all;
  return all;
}

std::vector<std::string>& names_of_telling_flags() {
  static std::vector<std::string> all;
  return all;
}

std::vector<std::string>& names_of_everyday_flags() {
  static std::vector<std::string> all;
  return all;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class T>
bool is_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns an empty string if `value` has the flag's type, otherwise a description of that type.
std::string type_mistake(const std::string& type, std::string_view value) {
  if (type == "bool") {
    const bool known = value == "true" || value == "false" || value == "1" || value == "0" ||
                       value == "yes" || value == "no";
    return known ? "" : "true or false";
  }
  if (type == "int32") return is_number<std::int32_t>(value) ? "" : "an integer of 32 bits";
  if (type == "uint32") return is_number<std::uint32_t>(value) ? "" : "an integer from 0 to 2^32-1";
  if (type == "int64") return is_number<std::int64_t>(value) ? "" : "an integer";
  if (type == "uint64") return is_number<std::uint64_t>(value) ? "" : "an integer, at least 0";
  if (type == "double") return is_number<double>(value) ? "" : "a number";
  return "";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

// gflags prints 0.85 as 0.84999999999999998.
std::string shortest(const std::string& type, const std::string& value) {
  return type == "double" ? fmt::format("{}", std::strtod(value.c_str(), nullptr)) : value;
}

// The flags that gflags itself defines (--flagfile, --fromenv, --version, ...) read files, exit or do
// nothing, each in its own way; they are not offered.
bool is_offered(const gflags::CommandLineFlagInfo& flag) {
  const std::string_view file = flag.filename;
  return file.substr(file.rfind('/') + 1).substr(0, 6) != "gflags";
}

// Sorted by name, because gflags' own order depends on where the sources lay when they were compiled.
std::vector<gflags::CommandLineFlagInfo> offered_flags() {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  std::erase_if(all, [](const auto& flag) { return !is_offered(flag); });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

bool find_flag(const std::string& name, gflags::CommandLineFlagInfo& info) {
  return gflags::GetCommandLineFlagInfo(name.c_str(), &info) && is_offered(info);
}

status unknown_flag(const std::string& name) {
  std::string nearest;
  std::size_t least = name.size() / 3 + 2;
  for (const auto& flag : offered_flags()) {
    const std::size_t distance = edit_distance(name, flag.name);
    if (distance < least) {
      least = distance;
      nearest = flag.name;
    }
  }
  return {exit_status::usage,
          fmt::format("unknown flag --{}{}; --help lists the flags", name,
                      nearest.empty() ? "" : fmt::format(", did you mean --{}?", nearest))};
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
  root.remove_suffix(std::string_view("system/base/flags.cpp").size());
  return file.starts_with(root) ? file.substr(root.size()) : std::string_view();
}

area area_of(const gflags::CommandLineFlagInfo& flag) {
  if (std::find(std::begin(flags_of_glog), std::end(flags_of_glog), flag.name) != std::end(flags_of_glog))
    return area::other;
  const std::string_view place = place_in_tree(flag.filename);
  if (place.starts_with("framework/")) return area::framework;
  return place.starts_with("system/") ? area::runtime : area::application;
}

status check_need(const std::vector<std::string>& flags, std::string_view when) {
  for (const std::string& name : flags) {
    gflags::CommandLineFlagInfo info;
    if (!find_flag(name, info) || info.current_value == info.default_value) continue;
    return {exit_status::usage,
            fmt::format("--{}={} has {}{}: remove it", name, info.current_value,
                        when.empty() ? "no effect in this program" : "an effect only ", when)};
  }
  return {};
}

bool is_never_used(const std::string& name) {
  return std::ranges::any_of(needs(), [&](const need& n) { return !n.holds && is_among(n.flags, name); });
}

status set_flag(const std::string& name, const std::string& value, const std::string& type) {
  const std::string expected = type_mistake(type, value);
  if (!expected.empty()) {
    return {exit_status::usage, fmt::format("--{}={}: expected {}", name, value, expected)};
  }
  if (gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty()) {
    return {exit_status::usage, fmt::format("--{}={}: not a valid value; see --help", name, value)};
  }
  return {};
}

}  // namespace

flag_need::flag_need(std::initializer_list<const char*> flags, bool (*holds)(), const char* when) {
  needs().push_back({{flags.begin(), flags.end()}, holds, when});
}

status refuse_without_effect(std::initializer_list<const char*> flags, const char* when) {
  return check_need({flags.begin(), flags.end()}, when);
}

result<parsed_flags> parse_flags(int argc, const char* const* argv, flag_values* replaced) {
  parsed_flags parsed;
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    if (argument == "--") {
      parsed.arguments.insert(parsed.arguments.end(), argv + k + 1, argv + argc);
      break;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      parsed.arguments.push_back(argument);
      continue;
    }
    argument.erase(0, argument[1] == '-' ? 2 : 1);
    const std::size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "help" || name == "h" || name == "helpfull") {
      parsed.help = true;
      parsed.help_full = name == "helpfull";
      continue;
    }
    if (name == "version") {
      parsed.version = true;
      continue;
    }
    gflags::CommandLineFlagInfo info;
    bool known = find_flag(name, info);
    bool negated = false;
    if (!known && name.starts_with("no") && equals == std::string::npos) {
      negated = known = find_flag(name.substr(2), info) && info.type == "bool";
    }
    if (!known) return unknown_flag(name);
    std::string value = negated ? "false" : "true";
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (info.type != "bool") {
      if (k + 1 == argc) return status(exit_status::usage, fmt::format("--{} requires a value", name));
      value = argv[++k];
    }
    if (replaced) replaced->emplace_back(info.name, info.current_value);
    if (status set = set_flag(info.name, value, info.type); !set.ok()) return set;
  }
  for (const rule& r : rules()) {
    if (r.holds()) continue;
    std::string value;
    gflags::GetCommandLineOption(r.flag.c_str(), &value);
    return status(exit_status::usage, fmt::format("--{}={}: must be {}", r.flag, value, r.expected));
  }
  for (const need& n : needs()) {
    if (n.holds && n.holds()) continue;
    if (status deaf = check_need(n.flags, n.when); !deaf.ok()) return deaf;
  }
  return parsed;
}

void restore_flags(const flag_values& replaced) {
  for (std::size_t k = replaced.size(); k > 0; --k)
    gflags::SetCommandLineOption(replaced[k - 1].first.c_str(), replaced[k - 1].second.c_str());
}

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

std::string help_text(const std::string& usage, bool full) {
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
      text +=
          fmt::format("  --{} ({}, default {})\n      {}\n", flag.name, flag.type, shown, flag.description);
    }
  }
  if (left_out > 0)
    text += fmt::format("\n--helpfull shows {} more, of placement, messages and the like.\n", left_out);
  return text;
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

}  // namespace orujo::base

namespace orujo {

flag_rule::flag_rule(const char* flag, bool (*holds)(), const char* expected) {
  base::rules().push_back({flag, holds, expected});
}

}  // namespace orujo
