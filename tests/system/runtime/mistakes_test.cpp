// Mistakes of beginners. Each ends with status 78 and a sentence that names the mistake and the remedy. Each
// is a job of its own, of two locales of one core, or a program without one.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/future.hpp"
#include "system/delegates/gather.hpp"
#include "system/loops/forall.hpp"
#include "system/loops/schedule.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal {
namespace {

struct mistake {
  const char* name;
  const char* said;  // a regular expression
  void (*make)();
};

using containers::global_array;
using delegates::async_call, delegates::async_increment, delegates::async_read, delegates::async_spawn;
using delegates::call, delegates::completion_event;
using memory::global_address;

template <class T>
global_address<T> address_of(T& object) {
  return {my_core(), &object};
}

constexpr const char* no_core = "FATAL: this thread is not a core of a running job";
constexpr const char* no_such_core = "there is no such core: .*mistakes_test.cpp:[0-9]+";
constexpr const char* no_core_of_address =
    "there is no core [0-9]+: cores are 0 to 1.*in the task begun by main";
constexpr const char* reversed =
    "the range of a loop ends before it begins, \\{1, 0\\}: .*mistakes_test.cpp:[0-9]+";
constexpr const char* blocks = "a message handler may not block, and this would wait for .*: spawn a task";

const mistake without_a_job[] = {
    {"asks_which_core_it_is", no_core, [] { (void)my_core(); }},
    {"asks_how_many_cores_there_are", no_core, [] { (void)cores(); }},
    {"asks_which_locale_it_is", no_core, [] { (void)my_locale(); }},
    {"asks_how_many_locales_there_are", no_core, [] { (void)locales(); }},
    {"asks_how_many_cores_its_locale_has", no_core, [] { (void)my_locales_cores(); }},
    {"asks_which_core_of_its_locale_it_is", no_core, [] { (void)my_core_of_locale(); }},
    {"asks_whether_it_leads_its_locale", no_core, [] { (void)leads_locale(); }},
    {"asks_for_the_shape", no_core, [] { (void)shape(); }},
    {"spawns_a_task", no_core, [] { tasks::spawn([] {}); }},
    {"yields", no_core, [] { tasks::yield(); }},
    {"waits", no_core, [] { tasks::join_counter(1).wait(); }},
    {"makes_an_event", no_core, [] { completion_event(); }},
    {"makes_an_array", no_core, [] { global_array<int>::create(10); }},
    {"begins_a_loop", no_core, [] { loops::on_all_cores([] {}); }},
    {"calls", no_core, [] { call(0, [] {}); }},
    {"reduces", no_core, [] { collectives::all_reduce(1); }},
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
    {"increments_past_the_last_core", no_core_of_address,
     [] {
       completion_event done;
       async_increment(done, global_address<int>(cores(), nullptr));
     }},
    {"writes_past_the_last_core", no_core_of_address,
     [] { delegates::write(global_address<int>(7, nullptr), 1); }},
    {"reads_from_the_last_core_that_there_can_be", no_core_of_address,
     [] { (void)delegates::read(global_address<int>(65'535, nullptr)); }},
    {"reads_the_null_address", no_core_of_address, [] { (void)delegates::read(global_address<int>()); }},
    {"reads_the_null_address_asynchronously", no_core_of_address,
     [] {
       completion_event done;
       int word = 0;
       async_read(done, global_address<int>(), &word);
     }},
    {"gets_from_the_null_address", no_core_of_address,
     [] {
       std::vector<int> values(4);
       delegates::get(global_address<int>(), std::span(values));
     }},
    {"gathers_from_the_null_address", no_core_of_address,
     [] {
       std::vector<int> values(4);
       delegates::gather(global_address<int>(), std::vector<int>(4), std::span(values));
     }},
    {"gathers_an_element_past_the_end",
     "index 10 of a global_array of 10 elements: .*mistakes_test.cpp:[0-9]+",
     [] {
       std::vector<int> values(2);
       global_array<int>::create(10).gather(std::vector<int>{9, 10}, std::span(values));
     }},
    {"sends_its_own_core_too_large_a_payload", "a payload larger than .*mistakes_test.cpp:[0-9]+",
     [] {
       completion_event done;
       async_call(
           done, my_core(), [](std::span<const std::byte>) {},
           std::span<const std::byte>(std::vector<std::byte>(100'000)));
     }},
    {"sends_another_core_too_large_a_payload", "a payload larger than .*mistakes_test.cpp:[0-9]+",
     [] {
       completion_event done;
       async_call(
           done, 1, [](std::span<const std::byte>) {},
           std::span<const std::byte>(std::vector<std::byte>(100'000)));
     }},
    {"sends_itself_too_large_a_message", "a message larger than a block",
     [] {
       messages::messenger::here().send_with_payload(
           my_core(), [](std::span<const std::byte>) {}, std::vector<std::byte>(100'000));
     }},
    {"waits_for_an_event_of_another_core", "waited for away from its core.*mistakes_test.cpp:[0-9]+",
     [] {
       auto* const event = new completion_event();
       delegates::call_task(1, [event] { event->wait(); });
     }},
    {"loops_backwards", reversed,
     [] {
       loops::forall({1, 0}, [](std::size_t) {});
     }},
    {"loops_backwards_without_tasks", reversed,
     [] {
       loops::forall({1, 0}, [](std::size_t) {}, {.may_suspend = false});
     }},
    {"steals_backwards", reversed,
     [] {
       loops::forall({1, 0}, [](std::size_t) {}, {.stealable = true});
     }},
    {"loops_backwards_asynchronously", reversed,
     [] {
       completion_event done;
       loops::async_forall(done, {1, 0}, [](std::size_t) {});
     }},
    {"loops_backwards_here", reversed,
     [] {
       loops::forall_here({1, 0}, [](index_range) {});
     }},
    {"loops_backwards_at_its_locale", reversed,
     [] {
       loops::forall_on_locale(loops::schedule::dynamic(1), {1, 0}, [](std::size_t) {});
     }},
    {"loops_backwards_together", reversed,
     [] {
       loops::on_locale([] {
         loops::collective_forall(loops::schedule::fixed(), {1, 0}, [](std::size_t) {});
       });
     }},
    {"cuts_a_range_backwards", reversed,
     [] {
       (void)part_of({1, 0}, 0, 2);
     }},
    {"takes_its_part_backwards", reversed,
     [] {
       (void)my_part_of_job({1, 0});
     }},
    {"takes_its_part_of_the_locale_backwards", reversed,
     [] {
       (void)my_part_of_locale({1, 0});
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
    {"waits_for_what_nobody_has_promised", "that has no promise", [] { delegates::future<int>().get(); }},
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
    {"names_an_element_past_the_end", "index 10 of a global_array of 10 elements: .*mistakes_test.cpp:[0-9]+",
     [] { (void)global_array<int>::create(10)[10]; }},
    {"counts_down_another_cores_counter", "a join counter of core 0 is used at core 1",
     [] {
       tasks::join_counter counter(1);
       call(1, [at = address_of(counter)] { at.local()->complete(); });
     }},
    {"writes_another_cores_word", "a full/empty word of core 0 is used at core 1",
     [] {
       tasks::full_empty<int> word;
       call(1, [at = address_of(word)] { at.local()->write_full(1); });
     }},
    {"unlocks_another_cores_mutex", "a mutex of core 0 is used at core 1",
     [] {
       tasks::mutex door;
       door.lock();
       call(1, [at = address_of(door)] { at.local()->unlock(); });
     }},
    {"releases_another_cores_semaphore", "a semaphore of core 0 is used at core 1",
     [] {
       tasks::semaphore permits(0);
       call(1, [at = address_of(permits)] { at.local()->release(); });
     }},
    {"notifies_another_cores_variable", "a condition variable of core 0 is used at core 1",
     [] {
       tasks::condition_variable changed;
       call(1, [at = address_of(changed)] { at.local()->notify_one(); });
     }},
#endif
    {"has_two_tasks_of_a_core_in_collectives",
     "two tasks of a core .* begun by main in that of .*mistakes_test.cpp:[0-9]+, and .* in this: .*"
     "mistakes_test.cpp:[0-9]+",
     [] {
       tasks::spawn([] { collectives::all_reduce(1); });
       collectives::barrier();
     }},
    {"has_arrays_of_two_sizes_in_a_collective", "the members of a collective disagree",
     [] {
       loops::on_all_cores([] {
         std::vector<int> mine(static_cast<std::size_t>(1 + my_core()));
         collectives::all_reduce(mine);
       });
     }},
    {"broadcasts_from_a_core_that_is_not_there",
     "the root of a collective is not a member of its group.*mistakes_test.cpp:[0-9]+",
     [] { loops::on_all_cores([] { collectives::broadcast(1, cores()); }); }},
    {"sends_too_few_in_an_all_to_all", "all_to_all takes one value per member.*mistakes_test.cpp:[0-9]+",
     [] { loops::on_all_cores([] { collectives::all_to_all(std::vector<int>(1)); }); }},
    {"sends_to_an_owner_that_is_not_there", "owner_of names a core that does not take part",
     [] {
       loops::on_all_cores([] { collectives::exchange_by(std::vector<int>(1), [](int) { return 99; }); });
     }},
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
    base::install_fatal_handlers();
    std::thread(GetParam().make).join();
    std::_Exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(78), GetParam().said);
}

}  // namespace
}  // namespace orujo::internal
