// Names in .orj files, also in those whose checksums are right although the names are wrong.
#include "framework/graph/store/orj/names.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/orj_image.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_image;
using formats::orj_section;

orj_image image_with_names(const std::vector<std::uint64_t>& offsets, const std::string& bytes) {
  orj_image image = formats::small_orj_image();
  image.sections.erase(orj_section::ids);
  image.sections[orj_section::name_offsets] = formats::bytes_of(offsets);
  image.sections[orj_section::names] = bytes;
  return image;
}

// The error of the names of all three vertices, in one piece or in two.
std::string name_error(const std::vector<std::uint64_t>& offsets, const std::string& bytes,
                       std::optional<std::uint64_t> cut = {}) {
  orj_image image = image_with_names(offsets, bytes);
  formats::memory_source source(image.file());
  const auto error = [&](std::uint64_t first, std::uint64_t last) {
    const auto names = read_orj_names(source, image.header, {first, last});
    EXPECT_TRUE(names.ok() || names.status().code() == exit_status::bad_data);
    return names.status().message();
  };
  const std::string first = error(0, cut.value_or(3));
  return first.empty() && cut ? error(*cut, 3) : first;
}

TEST(orj_names, are_read_for_any_positions) {
  orj_image image = image_with_names({0, 1, 4, 6}, "abcdx\xff");
  formats::memory_source source(image.file());
  EXPECT_TRUE(has_names(image.header));
  const std::vector<std::string> expected = {"a", "bcd", "x\xff"};
  for (std::uint64_t first = 0; first <= 3; ++first) {
    for (std::uint64_t last = first; last <= 3; ++last) {
      const auto names = read_orj_names(source, image.header, {first, last});
      ASSERT_TRUE(names.ok()) << names.status().message();
      ASSERT_EQ(names.value().size(), last - first);
      for (std::uint64_t k = first; k < last; ++k) EXPECT_EQ(names.value()[k - first], expected[k]);
    }
  }
}

TEST(orj_names, are_refused_where_they_are_none_or_in_disorder) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  struct {
    std::vector<std::uint64_t> offsets;
    std::string bytes, error;
  } const files[] = {
      {{0, 1, 2, 3}, "abc", ""},
      {{1, 1, 2, 3}, "abc", "section name_offsets: does not begin with 0"},
      {{0, 2, 1, 3}, "abc", "section name_offsets: 1 follows 2, but they must ascend"},
      {{0, 1, 2, 4}, "abc", "section name_offsets: counts 4 bytes of names where there are 3"},
      {{0, 1, 2, 2}, "abc", "section name_offsets: counts 2 bytes of names where there are 3"},
      {{0, 1, 2, huge},
       "abc",
       "section name_offsets: counts 18446744073709551615 bytes of names where there are 3"},
      {{0, 0, 2, 3}, "abc", "section names: holds an invalid name"},
      {{0, 1, 2, 3}, "a c", "section names: holds an invalid name"},
      {{0, 1, 2, 3},
       "a\x7f"
       "c",
       "section names: holds an invalid name"},
      {{0, 1, 2, 3}, std::string("a\0c", 3), "section names: holds an invalid name"},
      {{0, 1, 2, 3}, "acb", "section names: the names do not ascend"},
      {{0, 1, 2, 3}, "abb", "section names: the names do not ascend"},
  };
  for (const auto& [offsets, bytes, error] : files) {
    const std::string whole = name_error(offsets, bytes);
    EXPECT_NE(whole.find(error), std::string::npos) << whole;
    EXPECT_EQ(whole.empty(), error.empty());
    for (const std::uint64_t cut : {1, 2}) EXPECT_EQ(name_error(offsets, bytes, cut).empty(), error.empty());
  }
}

}  // namespace
}  // namespace orujo::internal::graph
