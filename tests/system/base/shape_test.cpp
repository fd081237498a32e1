#include "system/base/shape.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal {
namespace {

TEST(job_shape, is_one_core_of_one_locale_by_default) {
  const job_shape shape;
  EXPECT_EQ(shape.locales(), 1);
  EXPECT_EQ(shape.cores(), 1);
  EXPECT_EQ(shape.locale_of(0), 0);
}

TEST(job_shape, numbers_the_cores_of_a_locale_consecutively) {
  //  locale  0      1  2
  //  core    0 1 2  3  4 5
  const job_shape shape({3, 1, 2});
  EXPECT_EQ(shape.first_core_of(0), 0);
  EXPECT_EQ(shape.first_core_of(1), 3);
  EXPECT_EQ(shape.first_core_of(2), 4);
  EXPECT_EQ(shape.cores(), 6);
}

TEST(job_shape, agrees_with_counting_on_random_shapes) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    std::vector<int> cores_of(1 + random.below(20));
    for (int& cores : cores_of) cores = static_cast<int>(1 + random.below(8));
    const job_shape shape(cores_of);
    ASSERT_EQ(shape.locales(), static_cast<int>(cores_of.size()));
    ASSERT_EQ(shape.cores(), std::accumulate(cores_of.begin(), cores_of.end(), 0));
    core_id c = 0;
    for (locale_id l = 0; l < shape.locales(); ++l) {
      ASSERT_EQ(shape.first_core_of(l), c);
      ASSERT_EQ(shape.cores_of(l), cores_of[static_cast<std::size_t>(l)]);
      for (int k = 0; k < shape.cores_of(l); ++k) ASSERT_EQ(shape.locale_of(c++), l);
    }
  }
}

}  // namespace
}  // namespace orujo::internal
