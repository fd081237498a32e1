// What people write who are new to this: each ends with status 78 and a sentence that says what is wrong and
// what to do instead. Each is a job of its own, of two locales of one core, or a program without one.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "system/containers/global_array.hpp"
#include "system/delegates/future.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/exchange_by.hpp"
#include "system/loops/forall.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo {
namespace {

struct mistake {
  const char* name;
  const char* said;  // a regular expression
  void (*make)();
};

using containers::global_array;
using delegates::async_call, delegates::async_spawn, delegates::call, delegates::completion_event;

constexpr const char* no_core = "FATAL: this thread is no core of a running job";
constexpr const char* no_such_core = "there is no such core: .*mistakes_test.cpp:[0-9]+";
constexpr const char* blocks = "a message handler may not block, and this would wait for .*: spawn a task";

const mistake without_a_job[] = {
    {"asks_which_core_it_is", no_core, [] { (void)my_core(); }},
    {"spawns_a_task", no_core, [] { tasks::spawn([] {}); }},
    {"yields", no_core, [] { tasks::yield(); }},
    {"waits", no_core, [] { tasks::join_counter(1).wait(); }},
    {"makes_an_event", no_core, [] { completion_event(); }},
    {"makes_an_array", no_core, [] { global_array<int>::create(10); }},
    {"begins_a_loop", no_core, [] { loops::on_all_cores([] {}); }},
    {"calls", no_core, [] { call(0, [] {}); }},
    {"reduces", no_core, [] { loops::all_reduce(1); }},
};

void serve_nothing() {
  char name[] = "program";
  char* words[] = {name};
  run(1, words, "runs within a job", [] { return status(); });
}

const mistake in_a_job[] = {
    {"runs_another_job", "a job in a process that has one already", &serve_nothing},
    {"calls_from_a_thread_of_its_own", no_core, [] { std::thread([] { tasks::spawn([] {}); }).join(); }},
    {"calls_a_core_that_is_not_there", no_such_core, [] { call(99, [] {}); }},
    {"calls_it_with_a_value", no_such_core,
     [] {
       call(
           99, [](std::string) {}, std::string("value"));
     }},
    {"calls_core_minus_one", no_such_core,
     [] {
       completion_event done;
       async_call(done, -1, [] {});
     }},
    {"spawns_at_a_core_that_is_not_there", no_such_core,
     [] {
       completion_event done;
       async_spawn(done, cores(), [] {});
     }},
    {"yields_in_a_delegate", blocks, [] { call(0, [] { tasks::yield(); }); }},
    {"calls_in_a_delegate", "\\[locale 1 core 1\\] FATAL: a message handler may not block",
     [] { call(1, [] { call(0, [] { return 1; }); }); }},
    {"waits_for_a_future_in_a_delegate", "this would wait for the value of a future",
     [] { call(1, [] { async_call(0, [] { return 1; }).get(); }); }},
    {"forgets_an_event_in_a_delegate", "ends in a message handler.*mistakes_test.cpp:[0-9]+",
     [] {
       call(1, [] {
         completion_event forgotten;
         async_call(forgotten, 0, [] {});
       });
     }},
    {"waits_for_what_nobody_has_promised", "nobody has promised", [] { delegates::future<int>().get(); }},
    {"promises_twice", "one promise",
     [] {
       delegates::future<int> f;
       f.make_promise();
       f.make_promise();
     }},
    {"keeps_a_promise_twice", "kept twice",
     [] {
       delegates::future<int> f;
       const delegates::promise<int> p = f.make_promise();
       p.keep(1);
       p.keep(2);
     }},
    {"uses_an_array_that_is_gone", "that this core does not have: destroyed",
     [] {
       const auto array = global_array<int>::create(10);
       array.destroy();
       (void)array.local();
     }},
    {"destroys_an_array_twice", "that this core does not have: destroyed",
     [] {
       const auto array = global_array<int>::create(10);
       array.destroy();
       array.destroy();
     }},
    {"gets_more_than_there_is", "elements 7 to 7 \\+ 4 of a global_array of 10: .*mistakes_test.cpp:[0-9]+",
     [] {
       std::vector<int> values(4);
       global_array<int>::create(10).get(7, values);
     }},
    {"puts_beyond_the_end", "elements 11 to 11 \\+ 0 of a",
     [] { global_array<int>::create(10).put(11, {}); }},
#ifndef NDEBUG
    {"names_an_element_past_the_end", "an index past the end of a global_array",
     [] { (void)global_array<int>::create(10)[10]; }},
#endif
    {"has_two_tasks_of_a_core_in_collectives",
     "two tasks of a core .* begun by main in that of .*mistakes_test.cpp:[0-9]+, and .* in this: .*"
     "mistakes_test.cpp:[0-9]+",
     [] {
       tasks::spawn([] { loops::all_reduce(1); });
       loops::barrier();
     }},
    {"has_arrays_of_two_sizes_in_a_collective", "the members of a collective disagree",
     [] {
       loops::on_all_cores([] {
         std::vector<int> mine(static_cast<std::size_t>(1 + my_core()));
         loops::all_reduce(mine);
       });
     }},
    {"broadcasts_from_a_core_that_is_not_there",
     "the root of a collective is no member of its group.*mistakes_test.cpp:[0-9]+",
     [] { loops::on_all_cores([] { loops::broadcast(1, cores()); }); }},
    {"sends_too_few_in_an_all_to_all", "all_to_all takes one value per member.*mistakes_test.cpp:[0-9]+",
     [] { loops::on_all_cores([] { loops::all_to_all(std::vector<int>(1)); }); }},
    {"sends_to_an_owner_that_is_not_there", "owner_of names a core that does not take part",
     [] { loops::on_all_cores([] { loops::exchange_by(std::vector<int>(1), [](int) { return 99; }); }); }},
};

class mistakes_death : public testing::TestWithParam<mistake> {};
class mistakes_without_a_job_death : public testing::TestWithParam<mistake> {};

std::string name_of(const testing::TestParamInfo<mistake>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(one, mistakes_death, testing::ValuesIn(in_a_job), name_of);
INSTANTIATE_TEST_SUITE_P(one, mistakes_without_a_job_death, testing::ValuesIn(without_a_job), name_of);

void (*make)() = nullptr;

TEST_P(mistakes_death, get_a_sentence) {
  make = GetParam().make;
  const auto job = [] {
    make();
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(job), testing::ExitedWithCode(78), GetParam().said);
}

TEST_P(mistakes_without_a_job_death, get_a_sentence) {
  const auto program = [] {
    install_fatal_handlers();
    std::thread(GetParam().make).join();
    std::_Exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(78), GetParam().said);
}

}  // namespace
}  // namespace orujo
