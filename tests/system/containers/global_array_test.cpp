// How a job ends that has no room for its containers, or misuses them; each test is a job of its own.
#include "system/containers/global_array.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "system/containers/ghosts.hpp"
#include "system/containers/global_bag.hpp"
#include "tests/system/runtime/one_job.hpp"

DECLARE_uint64(memory_budget_bytes);

namespace orujo::internal::containers {
namespace {

using runtime::end_as_job;

TEST(global_array_death, one_that_no_memory_holds_is_refused) {
  const auto make = [] {
    global_array<std::uint64_t>::create(std::size_t{1} << 40);
    return status();
  };
  EXPECT_EXIT(end_as_job(make), testing::ExitedWithCode(71),
              "FATAL: a global_array requires [0-9]+ bytes on a locale");
  const auto make_largest = [] {
    global_array<std::uint64_t>::create(~std::size_t{0});
    return status();
  };
  EXPECT_EXIT(end_as_job(make_largest), testing::ExitedWithCode(71), "FATAL: a global_array requires");
}

TEST(ghosts_death, an_element_past_the_end_is_refused) {
  const auto past = [] {
    const auto array = global_array<int>::create(10);
    loops::on_all_cores([=] { ghosts<int>(array, std::array{3, 10}); });
    return status();
  };
  EXPECT_EXIT(end_as_job(past), testing::ExitedWithCode(78), "index 10 of a global_array");
}

TEST(global_bag_death, one_that_grows_beyond_its_budget_is_refused) {
  FLAGS_memory_budget_bytes = 70 << 20;
  const auto fill = [] {
    const auto bag = global_bag<std::uint64_t>::create();
    for (;;) bag.put(0);
    return status();
  };
  EXPECT_EXIT(end_as_job(fill), testing::ExitedWithCode(71),
              "FATAL: a container that grows requires [0-9]+ bytes");
  FLAGS_memory_budget_bytes = 0;
}

}  // namespace
}  // namespace orujo::internal::containers
