#include "system/containers/global_hash_set.hpp"

#include <gtest/gtest.h>

#include <string>

#include "system/containers/global_counter.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
namespace {

TEST(global_hash_set, of_all_who_insert_a_key_one_is_first) {
  constexpr std::size_t keys = 500;
  const auto set = global_hash_set<std::uint32_t>::create(keys);
  const auto firsts = global_counter::create();
  loops::on_all_cores([=] {
    loops::forall_here({0, keys}, [=](std::size_t k) {
      if (set.insert(static_cast<std::uint32_t>(k) * 4096)) firsts.add();
    });
  });
  EXPECT_EQ(firsts.value(), static_cast<std::int64_t>(keys));
  EXPECT_EQ(set.size(), keys);
  EXPECT_TRUE(set.contains(4096));
  EXPECT_FALSE(set.contains(4097));
  EXPECT_TRUE(set.erase(4096));
  EXPECT_FALSE(set.erase(4096));
  EXPECT_FALSE(set.contains(4096));
  firsts.destroy();
  set.destroy();
}

TEST(global_hash_set, takes_strings) {
  const auto set = global_hash_set<std::string>::create();
  delegates::completion_event done;
  loops::forall({0, 300}, [=, event = done.ref()](std::size_t k) {
    set.async_insert(event, std::string(k % 50, 'x'));
    if (k < 10) set.insert(std::to_string(k));
  });
  done.wait();
  EXPECT_EQ(set.size(), 60u);
  EXPECT_TRUE(set.contains(std::string(49, 'x')) && set.contains(""));
  EXPECT_FALSE(set.contains(std::string(50, 'x')));
  EXPECT_TRUE(set.erase("7"));
  EXPECT_FALSE(set.insert("8"));
  EXPECT_EQ(set.size(), 59u);
  set.destroy();
}

TEST(global_hash_set, asynchronous_operations_and_forall_meet_every_key_once) {
  constexpr std::size_t keys = 2000;
  const auto set = global_hash_set<std::uint64_t>::create();
  auto met = global_array<int>::create(keys);
  delegates::completion_event done;
  loops::forall({0, 3 * keys}, [=, event = done.ref()](std::size_t k) { set.async_insert(event, k % keys); });
  done.wait();
  for (std::size_t k = 0; k < keys; k += 2) set.async_erase(done, k);
  done.wait();
  loops::forall(set,
                [=, event = done.ref()](std::uint64_t key) { delegates::async_increment(event, met[key]); });
  done.wait();
  // The odd keys, once each.
  loops::forall(met, [](std::size_t i, int& times) { times -= static_cast<int>(i % 2); });
  EXPECT_EQ(elements_other_than(met, 0), 0u);
  set.clear();
  EXPECT_EQ(set.size(), 0u);
  met.destroy();
  set.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
