// Flags of every type, defined here, set from command lines; all mistakes are usage errors.
#include "system/base/flags.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

DEFINE_bool(flags_test_switch, false, "a switch");
DEFINE_bool(flags_test_nothing, true, "a switch whose name begins with no after the prefix");
DEFINE_int32(flags_test_int, 1, "a number of 32 bits");
DEFINE_uint32(flags_test_unsigned, 1, "a number of 32 bits without sign");
DEFINE_int64(flags_test_long, 1, "a number of 64 bits");
DEFINE_uint64(flags_test_size, 1, "a number of 64 bits without sign");
DEFINE_double(flags_test_ratio, 1, "a number with a point");
DEFINE_string(flags_test_text, "plain", "a text");
DEFINE_int32(flags_test_percentage, 50, "a number with a rule");
DEFINE_int32(flags_test_validated, 50, "a number that gflags itself validates");
// Has an effect with the switch alone; and one that this program never looks at.
DEFINE_int32(flags_test_size_of_switch, 1, "with --flags_test_switch");
DEFINE_bool(flags_test_unused, false, "of a library");

DEFINE_string(flags_test_header, "auto", "a text of three that may stand as a switch");

static const bool validated_by_gflags = gflags::RegisterFlagValidator(
    &FLAGS_flags_test_validated, [](const char*, std::int32_t v) { return v != 13; });

namespace orujo::internal {
namespace {

const flag_rule percentage_rule(
    "flags_test_percentage",
    [] { return FLAGS_flags_test_percentage >= 0 && FLAGS_flags_test_percentage <= 100; }, "from 0 to 100");

const base::flag_need need_of_switch(
    {"flags_test_size_of_switch", "flags_that_nobody_has"}, [] { return FLAGS_flags_test_switch; },
    "with --flags_test_switch");
const base::flag_need unused({"flags_test_unused"});

const base::telling_flags told{"flags_test_switch"};
const base::everyday_flags everyday{"flags_test_b", "flags_test_c"};

const base::switch_texts switches{"flags_test_header"};
const base::flag_alias other("flags_test_other", "flags_test_text"), on("flags_test_on", "flags_test_switch"),
    off("flags_test_off", "flags_test_switch", base::flag_alias::opposite),
    of_none("qqqqqqqqqqqq", "flags_that_nobody_has");

// A flag as another part of the tree would define it.
template <class T>
struct foreign_flag {
  foreign_flag(const char* name, const char* help, const char* file) {
    gflags::FlagRegisterer(name, help, file, &current, &initial);
  }
  T current{}, initial{};
};
foreign_flag<std::int32_t> of_application("flags_test_a", "ours",
                                          ORUJO_SOURCE_DIR "/applications/pagerank.cpp");
foreign_flag<std::int32_t> of_framework("flags_test_b", "ours",
                                        ORUJO_SOURCE_DIR "/framework/graph/build/load.cpp");
foreign_flag<std::string> of_runtime("flags_test_c", "ours", ORUJO_SOURCE_DIR "/system/runtime/runtime.cpp");
// Programs of somebody's own, compiled by plain make too, in folders such as a library may have.
foreign_flag<bool> of_somebody("flags_test_d", "somebody's", "/home/a/collatz.cpp");
foreign_flag<std::int32_t> of_a_make("flags_test_e", "somebody's", "src/main.cpp");
foreign_flag<std::int32_t> of_a_dotted_make("flags_test_f", "somebody's", "./src/logging.cc");
foreign_flag<std::int32_t> of_a_system("flags_test_g", "somebody's", "/home/a/system/main.cpp");
foreign_flag<std::int32_t> of_a_plain_system("flags_test_h", "somebody's", "../system/main.cpp");

class flags : public testing::Test {
 protected:
  result<base::parsed_flags> parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "program");
    return base::parse_flags(static_cast<int>(arguments.size()), arguments.data());
  }
  void expect_parses(const std::vector<const char*>& arguments) {
    const auto parsed = parse(arguments);
    EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  }
  void expect_mistake(const std::vector<const char*>& arguments, const std::string& message) {
    const auto parsed = parse(arguments);
    EXPECT_EQ(parsed.status().code(), exit_status::usage);
    EXPECT_EQ(parsed.status().message(), message);
  }

 private:
  gflags::FlagSaver restored_after_the_test_;
};

TEST_F(flags, of_every_type_take_values) {
  expect_parses({"--flags_test_switch", "--flags_test_int=-2147483648", "--flags_test_unsigned=4294967295",
                 "--flags_test_long=-9223372036854775808", "--flags_test_size=18446744073709551615",
                 "--flags_test_ratio=-2.5e3", "--flags_test_text=a=b c"});
  EXPECT_TRUE(FLAGS_flags_test_switch);
  EXPECT_EQ(FLAGS_flags_test_int, -2147483647 - 1);
  EXPECT_EQ(FLAGS_flags_test_unsigned, 4294967295u);
  EXPECT_EQ(FLAGS_flags_test_long, -9223372036854775807 - 1);
  EXPECT_EQ(FLAGS_flags_test_size, 18446744073709551615u);
  EXPECT_EQ(FLAGS_flags_test_ratio, -2500.0);
  EXPECT_EQ(FLAGS_flags_test_text, "a=b c");
}

TEST_F(flags, take_the_next_argument_as_their_value) {
  expect_parses({"--flags_test_int", "-7", "--flags_test_text", "--flags_test_int"});
  EXPECT_EQ(FLAGS_flags_test_int, -7);
  EXPECT_EQ(FLAGS_flags_test_text, "--flags_test_int");
}

TEST_F(flags, may_have_one_dash_and_dashes_inside) {
  expect_parses({"-flags_test_int=3", "--flags-test-size=4"});
  EXPECT_EQ(FLAGS_flags_test_int, 3);
  EXPECT_EQ(FLAGS_flags_test_size, 4u);
}

TEST_F(flags, of_an_empty_text_are_possible) {
  expect_parses({"--flags_test_text="});
  EXPECT_EQ(FLAGS_flags_test_text, "");
}

TEST_F(flags, that_switch_can_be_negated) {
  expect_parses({"--flags_test_switch", "--noflags_test_nothing"});
  EXPECT_TRUE(FLAGS_flags_test_switch);
  EXPECT_FALSE(FLAGS_flags_test_nothing);
  for (const char* off : {"--noflags_test_switch", "--flags_test_switch=false", "--flags_test_switch=0",
                          "--flags_test_switch=no"}) {
    FLAGS_flags_test_switch = true;
    expect_parses({off});
    EXPECT_FALSE(FLAGS_flags_test_switch) << off;
  }
  for (const char* on : {"--flags_test_switch=true", "--flags_test_switch=1", "--flags_test_switch=yes"}) {
    FLAGS_flags_test_switch = false;
    expect_parses({on});
    EXPECT_TRUE(FLAGS_flags_test_switch) << on;
  }
}

TEST_F(flags, that_switch_do_not_take_the_next_argument) {
  const auto parsed = parse({"--flags_test_switch", "false"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_TRUE(FLAGS_flags_test_switch);
  EXPECT_EQ(parsed.value().arguments, std::vector<std::string>{"false"});
}

TEST_F(flags, the_last_of_one_name_wins) {
  expect_parses({"--flags_test_int=3", "--flags_test_int=4"});
  EXPECT_EQ(FLAGS_flags_test_int, 4);
}

TEST_F(flags, unknown_are_mistakes_that_suggest_a_near_name) {
  expect_mistake({"--flags_test_rato=3"},
                 "unknown flag --flags_test_rato, did you mean --flags_test_ratio?; --help lists the flags");
  expect_mistake(
      {"--flags_test_unsignet", "3"},
      "unknown flag --flags_test_unsignet, did you mean --flags_test_unsigned?; --help lists the flags");
  expect_mistake({"--qqqqqqqqqqqq"}, "unknown flag --qqqqqqqqqqqq; --help lists the flags");
}

TEST_F(flags, that_are_no_switches_cannot_be_negated) {
  for (const char* argument : {"--noflags_test_int", "--noflags_test_switch=true"}) {
    EXPECT_EQ(parse({argument}).status().code(), exit_status::usage) << argument;
  }
  EXPECT_EQ(FLAGS_flags_test_int, 1);
  EXPECT_FALSE(FLAGS_flags_test_switch);
}

TEST_F(flags, without_a_value_are_mistakes) {
  expect_mistake({"--flags_test_int"}, "--flags_test_int requires a value");
  expect_mistake({"--flags_test_text"}, "--flags_test_text requires a value");
}

TEST_F(flags, with_a_value_of_another_type_are_mistakes) {
  const struct {
    const char *flag, *expected;
    std::vector<const char*> values;
  } cases[] = {
      {"flags_test_switch", "true or false", {"", "2", "maybe", "TRUE "}},
      {"flags_test_int",
       "an integer of 32 bits",
       {"", "x", "1x", " 1", "1.5", "0x10", "2147483648", "-2147483649"}},
      {"flags_test_unsigned", "an integer from 0 to 2^32-1", {"", "-1", "4294967296", "1e3", "ten"}},
      {"flags_test_long", "an integer", {"", "9223372036854775808", "-9223372036854775809", "--5", "1 "}},
      {"flags_test_size", "an integer, at least 0", {"", "-1", "18446744073709551616", "1k"}},
      {"flags_test_ratio", "a number", {"", "half", "1.5.", "1,5", "1e999"}},
  };
  for (const auto& c : cases) {
    for (const char* value : c.values) {
      const std::string argument = std::string("--") + c.flag + "=" + value;
      expect_mistake({argument.c_str()}, argument + ": expected " + c.expected);
    }
  }
}

TEST_F(flags, that_gflags_finds_invalid_are_mistakes) {
  ASSERT_TRUE(validated_by_gflags);
  expect_mistake({"--flags_test_validated=13"}, "--flags_test_validated=13: not a valid value; see --help");
}

TEST_F(flags, that_break_their_rule_are_mistakes) {
  for (const char* good : {"--flags_test_percentage=0", "--flags_test_percentage=100"}) expect_parses({good});
  for (const char* bad : {"--flags_test_percentage=-1", "--flags_test_percentage=101"}) {
    expect_mistake({bad}, std::string(bad) + ": must be from 0 to 100");
  }
}

TEST_F(flags, are_checked_against_rules_after_all_are_set) {
  expect_parses({"--flags_test_percentage=101", "--flags_test_percentage=7"});
  EXPECT_EQ(FLAGS_flags_test_percentage, 7);
}

TEST_F(flags, that_have_no_effect_are_mistakes) {
  expect_mistake({"--flags_test_size_of_switch=2"},
                 "--flags_test_size_of_switch=2 has an effect only with --flags_test_switch: remove it");
  expect_parses({"--flags_test_size_of_switch=2", "--flags_test_switch"});
  expect_parses({"--flags_test_size_of_switch=1", "--flags_test_switch=false"});  // as it is anyway
  expect_mistake({"--flags_test_unused"},
                 "--flags_test_unused=true has no effect in this program: remove it");
  const std::string text = base::help_text("Does something.", true);
  EXPECT_NE(text.find("--flags_test_size_of_switch "), std::string::npos);
  EXPECT_EQ(text.find("--flags_test_unused "), std::string::npos);
}

TEST_F(flags, have_other_names) {
  expect_parses({"--flags_test_other=x"});
  EXPECT_EQ(FLAGS_flags_test_text, "x");
  for (const char* yes :
       {"--flags_test_on", "--flags-test-on=true", "--flags_test_off=no", "--noflags_test_off"}) {
    FLAGS_flags_test_switch = false;
    expect_parses({yes});
    EXPECT_TRUE(FLAGS_flags_test_switch) << yes;
  }
  for (const char* no :
       {"--flags_test_off", "--noflags_test_on", "--flags_test_on=0", "--flags_test_off=1"}) {
    FLAGS_flags_test_switch = true;
    expect_parses({no});
    EXPECT_FALSE(FLAGS_flags_test_switch) << no;
  }
  expect_parses({"--flags_test_on", "--flags_test_switch"});
  expect_mistake({"--flags_test_switch", "--flags_test_off"},
                 "--flags_test_switch and --flags_test_off contradict each other: remove one");
  expect_mistake({"--flags_test_text=a", "--flags_test_other=b"},
                 "--flags_test_text and --flags_test_other contradict each other: remove one");
  expect_mistake({"--flags_test_off=maybe"}, "--flags_test_switch=maybe: expected true or false");
  expect_mistake({"--qqqqqqqqqqqq=1"}, "unknown flag --qqqqqqqqqqqq; --help lists the flags");
  expect_mistake({"--flags_test_othe=1"},
                 "unknown flag --flags_test_othe, did you mean --flags_test_other?; --help lists the flags");
  const std::string text = base::help_text("Does something.", false);
  EXPECT_NE(text.find("      a text (also --flags_test_other)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("      a switch (also --flags_test_on; --flags_test_off: the opposite)\n"),
            std::string::npos)
      << text;
}

TEST_F(flags, of_three_texts_may_stand_as_switches) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--flags_test_header"}, "yes"},         {{"--noflags_test_header"}, "no"},
      {{"--flags_test_header=true"}, "yes"},    {{"--flags_test_header=0"}, "no"},
      {{"--flags_test_header=auto"}, "auto"},   {{"--flags_test_header", "no"}, "no"},
      {{"--flags_test_header=maybe"}, "maybe"}, {{"--flags_test_header", "file"}, "yes"}};
  for (const auto& [arguments, value] : cases) {
    std::vector<const char*> words;
    for (const std::string& word : arguments) words.push_back(word.c_str());
    words.insert(words.begin(), "program");
    EXPECT_TRUE(base::parse_flags(static_cast<int>(words.size()), words.data()).ok());
    EXPECT_EQ(FLAGS_flags_test_header, value) << arguments.front();
  }
}

TEST_F(flags, end_at_two_dashes) {
  const auto parsed =
      parse({"one", "--flags_test_int=5", "-", "--", "--flags_test_int=6", "--", "--unknown"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().arguments,
            (std::vector<std::string>{"one", "-", "--flags_test_int=6", "--", "--unknown"}));
  EXPECT_EQ(FLAGS_flags_test_int, 5);
}

TEST_F(flags, are_all_as_before_without_arguments) {
  const auto parsed = parse({});
  ASSERT_TRUE(parsed.ok());
  EXPECT_FALSE(parsed.value().help);
  EXPECT_TRUE(parsed.value().arguments.empty());
  EXPECT_EQ(FLAGS_flags_test_int, 1);
}

TEST_F(flags, ask_for_help) {
  for (const char* argument : {"--help", "-help", "-h"}) {
    const auto parsed = parse({"--flags_test_int=2", argument});
    ASSERT_TRUE(parsed.ok());
    EXPECT_TRUE(parsed.value().help) << argument;
    EXPECT_FALSE(parsed.value().help_full) << argument;
  }
  const auto parsed = parse({"--helpfull"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_TRUE(parsed.value().help && parsed.value().help_full);
  const auto version = parse({"--version"});
  ASSERT_TRUE(version.ok());
  EXPECT_TRUE(version.value().version && !version.value().help);
  expect_mistake({"--help", "--flags_test_int=x"}, "--flags_test_int=x: expected an integer of 32 bits");
}

// Fails unless the pieces are in the text, in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& pieces) {
  std::size_t at = 0;
  for (const std::string& piece : pieces) {
    const std::size_t found = text.find(piece, at);
    ASSERT_NE(found, std::string::npos)
        << '"' << piece << "\" is missing, or not after the one before it, in\n"
        << text;
    at = found + piece.size();
  }
}

TEST_F(flags, are_listed_with_what_matters_first) {
  const std::string text = base::help_text("Does something.", false);
  EXPECT_TRUE(text.starts_with("Does something.\n"));
  expect_in_order(
      text,
      {"\nFlags of this application:\n", "  --flags_test_a (int32, default 0)\n      ours\n",
       "  --flags_test_d (bool, default false)\n      somebody's\n",
       "  --flags_test_e (int32, default 0)\n      somebody's\n", "  --flags_test_f ", "  --flags_test_g ",
       "  --flags_test_h ", "  --flags_test_text ", "\nFlags of the graph framework:\n",
       "  --flags_test_b (int32, default 0)\n      ours\n", "\nFlags of the runtime:\n",
       "  --flags_test_c (string, default \"\")\n      ours\n", "\n--helpfull shows "});
  for (const char* other : {"--logbufsecs", "Flags of the libraries"})
    EXPECT_EQ(text.find(other), std::string::npos) << other;
}

TEST_F(flags, of_libraries_are_listed_last_and_only_in_full_help) {
  expect_in_order(
      base::help_text("Does something.", true),
      {"--flags_test_a ",
       "  --flags_test_text (string, default \"plain\")\n      a text (also --flags_test_other)\n",
       "--flags_test_b ", "--flags_test_c ", "\nFlags of the libraries:\n",
       "  --logbufsecs (int32, default 30)\n", "  --logtostderr "});
}

TEST_F(flags, of_the_program_are_those_that_no_library_has) {
  expect_parses({"--flags_test_int=12", "--flags_test_a=7"});
  const auto found = base::flags_of_program();
  const auto has = [&](const char* name, const char* value) {
    return std::count(found.begin(), found.end(), std::pair<std::string, std::string>(name, value)) == 1;
  };
  EXPECT_TRUE(has("flags_test_int", "12"));
  EXPECT_TRUE(has("flags_test_a", "7"));
  for (const char* somebodys : {"flags_test_e", "flags_test_f", "flags_test_g", "flags_test_h"})
    EXPECT_TRUE(has(somebodys, "0")) << somebodys;
  EXPECT_TRUE(has("flags_test_ratio", "1"));
  const std::vector<std::string> others = {
      "flags_test_switch", "checkpoint_dir", "resume", "cores", "overlap", "v"};
  for (const auto& [name, value] : found)
    EXPECT_EQ(std::count(others.begin(), others.end(), name), 0) << name;
}

TEST_F(flags, show_their_effective_values) {
  expect_parses({"--flags_test_int=12"});
  const std::string text = base::settings_text();
  EXPECT_NE(text.find("  --flags_test_int=12  (set)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  --flags_test_text=plain\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("--logbufsecs"), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal
