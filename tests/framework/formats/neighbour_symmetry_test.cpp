#include "framework/formats/neighbour_symmetry.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/formats/text_file.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

// Those are left out that lead to a larger vertex; symmetric or not is seen all the same, and where not.
TEST(neighbour_symmetry, halves_the_edges_of_neighbour_lists) {
  const std::string rows = "% METIS, with a loop\n3 4 1\n1 5 2 6 3 7\n1 6\n1 7\n";
  memory_source source(rows, "F.graph");
  text_layout layout;
  const auto all = read_text_stream(source, layout);
  memory_source again(rows, "F.graph");
  const auto half = read_text_stream(again, layout, {.halved = true});
  ASSERT_TRUE(half.ok());
  EXPECT_EQ(half.value().list.edges, (std::vector<edge>{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(half.value().list.weights, (std::vector<float>{5, 6, 7}));
  EXPECT_EQ(half.value().summary.edges, all.value().summary.edges);
  EXPECT_EQ(half.value().summary.asymmetry, 0u);
  const std::string uneven = "% METIS\n3 2\n2\n1 3\n1\n";
  const auto wrong = [&](bool halved) {
    memory_source bad(uneven, "F.graph");
    text_layout its;
    const auto part = read_text_stream(bad, its, {.halved = halved});
    memory_source bad_again(uneven, "F.graph");
    return check_symmetry(combine_text_parts({&part.value().summary, 1}, its, "F").value(), bad_again, its);
  };
  EXPECT_EQ(wrong(true).code(), exit_status::bad_data);
  EXPECT_EQ(wrong(true).message(), wrong(false).message());
}

}  // namespace
}  // namespace orujo::internal::formats
