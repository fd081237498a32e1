// Each test is a job of its own.
#include "system/tasks/check_closure.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::tasks {
namespace {

// The main task of a job in which all closures are looked at.
template <class F>
status (*checking(F))() {
  return [] {
    check_closures(closure_checks::all);
    F()();
    return status();
  };
}

TEST(check_closure_death, names_the_call_that_takes_a_reference_elsewhere) {
  const testing::ExitedWithCode misused(78);
  const char* const said = "captures a reference.*check_closure_test.cpp:[0-9]+";
#if __has_builtin(__builtin_clear_padding)  // else closures with padding are let pass
  EXPECT_EXIT(runtime::end_as_job(checking([] {
                int sum = 0;
                loops::forall({0, 10}, [&](std::size_t) { ++sum; });
              })),
              misused, said);
  EXPECT_EXIT(runtime::end_as_job(checking([] {
                const auto array = containers::global_array<int>::create(10);
                int sum = 0;
                loops::forall(array, [seven = 7, &sum](int& element) { sum += element + seven; });
              })),
              misused, said);
#endif
  EXPECT_EXIT(runtime::end_as_job(checking([] {
                int word = 0;
                delegates::call(cores() - 1, [to = &word] { *to = 1; });
              })),
              misused, said);
  EXPECT_EXIT(runtime::end_as_job(checking([] {
                int word = 0;
                delegates::finish([&](delegates::event_ref event) {
                  delegates::async_spawn(event, cores() - 1, [&word] { word = 1; });
                });
              })),
              misused, said);
}

TEST(check_closure_death, lets_values_and_global_addresses_pass) {
  EXPECT_EXIT(runtime::end_as_job(checking([] {
                int sum = 0;
                std::vector<int> elsewhere(1);
                const memory::global_address<int> total(my_core(), &sum);
                loops::forall({0, 10},
                              [total, heap = elsewhere.data(), big = ~std::size_t{0}](std::size_t i) {
                                if (heap && i < big) delegates::increment(total);
                              });
                loops::on_locale([&sum] { (void)sum; });
                require(sum == 10, "all has been counted");
              })),
              testing::ExitedWithCode(0), "");
}

// Unless they are told otherwise, jobs look at the closures of sources that are compiled without NDEBUG.
TEST(check_closure_death, looks_at_debug_sources_by_itself) {
#ifdef NDEBUG
  const int code = 0;
#else
  const int code = 78;
#endif
  EXPECT_EXIT(runtime::end_as_job([] {
                int word = 0;
                delegates::call(cores() - 1, [to = &word] { return to != nullptr; });
                return status();
              }),
              testing::ExitedWithCode(code), "");
}

TEST(check_closure_death, can_be_told_to_look_away) {
  EXPECT_EXIT(runtime::end_as_job([] {
                check_closures(closure_checks::none);
                int word = 0;
                delegates::call(0, [to = &word] { *to = 1; });
                return word == 1 ? status() : status(exit_status::failed, "not called");
              }),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orujo::internal::tasks
