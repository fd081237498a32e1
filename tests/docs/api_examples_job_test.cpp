// The examples of the C++ reference: bin/site/api.py shows the lines between "example:" and "end of example"
// on the pages of these names.
#include <gtest/gtest.h>
#include <orujo/algorithms.hpp>
#include <orujo/device.hpp>
#include <orujo/mapreduce.hpp>
#include <orujo/orujo.hpp>
#include <orujo/relational.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
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
  std::vector<int> by_core(static_cast<std::size_t>(cores()));
  call_on_all([] { return my_core(); },
              [&](core_id from, int answered) { by_core[static_cast<std::size_t>(from)] = answered; });
  EXPECT_EQ(sum_of_all([] { return 1; }), cores());
  // end of example
  EXPECT_EQ(by_core.back(), last);
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

TEST(api_examples, symmetric) {
  // example: symmetric
  const auto parts = symmetric<std::vector<int>>::create_by([] { return std::vector<int>(10, my_core()); });
  const core_id last = cores() - 1;
  EXPECT_EQ(call(last, [parts] { return parts.here()[0]; }), last);
  parts.destroy();
  // end of example
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

TEST(api_examples, containers) {
  // example: global_array, sort
  const auto numbers = global_array<std::uint64_t>::create(10'000);
  forall(numbers, [](std::size_t i, std::uint64_t& x) { x = mix64(i) % 1000; });
  increment(numbers[7], 5);  // [i] is the address of element i, for delegates
  sort(numbers);
  std::vector<std::uint64_t> smallest(3);
  numbers.get(0, std::span(smallest));  // bulk operations take indices
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

// A ring of n vertices, 0 -> 1 -> ... -> 0.
global_array<edge> ring(std::size_t n) {
  const auto edges = global_array<edge>::create(n);
  forall(edges, [n](std::size_t i, edge& e) { e = {i, (i + 1) % n}; });
  return edges;
}

// example: run
struct hops {                   // how far each vertex is from vertex 0, along edges
  using value = std::uint32_t;  // what a vertex shows its out-neighbours
  static constexpr auto combine = minimum{};
  static constexpr bool incremental = true;  // only vertices with news are looked at
  using aggregate = nothing;
  template <class V>
  V gather(V of_neighbour, V) const {
    return of_neighbour + V{1};
  }
  bool starts(const vertex& v) const { return v.id() == 0; }
  value start(const vertex& v, aggregate&) const { return starts(v) ? 0 : 1 << 30; }
  bool apply(const vertex&, value nearest, value& shown, aggregate&) const {
    if (nearest >= shown) return false;
    shown = nearest;
    return true;  // tell the out-neighbours
  }
};

std::uint32_t farthest(distributed_graph graph) {
  const auto found = property<std::uint32_t>::create(graph);
  hops program;
  const run_report report = run(program, graph, found, {.most_supersteps = 1000});
  check(report.ended, "the hops have settled");
  const std::uint32_t most = vertex_reduce(
      vertex_set::all(graph), [found](const vertex& v) { return found[v]; },
      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  found.destroy();
  return most;
}
// end of example

// example: edge_map, vertex_set, edge_map_options, any
struct reach {  // visits each out-neighbour of a set once
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  property<std::uint32_t> level;
  std::uint32_t now;
  value show(const vertex&) const { return now; }
  bool wants(const vertex& v) const { return level[v] == 0; }
  bool visit(const vertex& v, value) const {
    level[v] = now;
    return true;  // a member of the next frontier
  }
};

std::uint64_t search(distributed_graph graph, std::uint64_t source) {
  const auto level = property<std::uint32_t>::create(graph);
  vertex_set frontier = vertex_set::of(graph, {source});
  vertex_map(frontier, [level](const vertex& v) { level[v] = 1; });
  std::uint64_t reached = frontier.size();
  for (std::uint32_t now = 2; !frontier.empty(); ++now) {
    frontier = edge_map(frontier, reach{level, now});
    reached += frontier.size();
  }
  level.destroy();
  return reached;
}
// end of example

TEST(api_examples, graphs) {
  const std::size_t n = 10;
  // example: build_graph, edges_in_memory, loaded_graph, edge, find_vertex, has_edge, out_neighbours,
  // in_neighbours, adjacent_vertex
  const auto edges = global_array<edge>::create(n);
  forall(edges, [n](std::size_t i, edge& e) { e = {i, (i + 1) % n}; });  // a ring
  const auto built = build_graph({.edges = edges}, {.in_rows = true, .out_rows = true});
  if (!built.ok()) return;  // built.status() says why
  const distributed_graph graph = built.value().graph;
  EXPECT_EQ(built.value().vertices, n);

  const std::uint64_t three = find_vertex(graph, std::uint64_t{3}).value();  // its number, by id
  const std::vector<adjacent_vertex> next = out_neighbours(graph, three);
  EXPECT_TRUE(has_edge(graph, three, next[0].number));
  edges.destroy();
  // end of example

  EXPECT_EQ(search(graph, three), n);
  // example: vertex_map, vertex_filter, vertex_reduce, unite, intersect, subtract, property, vertex
  const auto ids = property<std::uint64_t>::create(graph);
  const vertex_set all = vertex_set::all(graph);
  vertex_map(all, [ids](const vertex& v) { ids[v] = v.id(); });
  const vertex_set even = vertex_filter(all, [ids](const vertex& v) { return ids[v] % 2 == 0; });
  const vertex_set odd = subtract(all, even);
  EXPECT_EQ(unite(even, odd).size(), all.size());
  EXPECT_TRUE(intersect(even, odd).empty());
  EXPECT_EQ(vertex_reduce(all, [ids](const vertex& v) { return ids[v]; }), 45);
  // end of example

  // example: write_values, read_values, visit_vertices
  const std::string path =
      "/tmp/orujo_api_example." + std::to_string(mix64(reinterpret_cast<std::uint64_t>(&path)));
  const status written = write_values(graph, ids, path);  // a line "ID VALUE" for each vertex
  const status read_back = read_values(graph, ids, path);
  EXPECT_TRUE(written.ok() && read_back.ok());
  std::remove(path.c_str());
  // end of example
  ids.destroy();

  // example: transposed
  const distributed_graph reversed = transposed(graph);
  EXPECT_EQ(out_neighbours(reversed, three)[0].number, in_neighbours(graph, three)[0].number);
  reversed.destroy();
  // end of example
  graph.destroy();

  const auto for_hops = ring(n);
  // example: forms_for, distributed_graph
  const auto loaded = build_graph<hops>({.edges = for_hops});  // in the forms that the program needs
  const distributed_graph small = loaded.value().graph;
  EXPECT_EQ(farthest(small), n - 1);
  // end of example

  // example: device_selection, device_kind, forms_on, device_from_flags
  const device_selection on_gpu{.wanted = device_kind::emulated,
                                .number = {}};  // device_from_flags() is what --device asks for
  const auto again = build_graph({.edges = for_hops}, forms_on(on_gpu, forms_for<hops>()));
  const distributed_graph in_rows = again.value().graph;
  hops program;
  EXPECT_TRUE(run(program, in_rows, {.device = on_gpu}).on_gpu);
  in_rows.destroy();
  // end of example
  small.destroy();
  for_hops.destroy();
}

TEST(api_examples, algorithms) {
  const auto edges = ring(100);
  const auto built = build_graph({.edges = edges, .symmetrize = true}, {.in_rows = true, .out_rows = true});
  const distributed_graph graph = built.value().graph;
  // example: <orujo/algorithms.hpp>, core_numbers, connected_components, breadth_first_search
  const auto numbers = property<std::uint32_t>::create(graph);
  const std::uint32_t largest_core = on_all_cores([graph, numbers] {
    algorithms::core_numbers cores(graph.here(), numbers.here());  // every core makes its part
    return cores.run().largest;
  });
  EXPECT_EQ(largest_core, 2);

  on_all_cores([graph, numbers] {
    algorithms::connected_components<std::uint32_t>(graph.here(), numbers.here()).run();
  });
  const int levels =
      on_all_cores([graph] { return algorithms::breadth_first_search(graph.here()).run(0).levels; });
  // end of example
  EXPECT_GT(levels, 40);

  // example: pagerank, pagerank_settings
  const auto for_ranks = build_graph<algorithms::pagerank<double>>({.edges = edges});
  const distributed_graph web = for_ranks.value().graph;
  const auto ranks = property<double>::create(web);
  on_all_cores([web, ranks] {  // a vertex program, run by all cores
    algorithms::pagerank<double> program(web.here(), ranks.here(), {.tolerance = 1e-9});
    run(program, web.here());
  });
  // end of example
  ranks.destroy();
  web.destroy();
  numbers.destroy();
  graph.destroy();
  edges.destroy();
}

TEST(api_examples, map_and_reduce) {
  // example: map_reduce, global_groups, largest, sorted, map_options, map_summary
  const auto counts = global_groups<std::string_view, std::uint64_t>::create();
  const auto most = on_all_cores([counts] {
    map_reduce(counts, [](auto& emit) {  // each core emits its pairs; equal keys are summed
      for (const std::string_view word : {"a", "rose", "is", "a", "rose"}) emit(word, 1);
    });
    const auto ordered = sorted(counts);  // each core gets a part, in the order of the words
    static_cast<void>(ordered);
    return largest(counts, 1);  // at core 0
  });
  EXPECT_EQ(most[0].first, "a");
  EXPECT_EQ(counts.lookup("rose").value(), 2 * static_cast<std::uint64_t>(cores()));
  counts.destroy();
  // end of example
}

TEST(api_examples, queries) {
  // example: database, answer, answer_part, brought_table, load_tables, column_kind, edges_of, real_of
  const auto made = database::made_by([] {
    const brought_table towns{"towns",
                              {{"town", column_kind::text}, {"people", column_kind::integer}},
                              [](const auto& take) {  // each core brings its rows
                                if (my_core() == 0) take({"Lisse", 23'000}), take({"Delft", 104'000});
                              }};
    return load_tables({}, {towns});
  });
  const database data = made.value();
  const auto found = data.select("SELECT town, people FROM towns ORDER BY people DESC");
  EXPECT_EQ(found.value().rows(), 2);
  const answer_part& first = found.value().local();  // core 0 has the first rows
  EXPECT_EQ(first.text(first.rows.columns[0][0]), "Delft");
  found.value().destroy();
  data.destroy();
  // end of example
}

}  // namespace
}  // namespace orujo::api_examples

// example: <orujo/device.hpp>, runs_on, emulated_gpu, cuda_gpu
// In any source: the program can run with --device=emulated. With orujo::cuda_gpu, in a source for CUDA's
// compiler, it can run with --device=cuda.
template struct orujo::runs_on<orujo::api_examples::hops, orujo::emulated_gpu>;
// end of example
