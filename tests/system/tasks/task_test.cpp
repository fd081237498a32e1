#include "system/tasks/task.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace orujo::internal::tasks {
namespace {

static_assert(std::is_nothrow_move_constructible_v<task> && std::is_nothrow_move_assignable_v<task>);
static_assert(!std::is_copy_constructible_v<task> && !std::is_copy_assignable_v<task>);

// The events of all closures of a test.
struct tally {
  int made = 0, destroyed = 0, runs = 0;
  int alive() const { return made - destroyed; }
};

// A closure of a given size and alignment that counts its life; moving it may throw if the test says so.
template <std::size_t Bytes, std::size_t Alignment = alignof(void*), bool Nothrow = true>
class alignas(Alignment) counted {
 public:
  explicit counted(tally& t) : tally_(&t) {
    ++tally_->made;
    for (std::size_t k = 0; k < sizeof(filling_); ++k) filling_[k] = static_cast<unsigned char>(k);
  }
  counted(counted&& other) noexcept(Nothrow) : counted(*other.tally_) {}
  ~counted() { ++tally_->destroyed; }
  void operator()() {
    ++tally_->runs;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % Alignment, 0u);
    for (std::size_t k = 0; k < sizeof(filling_); ++k) EXPECT_EQ(filling_[k], static_cast<unsigned char>(k));
  }

 private:
  tally* tally_;
  unsigned char filling_[Bytes - sizeof(tally*)];
};

template <class Closure>
class task_of : public testing::Test {};
using closures = testing::Types<counted<16>, counted<task::inline_bytes>, counted<task::inline_bytes + 8>,
                                counted<1000>, counted<32, 16>, counted<64, 64>, counted<16, 8, false>>;
TYPED_TEST_SUITE(task_of, closures);

TYPED_TEST(task_of, any_size_runs_and_destroys_its_closure_once) {
  tally t;
  {
    task one(TypeParam(t), "here");
    EXPECT_EQ(t.alive(), 1);
    one();
    EXPECT_EQ(t.runs, 1);
    EXPECT_EQ(t.alive(), 1);
  }
  EXPECT_EQ(t.alive(), 0);
}

TYPED_TEST(task_of, any_size_destroys_a_closure_that_never_ran) {
  tally t;
  { const task one(TypeParam(t), "here"); }
  EXPECT_EQ(t.alive(), 0);
  EXPECT_EQ(t.runs, 0);
}

TYPED_TEST(task_of, any_size_moves_with_its_origin) {
  tally t;
  {
    task first(TypeParam(t), "here");
    task second(std::move(first));
    EXPECT_EQ(t.alive(), 1);
    task third;
    third = std::move(second);
    EXPECT_EQ(t.alive(), 1);
    EXPECT_STREQ(third.origin(), "here");
    third();
  }
  EXPECT_EQ(t.runs, 1);
  EXPECT_EQ(t.alive(), 0);
}

TYPED_TEST(task_of, any_size_destroys_what_it_held_before) {
  tally before, after;
  task one(TypeParam(before), "before");
  one = task(TypeParam(after), "after");
  EXPECT_EQ(before.alive(), 0);
  EXPECT_EQ(after.alive(), 1);
  one = task();
  EXPECT_EQ(after.alive(), 0);
  EXPECT_STREQ(one.origin(), "");
}

TYPED_TEST(task_of, any_size_survives_a_move_to_itself) {
  tally t;
  task one(TypeParam(t), "here");
  task& same = one;
  one = std::move(same);
  EXPECT_EQ(t.alive(), 1);
  one();
  EXPECT_EQ(t.runs, 1);
}

TYPED_TEST(task_of, any_size_lives_in_a_growing_vector) {
  tally t;
  {
    std::vector<task> all;
    for (int k = 0; k < 100; ++k) all.emplace_back(TypeParam(t), "here");
    EXPECT_EQ(t.alive(), 100);
    for (task& each : all) each();
  }
  EXPECT_EQ(t.runs, 100);
  EXPECT_EQ(t.alive(), 0);
}

TEST(task, moves_a_large_closure_only_when_it_is_made) {
  tally t;
  task one(counted<1000>(t), "here");
  const int made = t.made;
  task other(std::move(one));
  one = std::move(other);
  EXPECT_EQ(t.made, made);
}

TEST(task, runs_closures_that_only_move_and_change) {
  int result = 0;
  task one([&result, value = std::make_unique<int>(7)]() mutable { result += (*value)++; }, "here");
  one();
  one();
  EXPECT_EQ(result, 15);
}

TEST(task, copies_a_closure_that_is_kept) {
  int runs = 0;
  const auto closure = [&runs] { ++runs; };
  task one(closure, "here"), two(closure, "there");
  one();
  two();
  EXPECT_EQ(runs, 2);
}

TEST(task, drops_what_its_closure_returns) {
  int runs = 0;
  task t([&runs] { return ++runs; }, "here");
  t();
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace orujo::internal::tasks
