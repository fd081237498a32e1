#include "framework/graph/build/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

using key_list = std::vector<std::uint64_t>;

struct key_case {
  std::string name;
  key_list keys;
};

// On both sides of what is sorted by comparing and by digits.
std::vector<key_case> keys_below(unsigned bits, std::uint64_t seed) {
  std::vector<key_case> cases;
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (const std::size_t count : {0, 1, 2, 255, 256, 257, 5000}) {
    random_stream random(seed, count);
    key_list any(count), few(count), sorted(count);
    for (std::uint64_t& key : any) key = random() & most;
    for (std::uint64_t& key : few) key = random.below(3) & most;
    for (std::size_t k = 0; k < count; ++k) sorted[k] = k & most;
    std::sort(sorted.begin(), sorted.end());
    const std::string size = " of " + std::to_string(count);
    cases.push_back({"random" + size, any});
    cases.push_back({"few values" + size, few});
    cases.push_back({"sorted" + size, sorted});
    cases.push_back({"reversed" + size, key_list(sorted.rbegin(), sorted.rend())});
    cases.push_back({"all the largest" + size, key_list(count, most)});
  }
  return cases;
}

constexpr unsigned widths[] = {1, 2, 10, 11, 12, 22, 23, 31, 33, 40, 55, 56, 63, 64};

TEST(radix_sort, sorts_keys_of_any_width) {
  for (const unsigned bits : widths) {
    for (key_case& c : keys_below(bits, 1)) {
      SCOPED_TRACE(c.name + ", " + std::to_string(bits) + " bits, seed 1");
      key_list expected = c.keys, spare(c.keys.size() + 3);
      std::sort(expected.begin(), expected.end());
      const auto sorted = radix_sort(c.keys, spare, bits);
      EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()));
    }
  }
}

TEST(radix_sort, keeps_weights_with_their_keys_and_sorts_those_of_equal_keys) {
  for (const unsigned bits : widths) {
    for (key_case& c : keys_below(bits, 2)) {
      SCOPED_TRACE(c.name + ", " + std::to_string(bits) + " bits, seed 2");
      random_stream random(2, bits);
      std::vector<float> weights, spare_weights(c.keys.size() + 3);
      std::vector<std::pair<std::uint64_t, float>> expected, got;
      for (const std::uint64_t key : c.keys) {
        weights.push_back(static_cast<float>(random.below(100)));
        expected.push_back({key, weights.back()});
      }
      std::sort(expected.begin(), expected.end());
      key_list spare(c.keys.size() + 3);
      const weighted_keys sorted = radix_sort({c.keys, weights}, {spare, spare_weights}, bits);
      for (std::size_t k = 0; k < sorted.keys.size(); ++k) got.push_back({sorted.keys[k], sorted.weights[k]});
      EXPECT_TRUE(got == expected);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
