#include "system/base/thread_state.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "system/base/identity.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::base {
namespace {

// Made parts that are alive.
int alive = 0;
struct counted_part {
  static constexpr core_part part = core_part::limits;
  counted_part() { ++alive; }
  ~counted_part() { --alive; }
};
struct given_part {
  static constexpr core_part part = core_part::checkpoints;
};

const job_shape three_and_two({3, 2});

TEST(core_binding, makes_the_thread_a_core_and_ends) {
  given_part part;
  thread_identity core = identity_of(4, three_and_two);
  core.add(part);
  {
    const core_binding here(core);
    EXPECT_EQ(my_core(), 4);
    EXPECT_EQ(my_locale(), 1);
    EXPECT_EQ(my_core_of_locale(), 1);
    EXPECT_EQ(&shape(), &three_and_two);
    EXPECT_EQ(&part_of_this_core<given_part>(), &part);
    {
      const core_binding other(identity_of(0, three_and_two));
      EXPECT_TRUE(leads_locale());
      EXPECT_EQ(part_here<given_part>(), nullptr);
    }
    EXPECT_EQ(my_core(), 4);
  }
  EXPECT_FALSE(is_core());
  EXPECT_EQ(part_here<given_part>(), nullptr);
}

TEST(core_binding_death, leaves_no_stale_core_behind) {
  { const core_binding here(identity_of(4, three_and_two)); }
  EXPECT_EXIT(cores(), testing::ExitedWithCode(78), "not a core of a running job");
  EXPECT_EXIT(shape(), testing::ExitedWithCode(78), "not a core of a running job");
  EXPECT_EXIT(part_of_this_core<given_part>(), testing::ExitedWithCode(78), "not a core of a running job");
}

TEST(made_part, ends_with_its_core) {
  owned_parts of_core;
  thread_identity core = identity_of(1, three_and_two);
  core.owned = &of_core;
  const counted_part* made = nullptr;
  for (int visit = 0; visit < 2; ++visit) {
    const core_binding here(core);
    EXPECT_EQ(part_here<counted_part>(), nullptr);
    EXPECT_TRUE(visit == 0 || made == &made_part<counted_part>()) << "made twice";
    made = &made_part<counted_part>();
    EXPECT_EQ(part_here<counted_part>(), made);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(part_here<counted_part>(), nullptr);
  of_core.drop(core_part::limits);
  EXPECT_EQ(alive, 0);
}

TEST(made_part, ends_with_its_thread_where_there_is_no_core) {
  std::thread([] {
    const counted_part* const made = &made_part<counted_part>();
    EXPECT_EQ(&made_part<counted_part>(), made);
    EXPECT_EQ(alive, 1);
  }).join();
  EXPECT_EQ(alive, 0);
}

TEST(made_part, can_be_dropped_and_made_again) {
  made_part<counted_part>();
  drop_part<counted_part>();
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(part_here<counted_part>(), nullptr);
  drop_part<counted_part>();
  made_part<counted_part>();
  EXPECT_EQ(alive, 1);
  drop_part<counted_part>();
}

}  // namespace
}  // namespace orujo::internal::base
