#include "system/collectives/exchange_by.hpp"

#include <gtest/gtest.h>

#include "system/loops/forall.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::collectives {
namespace {

TEST(exchange_by_death, owners_that_do_not_take_part_are_refused) {
  const testing::ExitedWithCode misused(78);
  const auto beyond = [] {
    loops::on_all_cores([] { exchange_by(std::vector<int>(3), [](int) { return cores(); }); });
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(beyond), misused, "does not take part.*exchange_by_test.cpp:[0-9]+");
  const auto of_another_group = [] {
    loops::on_all_cores([] {
      exchange_by(
          std::vector<int>(3), [](int) { return 1 - my_core(); }, group::locale);
    });
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(of_another_group), misused, "does not take part in the exchange");
}

}  // namespace
}  // namespace orujo::internal::collectives
