#include "system/base/by_core.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <utility>
#include <vector>

namespace orujo::internal {
namespace {

TEST(by_core, has_an_element_per_core) {
  const core_id cores = 3;
  by_core<int> of_cores(cores, 7);
  EXPECT_EQ(of_cores.size(), 3u);
  for (core_id c = 1; c < cores; ++c) of_cores[c] = of_cores[c - 1] + c;
  EXPECT_EQ(std::as_const(of_cores)[2], 10);
  of_cores.resize(cores + 1);
  EXPECT_EQ(of_cores, std::vector({7, 8, 10, 0}));
  of_cores.assign(2, 1);
  EXPECT_EQ(of_cores, std::vector({1, 1}));
}

TEST(by_core, holds_elements_that_cannot_move) {
  by_locale<std::atomic<int>> counts(2);
  ++counts[1];
  EXPECT_EQ(counts[0], 0);
  EXPECT_EQ(counts[1], 1);
}

// The results of collectives are plain vectors, and their arguments plain vectors or spans.
TEST(by_core, becomes_of_a_vector_and_a_vector_again) {
  std::vector<int> gathered(4, 5);
  const int* const at = gathered.data();
  by_core<int> of_cores = std::move(gathered);
  EXPECT_EQ(of_cores.data(), at);
  EXPECT_EQ(std::span<const int>(of_cores).size(), 4u);
  const std::vector<int> again = std::move(of_cores);
  EXPECT_EQ(again.data(), at);
}

#ifndef NDEBUG
TEST(by_core_death, an_index_past_the_end_is_a_misuse) {
  const by_core<int> of_cores(2);
  EXPECT_EXIT(static_cast<void>(of_cores[2]), testing::ExitedWithCode(78), "by_core_test.cpp");
  EXPECT_EXIT(static_cast<void>(of_cores[-1]), testing::ExitedWithCode(78), "by_core_test.cpp");
}
#endif

}  // namespace
}  // namespace orujo::internal
