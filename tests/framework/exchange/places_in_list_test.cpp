#include "framework/exchange/places_in_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

TEST(places_in_list, are_those_of_the_list) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const std::uint64_t first = random.below(300), span = 1 + random.below(1000),
                        one_in = 1 + random.below(8);
    std::vector<std::uint32_t> list;
    for (std::uint64_t v = first; v < first + span; ++v) {
      if (random.below(one_in) == 0) list.push_back(static_cast<std::uint32_t>(v));
    }
    const places_in_list places(list);
    for (std::uint32_t v = 0; v < 1500; ++v) {
      const auto at = std::lower_bound(list.begin(), list.end(), v);
      const bool listed = at != list.end() && *at == v;
      EXPECT_EQ(places.find(v), listed ? static_cast<std::size_t>(at - list.begin()) : places_in_list::none)
          << v;
    }
  }
}

TEST(places_in_list, are_kept_for_lists_with_a_vertex_per_word) {
  EXPECT_FALSE(places_in_list::is_dense({}));
  EXPECT_TRUE(places_in_list::is_dense(std::vector<std::uint32_t>{7}));
  EXPECT_TRUE(places_in_list::is_dense(std::vector<std::uint32_t>{0, 64, 128}));
  EXPECT_FALSE(places_in_list::is_dense(std::vector<std::uint32_t>{0, 128}));
}

}  // namespace
}  // namespace orujo::internal::exchange
