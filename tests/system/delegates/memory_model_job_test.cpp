// Litmus tests of the rules in docs/reference/memory_model.md. Two words x and y lie on every pair of cores
// in turn, the tasks that use them on others, and on the same.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/future.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::delegates {
namespace {

using shared_words = containers::global_array<std::uint64_t>;

// All splits, transports and seeds take their turns at them.
constexpr std::uint64_t operations = sanitized ? 60 : 150;
constexpr int rounds = sanitized ? 4 : 10;

// A word per core: word c is core c's.
shared_words one_per_core() { return shared_words::create(static_cast<std::size_t>(cores())); }

// Calls test(core of x, core of y) for all pairs, or the first cores' where there are many.
template <class Test>
void for_each_pair(Test test) {
  const core_id most = std::min(cores(), 4);
  for (core_id x = 0; x < most; ++x) {
    for (core_id y = 0; y < most; ++y) test(x, y);
  }
}

// Runs two tasks, on two cores where there are, until both have ended, and returns what they return.
template <class A, class B>
std::array<std::uint64_t, 2> both(core_id first, A a, core_id second, B b) {
  future<std::uint64_t> of_a, of_b;
  tasks::spawn([second, b, kept = of_b.make_promise()] { kept.keep(call_task(second, b)); });
  tasks::spawn([first, a, kept = of_a.make_promise()] { kept.keep(call_task(first, a)); });
  return {of_a.get(), of_b.get()};
}

TEST(memory_model, a_word_per_core_lies_at_its_core) {
  const shared_words all = one_per_core();
  for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(all[static_cast<std::size_t>(c)].core(), c);
  all.destroy();
}

TEST(memory_model, a_task_reads_what_it_has_written_wherever_the_word_is) {
  const shared_words x = one_per_core();
  for (core_id writer = 0; writer < std::min(cores(), 4); ++writer) {
    const std::uint64_t old = call_task(writer, [x] {
      std::uint64_t stale = 0;
      completion_event written;
      for (std::uint64_t k = 1; k <= operations; ++k) {
        for (std::size_t c = 0; c < x.size(); ++c) {
          async_write(written, x[c], k);
          if (k % 3 == 0) {
            stale += read(x[c]) != k;
          } else if (k % 3 == 1) {
            std::uint64_t got = 0;
            x.get(c, std::span(&got, 1));
            stale += got != k;
          } else {
            async_increment(written, x[c]);
            stale += fetch_and_add(x[c], 1) != k + 1;
          }
        }
      }
      written.wait();
      return stale;
    });
    EXPECT_EQ(old, 0u) << "writer at core " << writer;
  }
  x.destroy();
}

TEST(memory_model, operations_of_a_task_on_one_core_keep_their_order) {
  const shared_words x = one_per_core();
  for (std::size_t c = 0; c < x.size(); ++c) {
    completion_event done;
    for (std::uint64_t k = 1; k <= operations; ++k) {
      async_write(done, x[c], k);
      EXPECT_EQ(compare_and_swap(x[c], k, k + 1000), true) << k;
      write(x[c], k + 2000);
      async_increment(done, x[c]);
    }
    done.wait();
    EXPECT_EQ(read(x[c]), operations + 2001);
  }
  x.destroy();
}

TEST(memory_model, message_passing) {
  const shared_words x = one_per_core(), y = one_per_core();
  for_each_pair([&](core_id data, core_id flag) {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const auto to = x[static_cast<std::size_t>(data)], raised = y[static_cast<std::size_t>(flag)];
      const auto seen = both(
          flag,
          [=] {
            completion_event event;
            async_write(event, to, round);
            if (round % 2 == 0 || to.core() != raised.core()) event.wait();
            write(raised, round);
            event.wait();
            return std::uint64_t{0};
          },
          cores() - 1,
          [=] {
            while (read(raised) != round) tasks::yield();
            return read(to);
          });
      EXPECT_EQ(seen[1], round) << "data at core " << data << ", flag at core " << flag;
    }
  });
  x.destroy();
  y.destroy();
}

// Calls test(a, b, core of a, core of b) often, for words on all pairs of cores, which are 0 then.
template <class Test>
void for_words_of_each_pair(int rounds, Test test) {
  const shared_words x = one_per_core(), y = one_per_core();
  for_each_pair([&](core_id first, core_id second) {
    for (int round = 0; round < rounds; ++round) {
      const auto a = x[static_cast<std::size_t>(first)], b = y[static_cast<std::size_t>(second)];
      write(a, 0);
      write(b, 0);
      SCOPED_TRACE(testing::Message() << "at cores " << first << " and " << second);
      test(a, b, first, second);
    }
  });
  x.destroy();
  y.destroy();
}

TEST(memory_model, store_buffering) {
  for_words_of_each_pair(rounds, [](auto a, auto b, core_id first, core_id second) {
    const auto seen = both(
        first, [=] { return write(a, 1), read(b); }, second, [=] { return write(b, 1), read(a); });
    EXPECT_NE(seen[0] + seen[1], 0u);
  });
}

TEST(memory_model, load_buffering) {
  const auto use = [](auto from, auto to) {
    const std::uint64_t found = read(from);
    write(to, 1);
    return found;
  };
  for_words_of_each_pair(rounds, [use](auto a, auto b, core_id first, core_id second) {
    const auto seen = both(
        first, [=] { return use(a, b); }, second, [=] { return use(b, a); });
    EXPECT_NE(seen[0] + seen[1], 2u);
  });
}

// Two writers, and two readers who may not disagree on whose write came first.
TEST(memory_model, independent_reads_of_independent_writes) {
  const auto in_turn = [](auto one, auto other) {
    const std::uint64_t before = read(one);
    return before * 2 + read(other);
  };
  for_words_of_each_pair(rounds / 2, [in_turn](auto a, auto b, core_id first, core_id second) {
    completion_event written;
    async_spawn(written, cores() - 1, [=] { write(a, 1); });
    async_spawn(written, 0, [=] { write(b, 1); });
    const auto seen = both(
        first, [=] { return in_turn(a, b); }, second, [=] { return in_turn(b, a); });
    EXPECT_FALSE(seen[0] == 2 && seen[1] == 2);
    written.wait();
  });
}

}  // namespace
}  // namespace orujo::internal::delegates
