#include "system/containers/global_multimap.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "system/base/random.hpp"
#include "tests/at_home.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
namespace {

using word = std::uint64_t;
using multimap = global_multimap<word, word>;
using model = std::multimap<word, word>;

std::vector<word> values_of(const model& of, word key) {
  std::vector<word> values;
  for (auto [at, end] = of.equal_range(key); at != end; ++at) values.push_back(at->second);
  return values;
}

// The content, brought to this core: the values of a key in their order.
model content(multimap of) {
  model all;
  const at_home into(all);
  const core_id me = my_core();
  delegates::finish([&](delegates::event_ref event) {
    loops::forall(of, [=](word key, word value) {
      delegates::async_call(event, me, [=] { into->emplace(key, value); });
    });
  });
  return all;
}

TEST(global_multimap, does_as_the_standard_multimap) {
  for (word seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const multimap table = multimap::create(seed * 10);
    model expected;
    for (int k = 0; k < 200; ++k) {
      const word key = random.below(20), value = random();
      switch (random.below(8)) {
        case 0:
          EXPECT_EQ(table.erase(key), expected.erase(key));
          break;
        case 1:
          EXPECT_EQ(table.count(key), expected.count(key));
          break;
        case 2:
          EXPECT_EQ(table.values(key), values_of(expected, key));
          break;
        case 3: {
          EXPECT_EQ(table.for_each(key, [=](word& v) { v += value; }), expected.count(key));
          for (auto [at, end] = expected.equal_range(key); at != end; ++at) at->second += value;
          break;
        }
        default:
          table.insert(key, value);
          expected.emplace(key, value);
      }
    }
    EXPECT_EQ(table.size(), expected.size());
    EXPECT_EQ(content(table), expected);
    table.clear();
    EXPECT_EQ(table.size(), 0u);
    EXPECT_TRUE(content(table).empty());
    table.destroy();
  }
}

TEST(global_multimap, brings_more_values_than_a_message_holds) {
  const multimap table = multimap::create();
  constexpr word n = 5000;
  std::vector<word> expected(n);
  delegates::finish([&](delegates::event_ref event) {
    for (word k = 0; k < n; ++k) table.async_insert(event, 7, expected[k] = k * k);
  });
  EXPECT_EQ(table.values(7), expected) << "one task's come in its order";
  EXPECT_TRUE(table.values(8).empty());
  table.destroy();
}

// Key k has 3^k values k, k + 1, ...; all visitors take spans.
TEST(global_multimap, visitors_take_the_values_of_a_key_by_spans) {
  constexpr word keys = 10;
  const multimap table = multimap::create();
  word size[keys];
  delegates::finish([&](delegates::event_ref event) {
    for (word key = 0, n = 1; key < keys; ++key, n *= 3) {
      size[key] = n;
      for (word v = 0; v < n; ++v) table.async_insert(event, key, key + v);
    }
  });
  // Every value v becomes v + key + 1.
  delegates::finish([&](delegates::event_ref event) {
    for (word key = 0; key < keys; ++key) {
      table.async_visit(event, key, [](word k, std::span<word> values) {
        for (word& value : values) value += k;
      });
      EXPECT_EQ(table.for_each(key,
                               [](std::span<word> values) {
                                 for (word& value : values) ++value;
                               }),
                size[key]);
    }
  });
  const auto sums = global_array<word>::create(keys), spans = global_array<word>::create(keys);
  delegates::finish([&](delegates::event_ref event) {
    loops::forall(table, [=](word key, std::span<const word> values) {
      delegates::async_increment(event, spans[key], 1);
      delegates::async_increment(event, sums[key], std::accumulate(values.begin(), values.end(), word{0}));
    });
  });
  for (word key = 0; key < keys; ++key) {
    const word n = size[key];
    EXPECT_EQ(delegates::read(sums[key]), n * (2 * key + 1) + n * (n - 1) / 2) << key;
    EXPECT_LE(delegates::read(spans[key]), 1 + static_cast<word>(std::bit_width(n))) << key;
  }
  EXPECT_EQ(table.values(2), (std::vector<word>{5, 6, 7, 8, 9, 10, 11, 12, 13}));
  sums.destroy();
  spans.destroy();
  table.destroy();
}

// A hash join of two relations, as a user writes it: what one has of a key meets all that the other has.
TEST(global_multimap, asynchronous_operations_of_all_cores_join_two_relations) {
  constexpr word keys = 50;
  const multimap orders = multimap::create(keys);
  const auto sums = global_array<word>::create(keys);
  const auto everyone = static_cast<word>(cores());
  delegates::finish([&](delegates::event_ref event) {
    loops::on_all_cores([=] {
      for (word k = 0; k < 10 * keys; ++k) orders.async_insert(event, k % keys, k);
    });
  });
  EXPECT_EQ(orders.size(), 10 * keys * everyone);
  delegates::finish([&](delegates::event_ref event) {
    loops::forall({0, keys}, [=](std::size_t key) {
      orders.async_visit(event, key,
                         [=](word k, word order) { delegates::async_increment(event, sums[k], order); });
    });
  });
  for (word key = 0; key < keys; ++key) {
    // key + (key + 50) + ... + (key + 450), from every core
    EXPECT_EQ(delegates::read(sums[key]), everyone * (10 * key + 45 * keys)) << key;
  }
  delegates::finish([&](delegates::event_ref event) {
    for (word key = 0; key < keys; key += 2) orders.async_erase(event, key);
  });
  EXPECT_EQ(orders.size(), 5 * keys * everyone);
  EXPECT_EQ(orders.count(2), 0u);
  EXPECT_EQ(orders.count(3), 10 * everyone);
  sums.destroy();
  orders.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
