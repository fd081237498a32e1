#include "system/base/flags.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "system/base/flag_registry.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::base {
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

std::vector<std::string>& names_of_switch_texts() {
  static std::vector<std::string> all;
  return all;
}

// The flags that gflags itself defines (--flagfile, --fromenv, --version, ...) read files, exit or do
// nothing, each in its own way; they are not offered.
bool is_offered(const gflags::CommandLineFlagInfo& flag) {
  const std::string_view file = flag.filename;
  return file.substr(file.rfind('/') + 1).substr(0, 6) != "gflags";
}

// Returns an empty string if `value` has the flag's type, otherwise a description of that type.
std::string type_mistake(const std::string& type, std::string_view value) {
  if (type == "bool") {
    const bool known = value == "true" || value == "false" || value == "1" || value == "0" ||
                       value == "yes" || value == "no";
    return known ? "" : "true or false";
  }
  if (type == "int32") return number_of<std::int32_t>(value) ? "" : "an integer of 32 bits";
  if (type == "uint32") return number_of<std::uint32_t>(value) ? "" : "an integer from 0 to 2^32-1";
  if (type == "int64") return number_of<std::int64_t>(value) ? "" : "an integer";
  if (type == "uint64") return number_of<std::uint64_t>(value) ? "" : "an integer, at least 0";
  if (type == "double") return number_of<double>(value) ? "" : "a number";
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

bool find_flag(const std::string& name, gflags::CommandLineFlagInfo& info) {
  return gflags::GetCommandLineFlagInfo(name.c_str(), &info) && is_offered(info);
}

status unknown_flag(const std::string& name) {
  std::string nearest;
  std::size_t least = name.size() / 3 + 2;
  const auto compare = [&](const std::string& known) {
    const std::size_t distance = edit_distance(name, known);
    if (distance >= least) return;
    least = distance;
    nearest = known;
  };
  for (const auto& flag : detail::offered_flags()) compare(flag.name);
  for (const detail::alias& a : detail::aliases()) {
    if (gflags::CommandLineFlagInfo flag; find_flag(a.flag, flag)) compare(a.name);
  }
  return {exit_status::usage,
          fmt::format("unknown flag --{}{}; --help lists the flags", name,
                      nearest.empty() ? "" : fmt::format(", did you mean --{}?", nearest))};
}

bool is_switch_text(std::string_view text) { return text == "auto" || text == "yes" || text == "no"; }

// A flag as a command line names it.
struct spelling {
  gflags::CommandLineFlagInfo flag;
  bool opposite = false;        // the value is negated
  bool is_switch_text = false;  // its values are auto, yes and no
  bool is_switch() const { return is_switch_text || flag.type == "bool"; }

  // The value that the text stands for.
  std::string value_of(const std::string& text) const {
    const bool yes = text == "true" || text == "1" || text == "yes";
    const bool no = text == "false" || text == "0" || text == "no";
    if (!is_switch() || !(yes || no)) return text;
    if (is_switch_text) return yes != opposite ? "yes" : "no";
    return opposite ? (yes ? "false" : "true") : text;
  }
};

std::optional<spelling> find_name(const std::string& name) {
  spelling found;
  bool known = find_flag(name, found.flag);
  for (const detail::alias& a : detail::aliases()) {
    if (known || a.name != name || !find_flag(a.flag, found.flag)) continue;
    known = true;
    found.opposite = a.opposite;
  }
  if (!known) return {};
  found.is_switch_text = detail::is_among(names_of_switch_texts(), found.flag.name);
  return found;
}

// alone: without a value, so that it may be the negation of a switch.
std::optional<spelling> find_spelling(const std::string& name, bool alone) {
  auto found = find_name(name);
  if (found || !alone || !name.starts_with("no")) return found;
  found = find_name(name.substr(2));
  if (!found || !found->is_switch()) return {};
  found->opposite = !found->opposite;
  return found;
}

// The values of flags, each with the name that gave it.
class given_values {
 public:
  // Fails if two names of one flag give it two values.
  status add(const std::string& flag, const std::string& name, const std::string& value) {
    const auto [at, is_new] = all_.try_emplace(flag, name, value);
    const auto& [before, same] = at->second;
    const bool is_alias = name_of(before) != name_of(name);
    if (!is_new && is_alias && same != value)
      return {exit_status::usage,
              fmt::format("--{} and --{} contradict each other: remove one", before, name)};
    at->second = {name, value};
    return {};
  }

 private:
  static std::string name_of(const std::string& given) {
    return !find_name(given) && given.starts_with("no") ? given.substr(2) : given;
  }
  std::map<std::string, std::pair<std::string, std::string>> all_;
};

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
  given_values given;
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
    const auto found = find_spelling(name, equals == std::string::npos);
    if (!found) return unknown_flag(name);
    const gflags::CommandLineFlagInfo& info = found->flag;
    std::string value = "true";
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (found->is_switch_text && k + 1 < argc && is_switch_text(argv[k + 1])) {
      value = argv[++k];
    } else if (!found->is_switch()) {
      if (k + 1 == argc) return status(exit_status::usage, fmt::format("--{} requires a value", name));
      value = argv[++k];
    }
    value = found->value_of(value);
    if (status twice = given.add(info.name, name, value); !twice.ok()) return twice;
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

flag_alias::flag_alias(const char* name, const char* flag, meaning means) {
  detail::aliases().push_back({name, flag, means == opposite});
}

switch_texts::switch_texts(std::initializer_list<const char*> names) {
  names_of_switch_texts().insert(names_of_switch_texts().end(), names.begin(), names.end());
}

void restore_flags(const flag_values& replaced) {
  for (std::size_t k = replaced.size(); k > 0; --k)
    gflags::SetCommandLineOption(replaced[k - 1].first.c_str(), replaced[k - 1].second.c_str());
}

namespace detail {

// gflags' own order depends on where the sources lay when they were compiled.
std::vector<gflags::CommandLineFlagInfo> offered_flags() {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  std::erase_if(all, [](const auto& flag) { return !is_offered(flag); });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

bool is_never_used(const std::string& name) {
  return std::ranges::any_of(needs(), [&](const need& n) { return !n.holds && is_among(n.flags, name); });
}

std::vector<alias>& aliases() {
  static std::vector<alias> all;
  return all;
}

}  // namespace detail
}  // namespace orujo::internal::base

namespace orujo {

flag_rule::flag_rule(const char* flag, bool (*holds)(), const char* expected) {
  internal::base::rules().push_back({flag, holds, expected});
}

}  // namespace orujo
