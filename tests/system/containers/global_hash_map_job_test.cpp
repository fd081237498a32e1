#include "system/containers/global_hash_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "tests/at_home.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
namespace {

using map = global_hash_map<std::uint64_t, std::uint64_t>;

// The map's content, brought to this core.
std::map<std::uint64_t, std::uint64_t> content(map of) {
  std::map<std::uint64_t, std::uint64_t> all;
  const at_home into(all);
  const core_id me = my_core();
  delegates::completion_event sent;
  loops::forall(of, [=, event = sent.ref()](std::uint64_t key, std::uint64_t value) {
    delegates::async_call(event, me, [=] { EXPECT_TRUE(into->emplace(key, value).second); });
  });
  sent.wait();
  return all;
}

// Changes a table and a std::map alike, at random. An update runs change(V&), which returns what it has left,
// on the key's value at its owner.
template <class K, class V, class DrawKey, class DrawValue, class Change>
void does_as_the_standard_map(std::uint64_t seed, const DrawKey& draw_key, const DrawValue& draw_value,
                              const Change& change) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  random_stream random(seed);
  const auto table = global_hash_map<K, V>::create(seed * 50);
  std::map<K, V> model;
  for (int k = 0; k < 300; ++k) {
    const K key = draw_key(random);
    const V value = draw_value(random);
    switch (random.below(5)) {
      case 0:
        EXPECT_EQ(table.insert(key, value), model.emplace(key, value).second);
        break;
      case 1:
        EXPECT_EQ(table.update(key, change), change(model[key]));
        break;
      case 2:
        EXPECT_EQ(table.erase(key), model.erase(key) == 1);
        break;
      case 3:
        EXPECT_EQ(table.contains(key), model.contains(key));
        break;
      default: {
        const auto expected = model.find(key);
        EXPECT_EQ(table.lookup(key),
                  expected == model.end() ? std::nullopt : std::optional(expected->second));
      }
    }
  }
  EXPECT_EQ(table.size(), model.size());
  for (const auto& [key, value] : model) EXPECT_EQ(table.lookup(key), value);
  if constexpr (std::is_same_v<global_hash_map<K, V>, map>) {
    EXPECT_EQ(content(table), model);
  }
  table.clear();
  EXPECT_EQ(table.size(), 0u);
  table.destroy();
}

TEST(global_hash_map, does_as_the_standard_map) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    does_as_the_standard_map<std::uint64_t, std::uint64_t>(
        seed, [](random_stream& random) { return random.below(30); },
        [](random_stream& random) { return random(); },
        [seed](std::uint64_t& value) { return value = 3 * value + seed; });
  }
}

// The texts have 0 to 40 letters, so that some are longer than a string holds in itself.
std::string text_of(std::uint64_t number) {
  return std::string(number % 41, static_cast<char>('a' + number % 26)) + std::to_string(number % 7);
}

TEST(global_hash_map, takes_strings_and_vectors) {
  using texts = std::vector<std::string>;
  does_as_the_standard_map<std::string, texts>(
      5, [](random_stream& random) { return text_of(random.below(60)); },
      [](random_stream& random) {
        return texts{text_of(random()), text_of(random())};
      },
      [](texts& value) {
        value.emplace_back("more");
        return value;
      });
}

TEST(global_hash_map, takes_values_along_to_an_update) {
  const auto texts = global_hash_map<std::string, std::string>::create();
  const std::string a = "a key", large(20'000, 'x');
  texts.assign(a, "old");
  texts.assign(a, "one");
  const auto append = [](std::string& all, const std::string& more) {
    all += more;
    return all.size();
  };
  EXPECT_EQ(texts.update(a, append, std::string(" two")), 7u);
  EXPECT_EQ(texts.update(a, append, large), 7u + large.size());
  delegates::completion_event done;
  texts.async_assign(done, "another", "three");
  texts.async_update(
      done, "a third",
      [](std::string& all, const std::string& more, int n) { all = more + std::to_string(n); },
      std::string("four"), 5);
  done.wait();
  texts.async_visit(
      done, "another",
      [](const std::string& key, std::string& v, const std::string& more) { v += key + more; },
      std::string("!"));
  texts.async_visit(
      done, "nobody", [](const std::string&, std::string&, const std::string&) { FAIL(); }, std::string("!"));
  done.wait();
  EXPECT_EQ(texts.lookup(a), "one two" + large);
  EXPECT_EQ(texts.lookup("another"), "threeanother!");
  EXPECT_EQ(texts.lookup("a third"), "four5");
  EXPECT_EQ(texts.size(), 3u);
  texts.destroy();
  // Trivially copyable ones travel with the closure.
  const auto counts = global_hash_map<int, int>::create();
  for (int k = 0; k < 100; ++k)
    counts.update(
        k % 7, [](int& count, int by) { count += by; }, k);
  counts.assign(3, 1);
  EXPECT_EQ(counts.lookup(3), 1);
  EXPECT_EQ(counts.lookup(6), (6 + 97) * 14 / 2);
  counts.destroy();
}

TEST(global_hash_map, counts_strings_of_all_cores) {
  constexpr std::size_t n = 5000;
  const auto counts = global_hash_map<std::string, std::uint32_t>::create(100);
  delegates::completion_event done;
  loops::forall({0, n}, [counts, event = done.ref()](std::size_t i) {
    counts.async_update(event, text_of(i % 100), [](std::uint32_t& count) { ++count; });
    if (i % 100 == 99)
      counts.async_visit(event, text_of(0), [](const std::string&, std::uint32_t& count) { ++count; });
    if (i < 100) counts.async_insert(event, "other " + text_of(i), 1);
  });
  done.wait();
  std::map<std::string, std::uint32_t> model;
  for (std::size_t i = 0; i < n; ++i) ++model[text_of(i % 100)];
  for (std::size_t i = 0; i < 100; ++i) model["other " + text_of(i)] = 1;
  // A visit finds the key or not, according to whether an update has arrived.
  const auto of_visited = counts.lookup(text_of(0)).value();
  EXPECT_GE(of_visited, model[text_of(0)]);
  EXPECT_LE(of_visited, model[text_of(0)] + n / 100);
  model[text_of(0)] = of_visited;
  std::uint64_t different = 0, wrong = 0;
  const auto tallies = symmetric<std::pair<std::uint64_t, std::uint64_t>>::create();
  loops::forall(counts, [=](const std::string& key, std::uint32_t& count) {
    ++tallies.here().first;
    tallies.here().second += count + key.size();
  });
  different = delegates::sum_of_all([=] { return tallies.here().first; });
  wrong = delegates::sum_of_all([=] { return tallies.here().second; });
  for (const auto& [key, count] : model) wrong -= count + key.size();
  EXPECT_EQ(different, model.size());
  EXPECT_EQ(wrong, 0u);
  delegates::completion_event erased;
  for (const auto& [key, count] : model) counts.async_erase(erased.ref(), key);
  erased.wait();
  EXPECT_EQ(counts.size(), 0u);
  tallies.destroy();
  counts.destroy();
}

// Tasks of all cores insert, add to, erase and look up the same few keys. Each key's operations take effect
// in one order: of those that insert it, one more succeeds than of those that erase it exactly where it is
// left.
TEST(global_hash_map, operations_of_many_tasks_on_one_key_take_effect_one_by_one) {
  constexpr std::uint64_t keys = 40, tasks_per_core = 200;
  const map table = map::create();
  auto balance = global_array<std::int64_t>::create(keys);
  loops::forall({0, tasks_per_core * static_cast<std::size_t>(cores())}, [=](std::size_t task) {
    random_stream random(task);
    for (int k = 0; k < 10; ++k) {
      const std::uint64_t key = random.below(keys);
      if (random.below(2)) {
        if (table.insert(key, 1)) delegates::fetch_and_add(balance[key], 1);
      } else {
        if (table.erase(key)) delegates::fetch_and_add(balance[key], -1);
      }
    }
  });
  for (std::uint64_t key = 0; key < keys; ++key) {
    EXPECT_EQ(delegates::read(balance[key]), table.contains(key) ? 1 : 0) << "key " << key;
  }
  balance.destroy();
  table.destroy();
}

TEST(global_hash_map, asynchronous_operations_are_done_when_their_event_is) {
  const map table = map::create();
  constexpr std::uint64_t keys = 3000;
  const auto everyone = static_cast<std::uint64_t>(cores());
  delegates::completion_event done;
  loops::on_all_cores([=, event = done.ref()] {
    for (std::uint64_t key = 0; key < keys; ++key) {
      table.async_update(event, key, [](std::uint64_t& v) { ++v; });
    }
  });
  done.wait();
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t key = 0; key < keys; ++key) expected[key] = everyone;
  EXPECT_EQ(content(table), expected);
  for (std::uint64_t key = 0; key < 2 * keys; ++key) {
    if (key % 2 == 0) table.async_erase(done, key);
    table.async_visit(done, key + 1, [](const std::uint64_t& k, std::uint64_t& v) { v = k; });
    if (key % 2 == 0) table.async_insert(done, 10 * keys + key, key);
    if (key % 2 == 1) table.async_insert(done, key, 0);  // those below `keys` are there already
  }
  done.wait();
  EXPECT_EQ(table.size(), keys / 2 + keys + keys / 2);
  EXPECT_FALSE(table.contains(0));
  EXPECT_EQ(table.lookup(1), 1u);
  EXPECT_EQ(table.lookup(keys + 1), 0u) << "visited before it was inserted";
  EXPECT_EQ(table.lookup(10 * keys + 4), 4u);
  table.destroy();
}

TEST(global_hash_map, keys_spread_evenly_over_the_cores) {
  const map table = map::create();
  by_core<int> at(cores());
  const int keys = 1000 * cores();
  for (int k = 0; k < keys; ++k) ++at[table.owner(static_cast<std::uint64_t>(k) << 20)];
  for (const int count : at) EXPECT_NEAR(count, 1000, 200);
  table.destroy();
}

TEST(global_hash_map, forall_runs_at_the_owners_and_may_change_values) {
  const map table = map::create();
  delegates::completion_event done;
  for (std::uint64_t key = 0; key < 500; ++key) table.async_insert(done, key, 0);
  done.wait();
  for (bool may_suspend : {true, false}) {
    loops::forall(
        table, [](std::uint64_t, std::uint64_t& value) { value = static_cast<std::uint64_t>(my_core()) + 1; },
        {may_suspend, 0});
    for (const auto& [key, value] : content(table)) {
      EXPECT_EQ(value, static_cast<std::uint64_t>(table.owner(key)) + 1);
    }
  }
  table.destroy();
}

// Points are equal if they are at the same distance: a key type, hash and equality of the user's own.
struct point {
  int x, y;
};
struct by_distance {
  static int distance(point p) { return std::abs(p.x) + std::abs(p.y); }
  int operator()(point p) const { return distance(p); }
  bool operator()(point a, point b) const { return distance(a) == distance(b); }
};
TEST(global_hash_map, takes_a_hash_and_equality_of_the_users) {
  const auto table = global_hash_map<point, int, by_distance, by_distance>::create();
  EXPECT_TRUE(table.insert({1, 2}, 7));
  EXPECT_FALSE(table.insert({-3, 0}, 8));
  EXPECT_EQ(table.lookup({0, 3}), 7);
  EXPECT_EQ(table.lookup({0, 4}), std::nullopt);
  table.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
