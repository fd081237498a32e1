// How a job ends when a map is misused; each test is a job of its own.
#include "system/containers/global_hash_map.hpp"

#include <gtest/gtest.h>

#include "tests/system/runtime/one_job.hpp"

namespace orujo::containers {
namespace {

using runtime::end_as_job;

TEST(global_hash_map_death, an_insert_during_forall_is_refused) {
  const auto insert_meanwhile = [] {
    const auto map = global_hash_map<int, int>::create();
    for (int k = 0; k < 10; ++k) map.insert(k, 0);
    loops::forall(map, [map](int key, int&) { map.insert(key + 100, 0); });
    return status();
  };
  EXPECT_EXIT(end_as_job(insert_meanwhile), testing::ExitedWithCode(78), "keys came or went during a forall");
}

}  // namespace
}  // namespace orujo::containers
