#include "system/containers/flat_multi_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::containers {
namespace {

using word = std::uint64_t;
using table = flat_multi_table<word, word>;
using model = std::multimap<word, word>;

std::vector<word> values_of(table& of, word key) {
  std::vector<word> values;
  EXPECT_EQ(of.visit(key, [&](word value) { values.push_back(value); }), of.count(key));
  return values;
}
std::vector<word> values_of(const model& of, word key) {
  std::vector<word> values;
  for (auto [at, end] = of.equal_range(key); at != end; ++at) values.push_back(at->second);
  return values;
}

TEST(flat_multi_table, does_as_the_standard_multimap) {
  for (word seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    table t;
    model m;
    for (int step = 0; step < 3000; ++step) {
      const word key = random.below(seed * 10), value = random();
      if (random.below(8) == 0) {
        EXPECT_EQ(t.erase(key), m.erase(key));
      } else {
        t.add(key, value);
        m.emplace(key, value);
      }
      if (random.below(1000) == 0) t.clear(), m.clear();
      ASSERT_EQ(t.size(), m.size());
      ASSERT_EQ(values_of(t, key), values_of(m, key));
    }
    std::size_t seen = 0;
    std::map<word, std::vector<word>> by_key;
    for (std::size_t slot = 0; slot < t.slots(); ++slot) {
      t.visit_slot(slot, [&](word key, word value) { by_key[key].push_back(value), ++seen; });
    }
    EXPECT_EQ(seen, m.size());
    for (const auto& [key, values] : by_key) EXPECT_EQ(values, values_of(m, key));
  }
}

}  // namespace
}  // namespace orujo::containers
