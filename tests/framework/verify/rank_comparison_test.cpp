#include "framework/verify/rank_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orujo::internal::verify {
namespace {

// Ids 3, 7, 9 with ranks 0.5, 0.3, 0.2; `ids` and `ranks` are what a run claims.
rank_comparison compare(const std::vector<std::uint64_t>& ids, const std::vector<double>& ranks,
                        const std::vector<double>& allowed = {5e-6, 3e-6, 2e-6}) {
  rank_comparison c({3, 7, 9}, {0.5, 0.3, 0.2}, allowed);
  for (std::size_t k = 0; k < ids.size(); ++k) c.add(ids[k], ranks[k]);
  return c;
}

TEST(rank_comparison, agrees_within_rounding) {
  EXPECT_TRUE(compare({3, 7, 9}, {0.5, 0.3, 0.2}).agrees());
  EXPECT_TRUE(compare({3, 7, 9}, {0.5 + 1e-6, 0.3 - 1e-6, 0.2}).agrees());
  EXPECT_TRUE(compare({3, 7, 9}, {0.5, 0.3 + 1e-12, 0.2}, {1e-15, 1e-11, 1e-15}).agrees());
}

TEST(rank_comparison, finds_a_wrong_rank) {
  EXPECT_FALSE(compare({3, 7, 9}, {0.5, 0.3, 0.2001}).agrees());
  EXPECT_FALSE(compare({3, 7, 9}, {0.3, 0.5, 0.2}).agrees());
  EXPECT_FALSE(compare({3, 7, 9}, {0, 0, 0}).agrees());
  EXPECT_FALSE(compare({3, 7, 9}, {0.5 + 1e-6, 0.3, 0.2}, {1e-7, 1, 1}).agrees());
}

TEST(rank_comparison, finds_a_small_rank_that_is_wrong) {
  rank_comparison c({1, 2}, {1 - 1e-7, 1e-7}, {1e-5, 1e-12});
  c.add(1, 1 - 1e-7);
  c.add(2, 2e-7);  // far below what the other may be off by
  EXPECT_FALSE(c.agrees());
}

TEST(rank_comparison, finds_what_is_no_number) {
  EXPECT_FALSE(compare({3, 7, 9}, {0.5, NAN, 0.2}).agrees());
  EXPECT_FALSE(compare({3, 7, 9}, {INFINITY, 0.3, 0.2}).agrees());
  EXPECT_FALSE(compare({3, 7, 9}, {NAN, 0.3, 0.2}).agrees());
}

TEST(rank_comparison, finds_missing_strange_and_doubled_vertices) {
  EXPECT_FALSE(compare({}, {}).agrees());
  EXPECT_FALSE(compare({3, 7}, {0.5, 0.3}).agrees());
  EXPECT_FALSE(compare({3, 8, 9}, {0.5, 0.3, 0.2}).agrees());
  EXPECT_FALSE(compare({3, 7, 7}, {0.5, 0.3, 0.2}).agrees());
  EXPECT_FALSE(compare({3, 7, 9, 10}, {0.5, 0.3, 0.2, 0}).agrees());
  EXPECT_NE(compare({3, 7}, {0.5, 0.3}).describe().find("2 vertices where the serial oracle has 3"),
            std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::verify
