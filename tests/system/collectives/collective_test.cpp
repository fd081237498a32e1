// How a job ends whose cores do not keep to one task each in collectives.
#include "system/collectives/collective.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::collectives {
namespace {

using runtime::end_as_job;

void begin_a_sum() {
  tasks::spawn([] { all_reduce(1, std::plus<>()); });
}

status wait_beside_a_sum() {
  begin_a_sum();
  barrier();
  return {};
}

TEST(collective_death, refuses_a_second_task_of_a_core_and_names_both) {
  EXPECT_EXIT(end_as_job(wait_beside_a_sum), testing::ExitedWithCode(78),
              "\\[locale 0 core 0\\] FATAL: two tasks of a core are in collectives.*"
              "begun by main in that of .*collective_test.cpp:[0-9]+, .*begun by .*begin_a_sum.*in this: .*"
              "collective_test.cpp:[0-9]+");
}

TEST(collective_death, refuses_a_second_task_amid_an_exchange_of_arrays) {
  const auto wait_beside_a_large_sum = [] {
    begin_a_sum();
    std::vector<std::uint64_t> values(100'000);
    all_reduce(std::span(values), std::plus<>());
    return status();
  };
  EXPECT_EXIT(end_as_job(wait_beside_a_large_sum), testing::ExitedWithCode(78),
              "two tasks of a core are in collectives.*begun by .*begun by .*begin_a_sum");
}

}  // namespace
}  // namespace orujo::internal::collectives
