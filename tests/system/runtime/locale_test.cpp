#include "system/runtime/locale.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "system/base/identity.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"

namespace orujo::internal::runtime {
namespace {

job_options two_cores() {
  job_options options;
  options.cores = 2;
  return options;
}

// A job whose first core is the calling thread.
void run_here(const std::function<void()>& body) {
  const status ended = live_in_process(1, two_cores(),
                                       {.main =
                                            [&body] {
                                              body();
                                              return exit_status::ok;
                                            },
                                        .begins = {},
                                        .ends = {}});
  ASSERT_TRUE(ended.ok()) << ended.message();
}

TEST(locale, leaves_the_thread_no_core_and_runs_again_there) {
  for (int job = 0; job < 2; ++job) {
    int sum = 0;
    run_here([&] { sum = delegates::sum_of_all([] { return my_core() + 1; }); });
    EXPECT_EQ(sum, 3);
    EXPECT_FALSE(base::is_core());
  }
}

TEST(locale_death, what_is_asked_of_a_job_that_has_ended_is_misuse) {
  const auto ask_late = [] {
    run_here([] {});
    static_cast<void>(cores());
  };
  EXPECT_EXIT(ask_late(), testing::ExitedWithCode(78), "not a core of a running job");
}

// Where an object ends that a job has left behind.
struct tells_where_it_ends {
  core_id* to;
  ~tells_where_it_ends() { *to = base::my_identity().core; }
};

TEST(locale, ends_what_a_core_has_left_at_that_core) {
  core_id ended_at[2] = {-1, -1};
  run_here([&] {
    using left = containers::symmetric<std::unique_ptr<tells_where_it_ends>>;
    static_cast<void>(left::create_by([to = &ended_at[0]] {
      return std::unique_ptr<tells_where_it_ends>(new tells_where_it_ends{to + my_core()});
    }));
  });
  EXPECT_EQ(ended_at[0], 0);
  EXPECT_EQ(ended_at[1], 1);
}

}  // namespace
}  // namespace orujo::internal::runtime
