#include "framework/algorithms/component_labels.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::algorithms {
namespace {

using numbers = std::vector<std::uint32_t>;

// The smallest vertex of each component, by vertex.
numbers smallest_of(const std::vector<numbers>& rows) {
  std::vector<std::uint64_t> firsts = {0};
  numbers targets;
  for (const numbers& row : rows) {
    targets.insert(targets.end(), row.begin(), row.end());
    firsts.push_back(targets.size());
  }
  const numbers roots = roots_of_components(firsts, targets);
  numbers smallest(roots.size(), ~std::uint32_t{0}), labels;
  for (std::uint32_t v = 0; v < roots.size(); ++v) smallest[roots[v]] = std::min(smallest[roots[v]], v);
  for (const std::uint32_t root : roots) {
    EXPECT_EQ(roots[root], root);
    labels.push_back(smallest[root]);
  }
  return labels;
}

//   0 -> 1 -> 2 -> 0     2 -> 3 <-> 4     5 -> 5     6 -> 4
TEST(component_labels, find_roots_of_components) {
  EXPECT_EQ(smallest_of({{1}, {2}, {0, 3}, {4}, {3, 3}, {5}, {4}}), (numbers{0, 0, 0, 3, 3, 5, 6}));
  EXPECT_EQ(smallest_of({}), numbers{});
}

//   0 -> 1 -> 2 -> 3 -> 1     0 -> 2     3 -> 0
TEST(component_labels, join_cycles_that_share_vertices) {
  EXPECT_EQ(smallest_of({{1, 2}, {2}, {3}, {1, 0}}), (numbers{0, 0, 0, 0}));
}

//   0 -> 1 -> 2 -> .. -> last, and back to 0, or not
TEST(component_labels, follow_long_paths_without_recursion) {
  constexpr std::uint32_t length = 1'000'000;
  std::vector<std::uint64_t> firsts = {0};
  numbers targets;
  for (std::uint32_t v = 0; v < length; ++v) {
    if (v + 1 < length) targets.push_back(v + 1);
    firsts.push_back(targets.size());
  }
  const numbers apart = roots_of_components(firsts, targets);
  for (std::uint32_t v = 0; v < length; ++v) ASSERT_EQ(apart[v], v);
  targets.push_back(0);
  firsts.back() = targets.size();
  EXPECT_EQ(roots_of_components(firsts, targets), numbers(length, 0));
}

}  // namespace
}  // namespace orujo::internal::algorithms
