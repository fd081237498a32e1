// How a job ends when the global heap is misused; each test is a job of its own.
#include "system/delegates/global_heap.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include "system/delegates/delegate.hpp"
#include "tests/system/runtime/one_job.hpp"

DECLARE_uint64(global_heap_bytes);

namespace orujo::internal::delegates {
namespace {

// Runs `main_task` on core 0 of a job of two locales of one core, with a heap of 1 MiB at each.
void run_job(status (*main_task)(), std::uint64_t heap_bytes = 1 << 20) {
  FLAGS_global_heap_bytes = heap_bytes;
  runtime::end_as_job(main_task);
}

TEST(global_heap_death, refuses_what_does_not_fit_and_says_which_flag_helps) {
  const auto allocate = [] {
    global_alloc<std::uint64_t>(1000);
    global_alloc<std::uint64_t>(1 << 18);
    return status();
  };
  EXPECT_EXIT(
      run_job(allocate), testing::ExitedWithCode(71),
      testing::Eq("[locale 0 core 0] FATAL: the global heap has no room: 2097152 bytes needed in "
                  "blocks of 64; 2089088 available, 2089088 of them in one piece, of 2097152 in all: "
                  "raise --global_heap_bytes (per locale; 1048576 per core now) or use more nodes\n"));
}

TEST(global_heap_death, names_the_core_that_asked_for_too_much) {
  const auto allocate = [] {
    tasks::join_counter never(1);
    messenger::here().send(1, [] { tasks::spawn([] { global_alloc<char>(~std::size_t{0}); }); });
    never.wait();
    return status();
  };
  EXPECT_EXIT(run_job(allocate), testing::ExitedWithCode(71),
              "\\[locale 1 core 1\\] FATAL: the global heap has no room: 18446744073709551615 bytes needed");
}

TEST(global_heap_death, refuses_sizes_that_overflow) {
  const auto allocate = [] {
    global_alloc<std::uint64_t>(std::size_t{1} << 61);
    return status();
  };
  EXPECT_EXIT(run_job(allocate), testing::ExitedWithCode(71), "18446744073709551615 bytes needed");
}

TEST(global_heap_death, that_could_not_be_mapped_says_so_when_it_is_used) {
  const auto leave_it = [] { return status(); };
  EXPECT_EXIT(run_job(leave_it, 1), testing::ExitedWithCode(0), "");
  const auto allocate = [] {
    global_alloc<char>(1);
    return status();
  };
  EXPECT_EXIT(run_job(allocate, 1), testing::ExitedWithCode(71),
              "1 bytes needed, 0 available, because .* could not map .* --global_heap_bytes");
}

TEST(global_heap_death, checks_that_an_object_fits_a_block) {
  struct alignas(256) large {
    char bytes[256];
  };
  const auto small_block = [] {
    global_alloc<large>(1, 128);
    return status();
  };
  EXPECT_EXIT(run_job(small_block), testing::ExitedWithCode(78), "a block is smaller than an object");
  const auto odd_block = [] {
    global_alloc<char>(1, 100);
    return status();
  };
  EXPECT_EXIT(run_job(odd_block), testing::ExitedWithCode(78), "not a power of two");
}

TEST(global_heap_death, checks_that_what_is_freed_was_allocated_and_not_freed) {
  const auto twice = [] {
    const auto a = global_alloc<std::uint64_t>(10);
    global_free(a);
    global_free(a);
    return status();
  };
  EXPECT_EXIT(run_job(twice), testing::ExitedWithCode(78), "global_free .* or freed already");
  const auto inside = [] {
    global_free(global_alloc<std::uint64_t>(10) + 1);
    return status();
  };
  EXPECT_EXIT(run_job(inside), testing::ExitedWithCode(78),
              "global_free of index 8 in blocks of 64 bytes: not");
}

}  // namespace
}  // namespace orujo::internal::delegates
