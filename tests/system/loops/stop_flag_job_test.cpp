#include "system/loops/stop_flag.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "system/delegates/delegate.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::loops {
namespace {

TEST(stop_flag, is_set_at_the_core_of_its_variable_alone) {
  std::atomic<bool> variable{false};
  const stop_flag flag(&variable);
  EXPECT_TRUE(static_cast<bool>(flag));
  EXPECT_FALSE(flag.is_set());
  variable = true;
  EXPECT_TRUE(flag.is_set());
  EXPECT_EQ(cores_where([=] { return static_cast<bool>(flag); }), cores());
  EXPECT_EQ(cores_where([=, home = my_core()] { return flag.is_set() == (my_core() == home); }), cores());
}

TEST(stop_flag, belongs_to_whichever_core_makes_it) {
  const core_id last = cores() - 1;
  EXPECT_EQ(delegates::call_task(last,
                                 [] {
                                   const std::atomic<bool> variable{true};
                                   const stop_flag flag(&variable);
                                   return cores_where([=] { return flag.is_set(); });
                                 }),
            1);
}

TEST(stop_flag, is_never_set_without_a_variable) {
  const stop_flag none, null = static_cast<const std::atomic<bool>*>(nullptr);
  EXPECT_FALSE(none || null);
  EXPECT_EQ(cores_where([=] { return none.is_set() || null.is_set(); }), 0);
}

}  // namespace
}  // namespace orujo::internal::loops
