// Command-line flags: gflags' registry with our own parsing, so that mistakes get one clear line and
// status 2.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "system/base/status.hpp"
#include "system/base/terminal.hpp"

namespace orujo {

// A condition on a flag's value, which is checked after parsing. A program whose flag breaks it exits with
// status 2 and names the flag and what is expected. Define the rule beside the flag, at namespace scope:
//   const orujo::flag_rule trials_rule("trials", [] { return FLAGS_trials >= 1; }, "at least 1");
class flag_rule {
 public:
  flag_rule(const char* flag, bool (*holds)(), const char* expected);
};

}  // namespace orujo

namespace orujo::internal::base {

// Flags that have an effect under a condition only. The condition is checked after parsing and after all
// rules. Define one beside them, at namespace scope.
//   const base::flag_need seed_need({"seed"}, [] { return FLAGS_source.empty(); }, "without
//   --source");
class flag_need {
 public:
  // Without a condition the program ignores the flags, which come from a library that it is linked with, and
  // --help hides them. Names of flags that the program does not have are skipped.
  flag_need(std::initializer_list<const char*> flags, bool (*holds)() = nullptr, const char* when = "");
};

// Any thread, after parsing. A usage error where one of these flags is not at its default: it has no effect,
// or one only `when`, such as "with --layout=random".
status refuse_without_effect(std::initializer_list<const char*> flags, const char* when = "");

// Another name of a flag, which programs without that flag do not have. --help shows it with the flag. Two
// names of one flag with two values are a usage error. Define one beside the flag, at namespace scope.
//   const base::flag_alias undirected("undirected", "symmetrize");
class flag_alias {
 public:
  enum meaning { same, opposite };  // opposite: of a switch
  flag_alias(const char* name, const char* flag, meaning means = same);
};

// Names flags of texts auto, yes and no that may stand as switches do: --header is yes, --noheader is no, and
// so are true, 1, false and 0. A flag_rule checks the text. Define one beside them, at namespace scope.
class switch_texts {
 public:
  switch_texts(std::initializer_list<const char*> names);
};

// Flags by name, with values as text.
using flag_values = std::vector<std::pair<std::string, std::string>>;

struct parsed_flags {
  bool help = false;  // --help or --helpfull was given and help_text should be shown
  bool help_full = false;
  bool version = false;                // --version was given
  std::vector<std::string> arguments;  // what is no flag
};

// Reads --flag=value, --flag value, --flag and --noflag (booleans), one dash or two, until "--". Unknown
// flags, values that are not of the flag's type, break its rule or have no effect (flag_need) are usage
// errors that name the flag and what would be right. `replaced`, where it is given, gets what the flags that
// are set had before, also when a later one is a mistake.
result<parsed_flags> parse_flags(int argc, const char* const* argv, flag_values* replaced = nullptr);

// Gives them these values back, the last one first.
void restore_flags(const flag_values& replaced);

// Names flags that change reports, and not results. Define one beside them, at namespace scope.
class telling_flags {
 public:
  telling_flags(std::initializer_list<const char*> names);
};

// Names flags of the libraries that --help shows; the others are left to --helpfull. Define one beside them,
// at namespace scope.
class everyday_flags {
 public:
  everyday_flags(std::initializer_list<const char*> names);
};

// The program's own flags, which no library has, with their values by name; telling_flags are left out. Equal
// flags mean equal results. Call it after parsing.
std::vector<std::pair<std::string, std::string>> flags_of_program();

// The text of --help: the application's flags first, then the everyday_flags of framework and runtime. With
// `full` it has all flags, also those of other libraries. Lines are wrapped (terminal.hpp).
std::string help_text(const std::string& usage, bool full, std::size_t width = any_width);

// The project's flags with their effective values, one a line.
std::string settings_text();

}  // namespace orujo::internal::base
