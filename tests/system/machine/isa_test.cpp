#include "system/machine/isa.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <type_traits>

#include "system/base/flags.hpp"
#include "system/base/sanitizers.hpp"
#include "tests/system/machine/all_isa.hpp"

DECLARE_string(simd);

namespace orujo::internal::machine {
namespace {

TEST(runs, agrees_with_the_system) {
  std::ifstream file("/proc/cpuinfo");
  std::string line, flags;
  while (flags.empty() && std::getline(file, line)) {
    if (line.starts_with("flags")) flags = line + ' ';
  }
  const auto has = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (flags.find(std::string(" ") + name + " ") == std::string::npos) return false;
    }
    return true;
  };
#if defined(ORUJO_THREAD_SANITIZER)
  const bool avx2 = false;
#else
  const bool avx2 = has({"avx2", "bmi1", "bmi2", "abm"});
#endif
  EXPECT_TRUE(runs(instruction_set::scalar));
  EXPECT_EQ(runs(instruction_set::avx2), avx2);
  EXPECT_EQ(runs(instruction_set::avx512),
            avx2 && has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}));
}

TEST(with_isa, gives_the_tag_of_the_set) {
  const auto is_scalar = [](auto isa) { return std::is_same_v<decltype(isa), isa::scalar>; };
  EXPECT_TRUE(with_isa(instruction_set::scalar, is_scalar));
#if defined(__x86_64__) && !defined(ORUJO_THREAD_SANITIZER)
  EXPECT_FALSE(with_isa(instruction_set::avx2, is_scalar));
  const auto is_avx512 = [](auto isa) { return std::is_same_v<decltype(isa), isa::avx512>; };
  EXPECT_FALSE(with_isa(instruction_set::avx2, is_avx512));
  EXPECT_TRUE(with_isa(instruction_set::avx512, is_avx512));
#endif
}

TEST(compiled_for, returns_what_the_function_does) {
  for (const instruction_set set : test_isa::all()) {
    int calls = 0;
    EXPECT_EQ(compiled_for(set, [&] { return ++calls + 41; }), 42) << name_of(set);
    EXPECT_EQ(calls, 1);
  }
}

class simd_flag : public testing::Test {
 protected:
  status parse(const char* argument) {
    const char* arguments[] = {"program", argument};
    return base::parse_flags(2, arguments).status();
  }

 private:
  gflags::FlagSaver restored_after_the_test_;
};

TEST_F(simd_flag, chooses_the_instructions) {
  const instruction_set fastest = simd_from_flags();
  EXPECT_TRUE(runs(fastest));
  for (const instruction_set set : test_isa::all()) {
    EXPECT_TRUE(parse(("--simd=" + std::string(name_of(set))).c_str()).ok());
    EXPECT_EQ(simd_from_flags(), set);
  }
  EXPECT_TRUE(parse("--simd=auto").ok());
  EXPECT_EQ(simd_from_flags(), fastest);
}

TEST_F(simd_flag, must_name_instructions_that_the_processor_has) {
  EXPECT_EQ(parse("--simd=mmx").code(), exit_status::usage);
  EXPECT_EQ(parse("--simd=avx2").ok(), runs(instruction_set::avx2));
  EXPECT_EQ(parse("--simd=avx512").ok(), runs(instruction_set::avx512));
}

}  // namespace
}  // namespace orujo::internal::machine
