#include "system/messages/transfers.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::messages {
namespace {

// The memory that the cut off tasks put and get; it outlives the jobs.
std::vector<std::byte> away(std::size_t{4} << 20), own(std::size_t{4} << 20);

// Every core has many tasks that put to the next one or get from there, of whom none is waited for.
status leave_transfers_behind() {
  loops::on_all_cores([] {
    const delegates::global_address<std::byte> there((my_core() + 1) % cores(), away.data());
    for (int k = 0; k < 20; ++k) {
      tasks::spawn([there] { delegates::put(there, std::span<const std::byte>(own)); });
      tasks::spawn([there] { delegates::get(there, std::span<std::byte>(own)); });
    }
    for (int k = 0; k < 20 * my_core(); ++k) tasks::yield();
  });
  return {exit_status::failed, ""};
}

TEST(transfers, of_tasks_that_are_cut_off_do_not_keep_a_job_from_ending) {
  for (std::uint64_t chaos_seed = 0; chaos_seed < 6; ++chaos_seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << chaos_seed);
    runtime::job_options options;
    options.cores = 1;
    options.chaos_seed = chaos_seed;
    EXPECT_EQ(runtime::run_loopback(3, options, &leave_transfers_behind), exit_status::failed);
  }
}

// The number of a put is taken again only when the receiver has told: the loopback transport refuses a number
// that is sent again before it has arrived.
TEST(transfers, take_a_number_again_only_when_both_ends_are_over) {
  for (std::uint64_t chaos_seed = 1; chaos_seed < 6; ++chaos_seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << chaos_seed);
    runtime::job_options options;
    options.cores = 2;
    options.chaos_seed = chaos_seed;
    const exit_status ended = runtime::run_loopback(2, options, [] {
      std::vector<std::byte> from(std::size_t{20} << 10, std::byte{3});
      for (int round = 0; round < 10; ++round) {
        tasks::join_counter all(50);
        for (std::size_t k = 0; k < 50; ++k) {
          tasks::spawn([&from, &all, k] {
            const auto owner = static_cast<core_id>(2 + k % 2);
            std::byte* const place = away.data() + k * from.size();
            delegates::put(delegates::global_address<std::byte>(owner, place),
                           std::span<const std::byte>(from));
            all.complete();
          });
        }
        all.wait();
      }
      return status();
    });
    EXPECT_EQ(ended, exit_status::ok);
    EXPECT_EQ(away[50 * (std::size_t{20} << 10) - 1], std::byte{3});
  }
}

}  // namespace
}  // namespace orujo::internal::messages
