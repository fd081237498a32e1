// The examples of the C++ reference about delegates, messages and collectives (api_examples_job_test.cpp).
#include <gtest/gtest.h>
#include <orujo/orujo.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace orujo::api_examples {
namespace {

TEST(api_examples, delegates) {
  // example: call, call_task
  const core_id last = cores() - 1;
  const int there = call(last, [] { return my_core(); });  // in a message handler: must not suspend
  EXPECT_EQ(there, last);

  const int sum = call_task(last, [] {  // in a task: may suspend
    return sum_of_all([] { return my_core(); });
  });
  EXPECT_EQ(sum, last * (last + 1) / 2);

  // Strings and containers go as values after the closure.
  const std::string text = call(
      last, [](const std::string& name) { return name + "!"; }, std::string("hello"));
  EXPECT_EQ(text, "hello!");
  // end of example

  // example: read, write, fetch_and_add, increment, compare_and_swap, global_address
  std::uint64_t word = 1;
  const global_address<std::uint64_t> address(my_core(), &word);  // can travel; any core may use it
  on_all_cores([address] { increment(address, 10); });            // atomic at the owner
  EXPECT_EQ(read(address), 1 + 10 * static_cast<std::uint64_t>(cores()));
  write(address, 5);
  EXPECT_EQ(fetch_and_add(address, 2), 5);  // the value before
  EXPECT_TRUE(compare_and_swap(address, 7, 100));
  // end of example

  // example: completion_event, event_ref, async_call, async_spawn, async_increment, async_write, async_read
  completion_event all;
  for (core_id c = 0; c < cores(); ++c) async_call(all, c, [address] { static_cast<void>(address); });
  async_spawn(all, last, [address] { increment(address); });
  async_increment(all, address);
  all.wait();  // returns when all four kinds of work are done
  EXPECT_EQ(read(address), 102);

  std::uint64_t copy = 0;
  async_write(all, address, 3);
  async_read(all, address, &copy);  // after the write: one task's operations on one core are ordered
  all.wait();
  EXPECT_EQ(copy, 3);
  // end of example

  // example: finish
  finish([&](event_ref event) {
    forall({0, 1000}, [event, address](std::size_t) { async_increment(event, address); });
  });  // returns when all increments are done
  EXPECT_EQ(read(address), 1003);
  // end of example

  // example: future, promise, when_all
  std::vector<future<int>> squares;
  for (core_id c = 0; c < cores(); ++c)
    squares.push_back(async_call(c, [] { return my_core() * my_core(); }));
  const std::vector<int> found = when_all(std::move(squares)).get();
  EXPECT_EQ(found[static_cast<std::size_t>(last)], last * last);

  future<int> answer;
  async_call(all, last, [answer_to = answer.make_promise()] { answer_to.keep(42); });
  EXPECT_EQ(answer.get(), 42);
  // end of example
  all.wait();

  // example: call_on_all, sum_of_all
  by_core<int> answers(cores());
  call_on_all([] { return my_core(); }, [&](core_id from, int answered) { answers[from] = answered; });
  EXPECT_EQ(sum_of_all([] { return 1; }), cores());
  // end of example
  EXPECT_EQ(answers.back(), last);
}

TEST(api_examples, ranges) {
  // example: global_alloc, global_free, linear_address, get, put, fill, copy, async_get, async_put,
  // async_fill, async_copy
  const linear_address<double> first = global_alloc<double>(1000);  // spread over all cores
  fill(first, 1000, 0.5);
  const std::vector<double> mine(100, 2.0);
  put(first + 200, std::span<const double>(mine));
  std::vector<double> back(300);
  get(first, std::span(back));
  EXPECT_EQ(back[199] + back[200], 2.5);

  completion_event done;
  async_fill(done, first, 10, 1.0);
  async_put(done, first + 10, std::span<const double>(mine));
  done.wait();
  async_copy(done, first, first + 500, 110);
  async_get(done, first + 900, std::span(back));  // `back` has to stay until done.wait() returns
  done.wait();
  copy(first + 500, first + 700, 110);
  EXPECT_EQ(read(first + 700), 1.0);
  // end of example

  // example: cached_range, access
  {
    cached_range<access::read_write, linear_address<double>> row(first, 100);
    row.start_acquire();  // fetches while the task does something else
    for (double& x : row.acquire()) x *= 2;
  }  // written back
  EXPECT_EQ(read(first), 2.0);
  // end of example

  // example: gather
  const std::vector<std::uint64_t> indices{999, 3, 3, 500};
  std::vector<double> elements(indices.size());
  gather(first, indices, std::span(elements));  // elements[k] is element indices[k]
  EXPECT_EQ(elements[1], elements[2]);
  // end of example
  global_free(first);
}

// example: scatter
struct append {  // can travel: a pointer into the destination's memory
  using value = int;
  std::vector<int>* to;
  void operator()(std::span<const int> values) const { to->insert(to->end(), values.begin(), values.end()); }
};

void send_numbers(symmetric<std::vector<int>> inboxes) {
  std::vector<append> receivers;
  for (core_id c = 0; c < cores(); ++c) receivers.push_back({call(c, [inboxes] { return &inboxes.here(); })});
  completion_event all;
  scatter<append> numbers(all, receivers);
  for (int k = 0; k < 10'000; ++k) numbers.push(k % cores(), k);
  numbers.flush();
  all.wait();  // all values have been received
}
// end of example

TEST(api_examples, scatter) {
  const auto inboxes = symmetric<std::vector<int>>::create();
  send_numbers(inboxes);
  EXPECT_EQ(sum_of_all([inboxes] { return inboxes.here().size(); }), 10'000u);
  inboxes.destroy();
}

TEST(api_examples, combining) {
  // example: hot_word
  std::uint64_t word = 0;
  const global_address<std::uint64_t> address(my_core(), &word);
  on_all_cores([address] {
    hot_word<std::uint64_t> tickets(address);  // one per core and word
    forall_here({0, 1000}, [&](std::size_t) { tickets.fetch_and_add(1); });
  });
  EXPECT_EQ(word, 1000 * static_cast<std::uint64_t>(cores()));
  // end of example

  // example: combiner
  using batch = std::vector<int>;
  combiner<batch> writes([](batch& all) {  // one message for all values that tasks have added meanwhile
    call(
        0, [](const std::vector<int>& values) { return values.size(); }, all);
  });
  forall_here({0, 100}, [&](std::size_t k) {
    writes.perform([k](batch& all) { all.push_back(static_cast<int>(k)); });
  });
  // end of example
}

TEST(api_examples, collectives) {
  const int all = on_all_cores([] {
    // example: all_reduce, reduce, broadcast, barrier, group
    const int largest = all_reduce(my_core(), [](int a, int b) { return std::max(a, b); });
    std::vector<double> sums{1.0, 2.0};
    all_reduce(sums);                              // element by element, in place
    const int total = reduce(my_core(), 0);        // at core 0
    const int seed = broadcast(my_core() + 7, 0);  // core 0's value
    barrier(group::locale);                        // of the cores of this locale
    // end of example
    static_cast<void>(total);

    // example: all_gather, gather, all_to_all, exchange_by, exclusive_sum, inclusive_scan, exclusive_scan
    const std::vector<int> by_core = all_gather(my_core());
    const std::vector<int> at_zero = gather(my_core(), 0);  // empty at other cores
    std::vector<std::vector<int>> outgoing(by_core.size(), std::vector<int>{my_core()});
    const auto incoming = all_to_all(outgoing);  // incoming[k] is what core k has sent here

    const std::vector<std::uint64_t> keys{1, 2, 3, 4, 5};
    const auto mine = exchange_by(keys, [](std::uint64_t key) {
      return static_cast<core_id>(mix64(key) % static_cast<std::uint64_t>(cores()));
    });

    const std::size_t first = exclusive_sum(mine.size());  // where this core's elements begin
    const int up_to_here = inclusive_scan(1);              // my_core() + 1
    const int before = exclusive_scan(1, 0);               // my_core()
    // end of example
    static_cast<void>(first);
    return largest + seed + (at_zero.empty() ? 0 : 1) + (incoming.size() == by_core.size() ? 1 : 0) +
           up_to_here - before;
  });
  EXPECT_EQ(all, cores() - 1 + 7 + 1 + 1 + 1);
}

}  // namespace
}  // namespace orujo::api_examples
