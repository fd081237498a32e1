// Compares row_order with std::sort.
#include "framework/steps/row_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::steps {
namespace {

std::vector<std::uint32_t> distinct_vertices(std::size_t count, std::uint32_t below) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t k = 0; all.size() < count; ++k) {
    const auto v = static_cast<std::uint32_t>(mix64(k) % below);
    if (std::ranges::find(all, v) == all.end()) all.push_back(v);
  }
  return all;
}

TEST(row_order, sorts_many_vertices_again_and_again) {
  row_order order(5000);
  for (const std::size_t count : {5000, 700, 20, 1000}) {
    std::vector<std::uint32_t> vertices = distinct_vertices(count, 5000), sorted = vertices;
    std::ranges::sort(sorted);
    order.sort(vertices);
    EXPECT_EQ(vertices, sorted) << count;
  }
}

TEST(row_order, leaves_few_vertices_as_they_are) {
  row_order order(1 << 20);
  std::vector<std::uint32_t> few = {9, 3, 1048575, 4};
  order.sort(few);
  EXPECT_EQ(few, (std::vector<std::uint32_t>{9, 3, 1048575, 4}));
  row_order of_none(0);
  std::vector<std::uint32_t> none;
  of_none.sort(none);
  EXPECT_TRUE(none.empty());
}

TEST(row_order, gives_a_repeated_vertex_once) {
  row_order order(100);
  std::vector<std::uint32_t> vertices = {99, 0, 99, 63, 64, 0};
  order.sort(vertices);
  EXPECT_EQ(vertices, (std::vector<std::uint32_t>{0, 63, 64, 99}));
}

}  // namespace
}  // namespace orujo::internal::steps
