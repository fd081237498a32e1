#include "system/machine/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

namespace orujo::internal::machine {
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

}  // namespace
}  // namespace orujo::internal::machine
