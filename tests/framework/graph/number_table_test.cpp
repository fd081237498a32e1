#include "framework/graph/number_table.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

namespace orujo::internal::graph {
namespace {

index_array array_of(const std::vector<std::uint64_t>& values, std::uint64_t bound) {
  index_array made(values.size(), bound);
  for (std::size_t k = 0; k < values.size(); ++k) made.set(k, values[k]);
  return made;
}

TEST(index_array, takes_eight_bytes_from_the_bound_on_where_four_do_not_do) {
  const index_array narrow = array_of({7, 0xffff'ffff}, std::uint64_t{1} << 32);
  EXPECT_EQ(narrow.bytes_each(), 4u);
  EXPECT_EQ(narrow.bytes().size(), 8u);
  EXPECT_EQ(narrow[0], 7u);
  EXPECT_EQ(narrow[1], 0xffff'ffffu);
  const index_array wide = array_of({7, std::uint64_t{1} << 32}, (std::uint64_t{1} << 32) + 1);
  EXPECT_EQ(wide.bytes_each(), 8u);
  EXPECT_EQ(wide.size(), 2u);
  EXPECT_EQ(wide[1], std::uint64_t{1} << 32);
  std::uint64_t first = 0;
  std::memcpy(&first, wide.bytes().data(), sizeof first);
  EXPECT_EQ(first, 7u);
  EXPECT_EQ(index_array(0, 0).size(), 0u);
}

TEST(number_table, has_the_inverse_of_what_it_is_made_of) {
  const auto made = make_number_table(array_of({2, 0, 3, 1}, 4), "test");
  ASSERT_TRUE(made.ok());
  const number_table& table = *made.value();
  for (std::uint64_t k = 0; k < 4; ++k) {
    EXPECT_EQ(table.numbers[table.positions[k]], k);
    EXPECT_EQ(table.positions[table.numbers[k]], k);
  }
  EXPECT_EQ(table.positions[0], 2u);
}

TEST(number_table, refuses_what_is_no_permutation) {
  const auto twice = make_number_table(array_of({2, 0, 2, 1}, 4), "x.orj");
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.status().code(), exit_status::bad_data);
  EXPECT_EQ(twice.status().message(), "x.orj: the order of the vertices has vertex 2 twice, at 0 and 2");
  const auto beyond = make_number_table(array_of({2, 0, 4, 1}, 5), "x.orj");
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.status().message(), "x.orj: the order of the vertices has vertex 4, but there are 4");
}

}  // namespace
}  // namespace orujo::internal::graph
