// The examples of the C++ reference about the runtime: bin/site/api.py shows the lines between "example:" and
// "end of example" on the pages of these names.
#include <gtest/gtest.h>
#include <orujo/orujo.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace orujo::api_examples {
namespace {

// example: counter, histogram, summary, trace_scope, trace_instant, trace_counter
const counter lookups("example.lookups", "look-ups of the example");
const histogram lookup_ns("example.lookup_ns", "duration of look-ups, ns");
const summary lookup_errors("example.errors", "errors of the example's results");

void look_up(std::uint64_t round) {
  const trace_scope scope("look_up", round);  // a span until the end of the function
  lookups.add();
  lookup_ns.record(1'500);
  lookup_errors.record(1e-9);
  if (round == 0) trace_instant("first look-up");
  trace_counter("look-ups so far", lookups.value_here());
}
// end of example

TEST(api_examples, metrics) {
  look_up(0);
  // example: merged_metrics, reset_metrics, merged_traffic
  const auto metrics = merged_metrics();  // of all cores
  if (metrics.count_of("example.lookups") > 0) std::fputs(metrics.text().c_str(), stderr);
  const auto traffic = merged_traffic();  // between each pair of locales
  static_cast<void>(traffic);
  reset_metrics();  // before the phase that is to be measured
  // end of example
}

TEST(api_examples, symmetric) {
  // example: symmetric
  const auto parts = symmetric<std::vector<int>>::create_by([] { return std::vector<int>(10, my_core()); });
  const core_id last = cores() - 1;
  EXPECT_EQ(call(last, [parts] { return parts.here()[0]; }), last);
  parts.destroy();
  // end of example
}

TEST(api_examples, containers) {
  // example: global_array, sort
  const auto numbers =
      global_array<std::uint64_t>::create_by(10'000, [](std::size_t i) { return mix64(i) % 1000; });
  increment(numbers[7], 5);  // [i] is the address of element i, for delegates
  sort(numbers);
  std::vector<std::uint64_t> smallest(3);
  numbers.get(0, std::span(smallest));  // bulk operations take indices; values() gets all elements
  numbers.destroy();
  // end of example
  EXPECT_TRUE(smallest[0] <= smallest[1]);

  // example: global_hash_map, global_hash_set, global_multimap
  const auto counts = global_hash_map<std::uint64_t, std::uint64_t>::create(1000);
  finish([&](event_ref event) {
    forall({0, 10'000}, [counts, event](std::size_t i) {
      counts.async_update(event, mix64(i) % 100, [](std::uint64_t& count) { ++count; });
    });
  });
  EXPECT_EQ(counts.size(), 100);
  const std::uint64_t of_three = counts.lookup(3).value_or(0);
  counts.destroy();

  const auto seen = global_hash_set<std::uint64_t>::create();
  EXPECT_TRUE(seen.insert(17));  // new
  seen.destroy();

  const auto friends = global_multimap<int, int>::create();
  friends.insert(1, 2);
  friends.insert(1, 3);
  EXPECT_EQ(friends.values(1).size(), 2);
  friends.destroy();
  // end of example
  EXPECT_GT(of_three, 0u);

  // example: global_vector
  const auto queue = global_vector<int>::create();
  on_all_cores([queue] { queue.push(my_core()); });
  int taken = 0;
  while (const auto value = queue.dequeue()) ++taken;  // the oldest; pop() takes the newest
  EXPECT_EQ(taken, cores());
  queue.destroy();
  // end of example

  // example: global_bag, global_counter
  const auto work = global_bag<int>::create();
  const auto done = global_counter::create();
  work.put(1);
  on_all_cores([work, done] {
    while (const auto item = work.take()) {  // of this core, or of another
      if (*item < 100) work.put(*item + 1);
      done.add();
    }
  });
  EXPECT_EQ(done.value(), 100);
  work.destroy();
  done.destroy();
  // end of example

  // example: global_disjoint_sets
  const auto sets = global_disjoint_sets::create(1000);
  finish([&](event_ref event) {
    forall({0, 998}, [sets, event](std::size_t i) { sets.async_unite(event, i, i + 2); });
  });
  EXPECT_EQ(sets.sets(), 2);
  EXPECT_EQ(sets.find(1), sets.find(999));
  const auto of = sets.representatives();  // of all numbers at once
  forall(of, [](std::size_t i, std::uint64_t one) { check(i % 2 == one % 2, "odd with odd"); });
  sets.destroy();
  // end of example
}

TEST(api_examples, statuses) {
  // example: status, result, exit_status, first_failure, share_on_locale
  const auto half = [](int n) -> result<int> {
    if (n % 2 != 0) return status(exit_status::bad_data, std::to_string(n) + " is odd; pass an even number");
    return n / 2;
  };
  EXPECT_EQ(half(8).value(), 4);
  const status failed = on_all_cores([half] { return first_failure(half(2 * my_core()).status()); });
  EXPECT_TRUE(failed.ok());

  on_all_cores([] {
    const auto table =
        share_on_locale<std::vector<int>>([] { return std::make_shared<std::vector<int>>(1000); });
    check(table->size() == 1000, "the cores of a locale share one table");
  });
  // end of example
}

// example: distributed, forall_here, my_part_of_job, index_range, part_of, my_part_of_locale
struct squares {  // a collection of one's own: nothing is stored
  std::size_t size;
  template <class Body>
  void forall_here(const Body& body, loop_options options) const {
    orujo::forall_here(
        my_part_of_job({0, size}), [&](std::size_t i) { body(i * i); }, options);
  }
};
// end of example

TEST(api_examples, loops) {
  const auto sum = global_counter::create();
  // example: forall, async_forall, loop_options, on_all_cores, on_locale
  forall({0, 100}, [sum](std::size_t i) { sum.add(static_cast<std::int64_t>(i)); });
  forall(squares{10}, [sum](std::size_t square) { sum.add(static_cast<std::int64_t>(square)); },
         {.may_suspend = false});  // a plain loop at each core
  completion_event done;
  async_forall(done, {0, 100}, [sum](index_range part) { sum.add(static_cast<std::int64_t>(part.size())); },
               {.stealable = true});
  done.wait();

  const bool leads = on_all_cores([] { return leads_locale(); });  // what f returns at this core
  int count = 0;
  on_locale([&count] {  // references are fine within a locale
    if (leads_locale()) count = my_locales_cores();
  });
  // end of example
  EXPECT_EQ(sum.value(), 4950 + 285 + 100);
  EXPECT_EQ(leads && count == my_locales_cores(), true);
  sum.destroy();

  // example: schedule, shared_loop, collective_forall, forall_on_locale, chunk, even_chunks, user_options,
  // schedule_from_flags
  std::vector<int> visits(1000);
  forall_on_locale(schedule::guided(8), {0, visits.size()}, [&](std::size_t i) { ++visits[i]; });

  shared_loop again({0, visits.size()}, my_locales_cores(),
                    schedule::user_defined(even_chunks{64}, {.profile = true}));
  for (int round = 0; round < 3; ++round) {
    forall_on_locale(again, [&](const chunk& part) {  // a whole chunk at a time
      for (std::size_t i = part.first; i < part.last; ++i) ++visits[i];
    });
  }
  on_all_cores([] {  // every core of each locale takes part
    collective_forall(schedule_from_flags(16), {0, 100}, [](std::size_t) { yield(); });
  });
  // end of example
  EXPECT_EQ(visits[0] + visits[999], 8);
}

TEST(api_examples, tasks) {
  // example: spawn, join_counter, yield
  int finished = 0;
  join_counter outstanding(10);
  for (int k = 0; k < 10; ++k) {
    spawn([&] {
      yield();  // other tasks of the core run
      ++finished;
      outstanding.complete();
    });
  }
  outstanding.wait();
  EXPECT_EQ(finished, 10);
  // end of example

  // example: mutex, semaphore, condition_variable, full_empty
  mutex alone;  // across suspensions of its holder
  semaphore permits(2);
  full_empty<int> cell;
  bool ready = false;
  condition_variable changed;
  spawn([&] {
    alone.lock();
    permits.acquire();
    cell.write_full(42);  // wakes the readers
    permits.release();
    alone.unlock();
    ready = true;
    changed.notify_all();
  });
  EXPECT_EQ(cell.take_when_full(), 42);  // suspends until there is a value
  while (!ready) changed.wait();
  // end of example

  // example: async_spawn_public, public_tasks
  const auto ran = global_counter::create();
  finish([&](event_ref event) {
    for (int k = 0; k < 100; ++k) async_spawn_public(event, [ran] { ran.add(); });  // any core may run it
  });
  EXPECT_EQ(ran.value(), 100);
  const auto taken_by_others = sum_of_all([] { return public_tasks::here().stolen(); });
  ran.destroy();
  // end of example
  static_cast<void>(taken_by_others);
}

TEST(api_examples, random_numbers) {
  // example: random_stream, mix64
  const auto sum = global_counter::create();
  forall({0, 1000}, [sum](std::size_t i) {
    random_stream random(20240229, i);  // by index: the same on any number of cores
    sum.add(static_cast<std::int64_t>(random.below(6) + 1));
  });
  EXPECT_TRUE(sum.value() >= 1000);
  sum.destroy();
  EXPECT_TRUE(mix64(1) != mix64(2));
  // end of example

  // example: my_core, cores, my_locale, locales, shape, job_shape, leads_locale
  EXPECT_EQ(shape().locale_of(my_core()), my_locale());
  EXPECT_EQ(shape().cores_of(my_locale()), my_locales_cores());
  EXPECT_TRUE(my_core() < cores());
  EXPECT_TRUE(my_locale() < locales());
  // end of example
}

TEST(api_examples, checkpoints) {
  // example: checkpoint_loop, checkpoint_state
  const auto counts = global_array<std::uint64_t>::create(100);
  std::uint64_t round = 0;
  checkpoint_loop loop([counts, at = global_address(my_core(), &round)](checkpoint_state& kept) {
    kept.add("counts", counts);
    kept.add("round", at);
  });
  loop.resume();  // with --resume: `counts` and `round` are as in the last checkpoint
  for (; round < 5; ++round) {
    loop.step();  // writes a checkpoint if one is due
    forall(counts, [](std::uint64_t& count) { ++count; });
  }
  EXPECT_EQ(read(counts[99]), 5);
  counts.destroy();
  // end of example
}

}  // namespace
}  // namespace orujo::api_examples
