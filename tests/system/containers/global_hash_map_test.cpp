// How a job ends when a map is misused; each test is a job of its own.
#include "system/containers/global_hash_map.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/system/runtime/one_job.hpp"

DECLARE_uint64(memory_budget_bytes);

namespace orujo::internal::containers {
namespace {

using runtime::end_as_job;

TEST(global_hash_map_death, an_insert_during_forall_is_refused) {
  const auto insert_meanwhile = [] {
    const auto map = global_hash_map<int, int>::create();
    for (int k = 0; k < 10; ++k) map.insert(k, 0);
    loops::forall(map, [map](int key, int&) { map.insert(key + 100, 0); });
    return status();
  };
  EXPECT_EXIT(end_as_job(insert_meanwhile), testing::ExitedWithCode(78),
              "keys were inserted or erased during a forall");
}

TEST(global_hash_map_death, one_that_no_memory_holds_is_refused) {
  const auto make = [] {
    global_hash_map<int, std::uint64_t>::create(std::size_t{1} << 40);
    return status();
  };
  EXPECT_EXIT(end_as_job(make), testing::ExitedWithCode(71),
              "FATAL: a global_hash_map requires [0-9]+ bytes");
  const auto make_largest = [] {
    global_hash_map<int, std::uint64_t>::create(~std::size_t{0});
    return status();
  };
  EXPECT_EXIT(end_as_job(make_largest), testing::ExitedWithCode(71), "FATAL: a global_hash_map requires");
}

TEST(global_hash_map_death, one_that_grows_beyond_its_budget_is_refused) {
  FLAGS_memory_budget_bytes = 70 << 20;
  const auto fill = [] {
    const auto map = global_hash_map<std::uint64_t, std::uint64_t>::create();
    for (std::uint64_t key = 0;; ++key) map.local().find_or_insert(key);
    return status();
  };
  EXPECT_EXIT(end_as_job(fill), testing::ExitedWithCode(71), "FATAL: a hash table requires [0-9]+ bytes");
  FLAGS_memory_budget_bytes = 0;
}

}  // namespace
}  // namespace orujo::internal::containers
