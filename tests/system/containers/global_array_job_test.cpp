#include "system/containers/global_array.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/delegates/delegate.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::containers {
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
        const index_range here = array.range_here();
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

// Random ranges are put and fetched in both ways, and a model is kept beside the array. Ranges of few
// elements lie within blocks. The largest are all of the array, of which each core has enough for the
// transport to carry.
TEST(global_array, puts_and_gets_any_range) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{20'000}}) {
    SCOPED_TRACE(testing::Message() << size << " elements");
    const auto array = global_array<std::uint64_t>::create(size);
    std::vector<std::uint64_t> model(size);
    random_stream random(size);
    for (int step = 0; step < 40; ++step) {
      const std::size_t first = step % 8 == 0 ? 0 : random.below(size + 1);
      const std::size_t n = step % 8 == 0 ? size : random.below(size - first + 1);
      const std::span<std::uint64_t> range = std::span(model).subspan(first, n);
      std::iota(range.begin(), range.end(), random());
      std::vector<std::uint64_t> found(n);
      delegates::finish([&](delegates::event_ref event) {
        if (step % 2) return array.put(first, range);
        std::vector<std::uint64_t> reused(range.begin(), range.end());
        array.async_put(event, first, reused);
        std::fill(reused.begin(), reused.end(), 0);
      });
      delegates::finish([&](delegates::event_ref event) {
        step % 3 ? array.get(first, found) : array.async_get(event, first, found);
      });
      ASSERT_TRUE(std::equal(range.begin(), range.end(), found.begin())) << first << " + " << n;
    }
    std::vector<std::uint64_t> all(size);
    array.get(0, all);
    EXPECT_EQ(all, model);
    array.destroy();
  }
}

TEST(global_array, ranges_may_be_moved_by_tasks_of_all_cores) {
  const auto everyone = static_cast<std::size_t>(cores());
  constexpr std::size_t each = 3001;
  const auto array =
      global_array<std::uint32_t>::create(each * everyone + 1);  // so that parts straddle blocks
  loops::on_all_cores([=] {
    std::vector<std::uint32_t> mine(each, static_cast<std::uint32_t>(my_core()) + 1);
    array.put(each * static_cast<std::size_t>(my_core()), mine);
  });
  EXPECT_EQ(cores_where([=] {
              const core_id next = (my_core() + 1) % cores();
              std::vector<std::uint32_t> theirs(each);
              array.get(each * static_cast<std::size_t>(next), theirs);
              return theirs == std::vector<std::uint32_t>(each, static_cast<std::uint32_t>(next) + 1);
            }),
            cores());
  array.destroy();
}

// Core c passes c elements, so that core 0 passes none, and blocks straddle what cores pass.
TEST(global_array, is_made_of_one_value_or_by_a_function) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    const auto sevens = global_array<int>::create(n, 7);
    EXPECT_EQ(sevens.values(), std::vector<int>(n, 7));
    sevens.fill(-1);
    EXPECT_EQ(sevens.values(), std::vector<int>(n, -1));
    sevens.destroy();
    const auto squares = global_array<std::uint64_t>::create_by(n, [](std::size_t i) { return i * i; });
    const std::vector<std::uint64_t> all = squares.values();
    ASSERT_EQ(all.size(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(all[i], i * i);
    squares.destroy();
  }
}

TEST(global_array, is_made_of_what_each_core_has) {
  const auto last = static_cast<std::uint64_t>(cores() - 1);
  EXPECT_EQ(cores_where([=] {
              const auto me = static_cast<std::uint64_t>(my_core());
              std::vector<std::uint64_t> mine(me);
              std::iota(mine.begin(), mine.end(), me * 1000);
              const auto array = global_array<std::uint64_t>::of(mine);
              std::vector<std::uint64_t> all(array.size()), expected;
              array.get(0, all);
              for (std::uint64_t c = 0; c <= last; ++c)
                for (std::uint64_t k = 0; k < c; ++k) expected.push_back(c * 1000 + k);
              collectives::barrier();
              if (me == 0) array.destroy();
              return all == expected;
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::containers
