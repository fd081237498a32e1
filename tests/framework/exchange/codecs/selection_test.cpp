#include "framework/exchange/codecs/selection.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::exchange {
namespace {

// `count` integers, evenly spaced: one in `inverse_density` of their range.
std::vector<std::uint32_t> evenly(std::size_t count, std::uint32_t inverse_density) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t k = 0; k < count; ++k) list.push_back(100 + k * inverse_density);
  return list;
}

std::string_view chosen(const codec_options& options, const std::vector<std::uint32_t>& list,
                        bool same_node) {
  return choose_codec(options, list, same_node).name;
}

TEST(selection, of_auto_follows_the_density) {
  const codec_options automatic;
  EXPECT_EQ(chosen(automatic, evenly(10'000, 1), false), "bitmap");
  EXPECT_EQ(chosen(automatic, evenly(10'000, 3), false), "bitmap");
  EXPECT_EQ(chosen(automatic, evenly(10'000, 4), false), "bp128");
  EXPECT_EQ(chosen(automatic, evenly(10'000, 400'000), false), "bp128");
  EXPECT_EQ(chosen(automatic, {0, ~std::uint32_t{0}}, false), "none");
}

TEST(selection, of_auto_patches_where_a_few_gaps_are_wide) {
  std::vector<std::uint32_t> list = {0};
  for (std::uint32_t k = 1; k < 10'000; ++k) list.push_back(list.back() + (k % 40 == 0 ? 10'000 : 7));
  EXPECT_EQ(chosen({}, list, false), "pfor");
  EXPECT_EQ(chosen({}, list, true), "none");
  list.resize(65);
  EXPECT_EQ(chosen({}, list, false), "pfor");
  list.resize(64);  // too few for a sample
  EXPECT_EQ(chosen({}, list, false), "bp128");
}

TEST(selection, leaves_short_lists_raw_whatever_is_wanted) {
  codec_options options{-1, 400};
  EXPECT_EQ(chosen(options, evenly(99, 10), false), "none");
  EXPECT_EQ(chosen(options, evenly(100, 10), false), "bp128");
  options.wanted = place_of(find_codec("varint"));
  EXPECT_EQ(chosen(options, evenly(99, 10), false), "none");
  EXPECT_EQ(chosen(options, evenly(100, 10), false), "varint");
  options.min_bytes = 0;
  EXPECT_EQ(chosen(options, evenly(1, 10), false), "varint");
  EXPECT_EQ(chosen(options, {}, false), "none");
}

TEST(selection, compresses_within_a_node_only_what_is_asked_for) {
  codec_options options;
  EXPECT_EQ(chosen(options, evenly(10'000, 1), true), "none");
  EXPECT_EQ(chosen(options, evenly(10'000, 50), true), "none");
  for (const codec* c : codecs()) {
    options.wanted = place_of(c);
    EXPECT_EQ(chosen(options, evenly(10'000, 50), true), c->name);
    EXPECT_EQ(chosen(options, evenly(10'000, 50), false), c->name);
  }
}

TEST(selection, is_automatic_by_default) {
  EXPECT_EQ(codec_options_from_flags().wanted, -1);
  EXPECT_EQ(codec_options_from_flags().min_bytes, default_codec_min_bytes);
}

}  // namespace
}  // namespace orujo::internal::exchange
