// The explorer itself, by the classical litmus tests: what the orders of C++20 allow is found, and nothing
// else. Alglave, Maranget, Tautschnig, "Herding Cats: Modelling, Simulation, Testing, and Data Mining for
// Weak Memory", TOPLAS 36(2), 2014, has the names of the shapes.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/model/interleavings.hpp"

namespace orujo::internal::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, acq_rel = std::memory_order_acq_rel,
               seq_cst = std::memory_order_seq_cst;
using order = std::memory_order;
using values = std::vector<int>;  // what was read, thread by thread

struct shared {
  std::atomic<int> x{0}, y{0};
  int data = 0;
  std::array<int, 4> read{};  // each by one thread
};

// The values that all runs of these threads read.
std::set<values> all_of(std::size_t reads, const std::vector<std::function<void(shared&)>>& threads,
                        const weakening& weaken = {}) {
  std::set<values> found;
  const outcome runs = explore(
      {},
      [&](run& r) {
        shared& s = r.make<shared>();
        for (const auto& thread : threads) r.thread([&s, &thread] { thread(s); });
        r.finally([&s, &found, reads] {
          found.insert({s.read.begin(), s.read.begin() + static_cast<std::ptrdiff_t>(reads)});
        });
      },
      weaken);
  EXPECT_EQ(runs.failure, "");
  EXPECT_TRUE(runs.exhausted);
  return found;
}

void fence(order o) {
  if (o != relaxed) std::atomic_thread_fence(o);
}

std::set<values> store_buffering(order stores, order loads, order fence_0 = relaxed,
                                 order fence_1 = relaxed) {
  return all_of(2, {[=](shared& s) {
                      s.x.store(1, stores);
                      fence(fence_0);
                      s.read[0] = s.y.load(loads);
                    },
                    [=](shared& s) {
                      s.y.store(1, stores);
                      fence(fence_1);
                      s.read[1] = s.x.load(loads);
                    }});
}

TEST(litmus_model, store_buffering) {
  const values both_miss{0, 0};
  EXPECT_TRUE(store_buffering(relaxed, relaxed).contains(both_miss));
  EXPECT_TRUE(store_buffering(release, acquire).contains(both_miss));
  EXPECT_TRUE(store_buffering(release, seq_cst).contains(both_miss));
  EXPECT_TRUE(store_buffering(seq_cst, acquire).contains(both_miss));
  EXPECT_TRUE(store_buffering(relaxed, relaxed, acq_rel, acq_rel).contains(both_miss));
  EXPECT_TRUE(store_buffering(relaxed, relaxed, seq_cst, relaxed).contains(both_miss));
  const std::set<values> rest{{0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(store_buffering(seq_cst, seq_cst), rest);
  EXPECT_EQ(store_buffering(relaxed, relaxed, seq_cst, seq_cst), rest);
}

// One side as a lane's writer rings, the other as a core goes to sleep.
TEST(litmus_model, store_buffering_of_a_fence_and_of_sequential_operations) {
  const auto found = [](order update, order load) {
    return all_of(2, {[](shared& s) {
                        s.x.store(1, release);
                        fence(seq_cst);
                        s.read[0] = s.y.load(relaxed);
                      },
                      [=](shared& s) {
                        s.y.fetch_add(1, update);
                        s.read[1] = s.x.load(load);
                      }});
  };
  const values both_miss{0, 0};
  EXPECT_FALSE(found(seq_cst, seq_cst).contains(both_miss));
  EXPECT_TRUE(found(acq_rel, seq_cst).contains(both_miss));
  EXPECT_TRUE(found(seq_cst, acquire).contains(both_miss));
}

std::set<values> message_passing(order store, order load, order before = relaxed, order after = relaxed) {
  return all_of(2, {[=](shared& s) {
                      s.x.store(1, relaxed);
                      fence(before);
                      s.y.store(1, store);
                    },
                    [=](shared& s) {
                      s.read[0] = s.y.load(load);
                      fence(after);
                      s.read[1] = s.x.load(relaxed);
                    }});
}

TEST(litmus_model, message_passing) {
  const values misses{1, 0};
  EXPECT_TRUE(message_passing(relaxed, relaxed).contains(misses));
  EXPECT_TRUE(message_passing(release, relaxed).contains(misses));
  EXPECT_TRUE(message_passing(relaxed, acquire).contains(misses));
  EXPECT_TRUE(message_passing(relaxed, relaxed, release, relaxed).contains(misses));
  EXPECT_TRUE(message_passing(relaxed, relaxed, relaxed, acquire).contains(misses));
  const std::set<values> rest{{0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(message_passing(release, acquire), rest);
  EXPECT_EQ(message_passing(relaxed, acquire, release), rest);
  EXPECT_EQ(message_passing(release, relaxed, relaxed, acquire), rest);
  EXPECT_EQ(message_passing(relaxed, relaxed, acq_rel, acq_rel), rest);
}

TEST(litmus_model, message_passing_through_updates_of_others) {
  const auto found = [](order first) {
    return all_of(2, {[=](shared& s) {
                        s.x.store(1, relaxed);
                        s.y.store(1, first);
                      },
                      [](shared& s) { s.y.fetch_add(2, relaxed); },
                      [](shared& s) {
                        s.read[0] = s.y.load(acquire);
                        s.read[1] = s.x.load(relaxed);
                      }});
  };
  EXPECT_TRUE(found(relaxed).contains({3, 0}));
  EXPECT_FALSE(found(release).contains({3, 0}));
  EXPECT_TRUE(found(release).contains({2, 0}));
}

// The standard allows it, and the explorer does not know of it.
TEST(litmus_model, load_buffering_is_not_tried) {
  const auto thread = [](std::size_t k, std::atomic<int> shared::*from, std::atomic<int> shared::*to) {
    return [=](shared& s) {
      s.read[k] = (s.*from).load(relaxed);
      (s.*to).store(1, relaxed);
    };
  };
  EXPECT_EQ(all_of(2, {thread(0, &shared::x, &shared::y), thread(1, &shared::y, &shared::x)}),
            (std::set<values>{{0, 0}, {0, 1}, {1, 0}}));
}

TEST(litmus_model, coherence) {
  const auto store_two = [](shared& s) {
    s.x.store(1, relaxed);
    s.x.store(2, relaxed);
  };
  const auto load_two = [](shared& s) {
    s.read[0] = s.x.load(relaxed);
    s.read[1] = s.x.load(relaxed);
  };
  EXPECT_EQ(all_of(2, {store_two, load_two}),
            (std::set<values>{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
}

// A thread that knows of a read of a value reads no older one, whichever thread has stored it.
TEST(litmus_model, coherence_through_another_reader) {
  const auto found = [](order told) {
    return all_of(3, {[](shared& s) { s.x.store(1, relaxed); },
                      [=](shared& s) {
                        s.read[0] = s.x.load(relaxed);
                        s.y.store(1, told);
                      },
                      [](shared& s) {
                        s.read[1] = s.y.load(acquire);
                        s.read[2] = s.x.load(relaxed);
                      }});
  };
  EXPECT_TRUE(found(relaxed).contains({1, 1, 0}));
  EXPECT_FALSE(found(release).contains({1, 1, 0}));
}

TEST(litmus_model, independent_reads_of_independent_writes) {
  const auto found = [](order stores, order loads, order between = relaxed) {
    const auto reader = [=](std::size_t k, std::atomic<int> shared::*first,
                            std::atomic<int> shared::*second) {
      return [=](shared& s) {
        s.read[k] = (s.*first).load(loads);
        fence(between);
        s.read[k + 1] = (s.*second).load(loads);
      };
    };
    return all_of(4, {[=](shared& s) { s.x.store(1, stores); }, [=](shared& s) { s.y.store(1, stores); },
                      reader(0, &shared::x, &shared::y), reader(2, &shared::y, &shared::x)});
  };
  const values in_two_orders{1, 0, 1, 0};
  EXPECT_TRUE(found(relaxed, relaxed).contains(in_two_orders));
  EXPECT_TRUE(found(release, acquire).contains(in_two_orders));
  EXPECT_TRUE(found(seq_cst, acquire).contains(in_two_orders));
  EXPECT_FALSE(found(seq_cst, seq_cst).contains(in_two_orders));
  EXPECT_FALSE(found(release, seq_cst).contains(in_two_orders)) << "new in C++20";
  EXPECT_FALSE(found(relaxed, relaxed, seq_cst).contains(in_two_orders));
}

TEST(litmus_model, stores_that_change_places) {
  const auto swap_first = [](const access& a) {
    return a.what == operation::store && a.thread == 1 && a.order == __ATOMIC_RELAXED ? after_next_store
                                                                                      : a.order;
  };
  const auto found = [&](const weakening& weaken) {
    return all_of(2,
                  {[](shared& s) {
                     s.x.store(1, relaxed);
                     s.y.store(1, release);
                   },
                   [](shared& s) {
                     s.read[0] = s.y.load(acquire);
                     s.read[1] = s.x.load(relaxed);
                   }},
                  weaken);
  };
  EXPECT_FALSE(found({}).contains({1, 0}));
  EXPECT_TRUE(found(swap_first).contains({1, 0}));
  EXPECT_TRUE(found(swap_first).contains({1, 1}));
}

std::string failure_of(const std::vector<std::function<void(shared&)>>& threads, const limits& bounds = {}) {
  const outcome found = explore(bounds, [&](run& r) {
    shared& s = r.make<shared>();
    for (const auto& thread : threads) r.thread([&s, &thread] { thread(s); });
  });
  EXPECT_TRUE(found.exhausted || !found.failure.empty());
  return found.failure;
}

TEST(litmus_model, data_races) {
  const auto send = [](order o) {
    return [o](shared& s) {
      s.data = 1;
      s.x.store(1, o);
    };
  };
  const auto receive = [](order o) {
    return [o](shared& s) {
      if (s.x.load(o) == 1) s.read[0] = s.data;
    };
  };
  EXPECT_EQ(failure_of({send(release), receive(acquire)}), "");
  EXPECT_NE(failure_of({send(relaxed), receive(acquire)}).find("a data race"), std::string::npos);
  EXPECT_NE(failure_of({send(release), receive(relaxed)}).find("a data race"), std::string::npos);
}

// Atomics whose memory others copy, or use for something else.
TEST(litmus_model, data_races_with_atomics) {
  const auto store = [](shared& s) {
    s.x.store(1, relaxed);
    s.y.store(1, release);
  };
  const auto copy = [](order o) {
    return [o](shared& s) {
      if (s.y.load(o) == 1) std::memcpy(&s.read[0], reinterpret_cast<std::byte*>(&s.x), sizeof(int));
    };
  };
  const auto clear = [](order o) {
    return [o](shared& s) {
      if (s.y.load(o) == 1) std::memcpy(reinterpret_cast<std::byte*>(&s.x), &s.read[0], sizeof(int));
    };
  };
  EXPECT_EQ(failure_of({store, copy(acquire)}), "");
  EXPECT_EQ(failure_of({store, clear(acquire)}), "");
  EXPECT_NE(failure_of({store, copy(relaxed)}).find("reads an atomic"), std::string::npos);
  EXPECT_NE(failure_of({store, clear(relaxed)}).find("writes an atomic"), std::string::npos);
}

// A thread that waits in a loop takes turns with all others that wait: they may have read old values and find
// new ones.
TEST(litmus_model, waiting_threads_take_turns) {
  const auto answer = [](std::atomic<int> shared::*from, std::atomic<int> shared::*to, int first) {
    return [=](shared& s) {
      for (int k = first; k <= 4; k += 2) {
        while ((s.*from).load(acquire) < k) let_others_run();
        (s.*to).store(k + 1, release);
      }
    };
  };
  const auto look_on = [](shared& s) {
    while (s.y.load(relaxed) < 4) let_others_run();
  };
  EXPECT_EQ(failure_of({answer(&shared::y, &shared::x, 0), answer(&shared::x, &shared::y, 1)}), "");
  EXPECT_EQ(failure_of({answer(&shared::y, &shared::x, 0), answer(&shared::x, &shared::y, 1), look_on},
                       {.preemptions = 1, .stale_values = 1}),
            "");
  EXPECT_NE(failure_of({look_on}).find("a thread does not end"), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::model
