#include "framework/verify/value_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace orujo::internal::verify {
namespace {

using labels = std::vector<std::uint64_t>;

// Two components, {3, 5, 9} and {7, 20}, and one of a single vertex, 8; `claimed` is what a run says of
// `ids`.
value_comparison<std::uint64_t> compare_labels(const labels& ids, const labels& claimed) {
  value_comparison<std::uint64_t> c("labels", {3, 5, 7, 8, 9, 20}, {3, 3, 7, 8, 3, 7});
  for (std::size_t k = 0; k < ids.size(); ++k) c.add(ids[k], claimed[k]);
  return c;
}

TEST(value_comparison, agrees_with_the_right_labels_only) {
  const labels ids = {3, 5, 7, 8, 9, 20};
  EXPECT_TRUE(compare_labels(ids, {3, 3, 7, 8, 3, 7}).agrees());
  EXPECT_FALSE(compare_labels(ids, {3, 3, 7, 8, 9, 7}).agrees()) << "a component is cut in two";
  EXPECT_FALSE(compare_labels(ids, {3, 3, 7, 3, 3, 7}).agrees()) << "two components are joined";
  EXPECT_FALSE(compare_labels(ids, {9, 9, 7, 8, 9, 7}).agrees()) << "a label is not the smallest id";
}

TEST(value_comparison, describes_the_first_difference) {
  const auto c = compare_labels({3, 5, 7, 8, 9, 20}, {3, 5, 7, 8, 3, 8});
  EXPECT_EQ(c.describe(), "2 of 6 labels differ; vertex 5 has 5 where the serial oracle has 3");
}

TEST(value_comparison, describes_agreement) {
  EXPECT_EQ(compare_labels({3, 5, 7, 8, 9, 20}, {3, 3, 7, 8, 3, 7}).describe(),
            "all 6 labels are the serial oracle's");
  value_comparison<double> one("scores", {1}, {10}, 1e-6);
  one.add(1, 10);
  EXPECT_EQ(one.describe(), "the only one of the scores is the serial oracle's, within 1e-06 of each");
}

TEST(value_comparison, finds_missing_strange_and_doubled_vertices) {
  EXPECT_FALSE(compare_labels({}, {}).agrees());
  EXPECT_FALSE(compare_labels({3, 5, 7, 8, 9}, {3, 3, 7, 8, 3}).agrees());
  EXPECT_FALSE(compare_labels({3, 5, 7, 8, 9, 21}, {3, 3, 7, 8, 3, 7}).agrees());
  EXPECT_FALSE(compare_labels({3, 5, 7, 8, 9, 20, 20}, {3, 3, 7, 8, 3, 7, 7}).agrees());
  EXPECT_EQ(compare_labels({3}, {3}).describe(),
            "the graphs differ: 1 vertex where the serial oracle has 6, or other ids");
}

TEST(value_comparison, allows_for_the_relative_error_that_it_is_told) {
  const auto agrees = [](double tolerance, double value) {
    value_comparison<double> c("scores", {1, 2}, {0, 1000}, tolerance);
    c.add(1, 0);
    c.add(2, value);
    return c.agrees();
  };
  EXPECT_TRUE(agrees(1e-6, 1000.0005));
  EXPECT_TRUE(agrees(1e-6, 999.9995));
  EXPECT_FALSE(agrees(1e-6, 1000.002));
  EXPECT_FALSE(agrees(1e-6, std::nan("")));
  EXPECT_FALSE(agrees(0, 1000.0005));
  value_comparison<double> c("scores", {1}, {0}, 1e-6);
  c.add(1, 1e-9);
  EXPECT_FALSE(c.agrees()) << "of 0 there is no relative error";
}

TEST(value_comparison, allows_small_values_the_error_of_the_least_one) {
  const auto agrees = [](double value) {
    value_comparison<double> c("scores", {1}, {1e-9}, 1e-6, 1e-3);
    c.add(1, value);
    return c.agrees();
  };
  EXPECT_TRUE(agrees(1.5e-9));
  EXPECT_TRUE(agrees(0.1e-9));
  EXPECT_FALSE(agrees(2.5e-9));
}

TEST(value_comparison, allows_for_the_rounding_of_numbers_that_are_not_normal) {
  const auto agrees = [](double value, double expected) {
    value_comparison<double> c("scores", {1}, {expected}, 1e-12);
    c.add(1, value);
    return c.agrees();
  };
  EXPECT_TRUE(agrees(0x1p-1074, 0));
  EXPECT_TRUE(agrees(0x3p-1074, 0x2p-1074));
  EXPECT_FALSE(agrees(0x1p-1040, 0));
  EXPECT_FALSE(agrees(0x1.00001p-1022, 0x1p-1022));
}

}  // namespace
}  // namespace orujo::internal::verify
