#include "system/containers/global_array.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::containers {
namespace {

TEST(global_array, has_consecutive_blocks_at_consecutive_cores) {
  for (const std::size_t size : {0u, 1u, 2u, 5u, 1000u}) {
    const auto array = global_array<std::uint64_t>::create(size);
    ASSERT_EQ(array.size(), size);
    for (std::size_t i = 0; i < size; ++i) {
      const core_id owner = array.owner(i);
      EXPECT_EQ(array[i].core(), owner);
      EXPECT_GE(owner, i == 0 ? 0 : array.owner(i - 1));
      EXPECT_EQ(delegates::read(array[i]), 0u);
      EXPECT_TRUE(delegates::call(owner, [=] {
        const loops::index_range here = array.range_here();
        return here.first <= i && i < here.last &&
               array[i].local() == array.local().data() + (i - here.first);
      })) << i;
    }
    array.destroy();
  }
}

TEST(global_array, may_be_made_by_several_tasks_at_a_time) {
  constexpr std::size_t makers = 8;
  tasks::join_counter missing(makers);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < makers; ++k) {
    tasks::spawn([&, k] {
      for (std::size_t round = 0; round < 5; ++round) {
        const std::size_t size = 10 * k + round;
        const auto array = global_array<std::uint64_t>::create(size);
        loops::forall(array, [k](std::size_t i, std::uint64_t& element) { element = 1000 * k + i; });
        for (std::size_t i = 0; i < size; ++i) wrong += delegates::read(array[i]) != 1000 * k + i;
        array.destroy();
      }
      missing.complete();
    });
  }
  missing.wait();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace orujo::containers
