#include "system/machine/cpus.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "system/base/flags.hpp"

DECLARE_string(simd);

namespace orujo::machine {
namespace {

TEST(usable_cpus, are_ascending_and_hold_the_one_this_thread_runs_on) {
  const std::vector<int> cpus = usable_cpus();
  ASSERT_FALSE(cpus.empty());
  EXPECT_TRUE(std::is_sorted(cpus.begin(), cpus.end(), std::less_equal<>()));
  EXPECT_TRUE(std::binary_search(cpus.begin(), cpus.end(), sched_getcpu()));
}

TEST(pin_this_thread, binds_it_to_one_cpu) {
  for (int cpu : usable_cpus()) {
    std::thread([cpu] {
      ASSERT_TRUE(pin_this_thread(cpu));
      EXPECT_EQ(usable_cpus(), std::vector<int>{cpu});
      EXPECT_EQ(sched_getcpu(), cpu);
    }).join();
  }
}

TEST(pin_this_thread, leaves_the_thread_alone_where_there_is_no_such_cpu) {
  const std::vector<int> before = usable_cpus();
  for (int cpu : {CPU_SETSIZE - 1, CPU_SETSIZE, 1 << 20}) EXPECT_FALSE(pin_this_thread(cpu)) << cpu;
  EXPECT_EQ(usable_cpus(), before);
}

TEST(runs_x86_64_v3, agrees_with_the_system) {
  std::ifstream file("/proc/cpuinfo");
  std::string line, flags;
  while (flags.empty() && std::getline(file, line)) {
    if (line.starts_with("flags")) flags = line + ' ';
  }
  bool expected = true;
  for (const char* flag : {" avx2 ", " fma ", " bmi1 ", " bmi2 "}) {
    expected = expected && flags.find(flag) != std::string::npos;
  }
  EXPECT_EQ(runs_x86_64_v3(), expected);
}

class simd_flag : public testing::Test {
 protected:
  status parse(const char* argument) {
    const char* arguments[] = {"program", argument};
    return parse_flags(2, arguments).status();
  }

 private:
  gflags::FlagSaver restored_after_the_test_;
};

TEST_F(simd_flag, chooses_the_instructions) {
  EXPECT_EQ(chosen_simd(), simd_choice::automatic);
  EXPECT_TRUE(parse("--simd=scalar").ok());
  EXPECT_EQ(chosen_simd(), simd_choice::scalar);
  EXPECT_TRUE(parse("--simd=auto").ok());
  EXPECT_EQ(chosen_simd(), simd_choice::automatic);
}

TEST_F(simd_flag, must_name_instructions_that_the_processor_has) {
  EXPECT_EQ(parse("--simd=mmx").code(), exit_status::usage);
  EXPECT_EQ(parse("--simd=avx2").ok(), runs_x86_64_v3());
  EXPECT_EQ(parse("--simd=avx512").ok(), runs_x86_64_v4());
}

}  // namespace
}  // namespace orujo::machine
