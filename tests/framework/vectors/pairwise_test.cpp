#include "framework/vectors/pairwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "framework/vectors/combine.hpp"

namespace orujo::internal::vectors {
namespace {

// A run of numbers, and through how many operations the first has gone.
struct numbers {
  int first, last, operations;
};
struct follow {
  numbers operator()(const numbers& a, const numbers& b) const {
    EXPECT_EQ(a.last, b.first);
    return {a.first, b.last, std::max(a.operations, b.operations) + 1};
  }
};

TEST(pairwise, combines_all_results_in_their_order_by_few_operations) {
  for (int count = 1; count <= 600; ++count) {
    pairwise_results<follow, numbers> results{follow{}};
    for (int k = 0; k < count; ++k) results.add({k, k + 1, 0});
    const numbers all = results.all();
    EXPECT_EQ(all.first, 0);
    EXPECT_EQ(all.last, count);
    EXPECT_EQ(all.operations, static_cast<int>(std::ceil(std::log2(count)))) << count << " results";
  }
}

struct large {
  char bytes[300];
};
static_assert(meets_pairwise<gas::sum, float> && meets_pairwise<const gas::sum, double>);
static_assert(!meets_pairwise<gas::minimum, float> && !meets_pairwise<gas::sum, large>);

}  // namespace
}  // namespace orujo::internal::vectors
