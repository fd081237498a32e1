#include "system/memory/budget.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "system/transport/loopback.hpp"

DECLARE_uint64(memory_budget_bytes);

namespace orujo::internal::memory {
namespace {

std::vector<std::uint64_t> budgets_of(int locales) {
  auto links = transport::make_loopback(locales, {0});
  std::vector<std::uint64_t> budgets(static_cast<std::size_t>(locales));
  std::vector<std::thread> threads;
  for (std::size_t l = 0; l < budgets.size(); ++l) {
    threads.emplace_back([&, l] { budgets[l] = budget_of_locale(*links[l]); });
  }
  for (std::thread& t : threads) t.join();
  return budgets;
}

TEST(budget, is_what_the_flag_says) {
  FLAGS_memory_budget_bytes = 12345;
  EXPECT_EQ(budgets_of(3), (std::vector<std::uint64_t>{12345, 12345, 12345}));
  FLAGS_memory_budget_bytes = 0;
}

TEST(budget, is_shared_by_the_locales_of_a_node) {
  const double alone = static_cast<double>(budgets_of(1)[0]);
  for (const std::uint64_t budget : budgets_of(4)) {
    // The available memory changes all the time.
    EXPECT_NEAR(4 * static_cast<double>(budget) / alone, 1, 0.5);
  }
}

}  // namespace
}  // namespace orujo::internal::memory
