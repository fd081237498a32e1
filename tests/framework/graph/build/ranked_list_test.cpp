#include "framework/graph/build/ranked_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

void expect_ranks(const std::vector<std::uint64_t>& members, std::uint64_t bound,
                  const std::vector<std::uint64_t>& asked) {
  const ranked_list list(members, bound);
  for (const std::uint64_t i : asked) {
    std::uint64_t smaller = 0;
    for (const std::uint64_t member : members) smaller += member < i ? 1 : 0;
    ASSERT_EQ(list.rank(i), smaller) << i << " of " << bound << ", " << members.size() << " members";
  }
}

TEST(ranked_list, counts_smaller_members) {
  for (const std::uint64_t bound : {1u, 2u, 63u, 64u, 65u, 1000u}) {
    for (const std::uint64_t of_16 : {0u, 1u, 8u, 16u}) {
      random_stream random(bound * 17 + of_16);
      std::vector<std::uint64_t> members, all;
      for (std::uint64_t i = 0; i < bound; ++i) {
        all.push_back(i);
        if (random.below(16) < of_16) members.push_back(i);
      }
      expect_ranks(members, bound, all);
    }
  }
}

TEST(ranked_list, of_a_few_strewn_over_many) {
  const std::uint64_t bound = std::uint64_t{1} << 40;
  random_stream random(1);
  std::vector<std::uint64_t> members{0, 1, 2, 3, 4, 5, 6, 7, bound / 2}, asked{0, 8, 1000, bound - 1};
  std::uint64_t last = bound / 2;
  while (members.size() < 300) members.push_back(last += 1 + random.below(bound / 1000));
  for (const std::uint64_t member : members) asked.insert(asked.end(), {member, member + 1});
  expect_ranks(members, bound, asked);
}

}  // namespace
}  // namespace orujo::internal::graph
