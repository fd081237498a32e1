#include "system/containers/global_counter.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::containers {
namespace {

TEST(global_counter, sums_what_all_tasks_of_all_cores_add) {
  const auto counter = global_counter::create();
  EXPECT_EQ(counter.value(), 0);
  constexpr std::size_t n = 5000;
  loops::forall({0, n}, [=](std::size_t i) { counter.add(static_cast<std::int64_t>(i) - 100); });
  EXPECT_EQ(counter.value(), static_cast<std::int64_t>(n * (n - 1) / 2 - 100 * n));
  counter.add();
  EXPECT_EQ(counter.value(), static_cast<std::int64_t>(n * (n - 1) / 2 - 100 * n + 1));
  counter.destroy();
}

TEST(global_counter, a_value_read_meanwhile_has_what_was_added_before) {
  const auto counter = global_counter::create();
  const auto too_few = global_counter::create();
  loops::on_all_cores([=] {
    std::int64_t last = 0;
    for (int k = 1; k <= 200; ++k) {
      counter.add();
      const std::int64_t now = counter.value();
      if (now < last || now < k || now > 200 * cores()) too_few.add();
      last = now;
    }
  });
  EXPECT_EQ(too_few.value(), 0);
  EXPECT_EQ(counter.value(), 200 * cores());
  too_few.destroy();
  counter.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
