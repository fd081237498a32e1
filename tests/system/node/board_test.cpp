// Where a meeting ends too early, or is missed by somebody, sums differ or the test hangs.
#include "system/node/board.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::node {
namespace {

// Memory that has been used for something else, and a view for each member.
struct members_of_board {
  explicit members_of_board(int members, std::vector<alarms> bells = {})
      : memory(base::make_aligned_bytes(board::bytes_for(members))) {
    std::memset(memory.get(), 0xa5, board::bytes_for(members));
    board::clear(memory.get());
    bells.resize(static_cast<std::size_t>(members));
    for (int k = 0; k < members; ++k) views.emplace_back(memory.get(), k, bells);
  }
  base::aligned_bytes memory;
  std::vector<board> views;
};

std::vector<std::uint64_t> numbers(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> read(bytes.size() / 8);
  if (!read.empty()) std::memcpy(read.data(), bytes.data(), 8 * read.size());
  return read;
}

std::span<const std::byte> bytes_of(const std::vector<std::uint64_t>& all) {
  return std::as_bytes(std::span(all));
}

// A member's contribution to a meeting. Lengths differ, from nothing to the full room.
std::vector<std::uint64_t> brought(std::uint64_t meeting, int member) {
  std::vector<std::uint64_t> all(mix64(meeting) % (board::room / 8 + 1));
  std::iota(all.begin(), all.end(), meeting * 1000 + static_cast<std::uint64_t>(member));
  return all;
}

TEST(board, has_no_members_without_memory) { EXPECT_FALSE(board()); }

TEST(board, tells_the_last_who_comes_and_shows_it_what_all_have_brought) {
  members_of_board all(3);
  for (const int k : {2, 0, 1}) {
    board& mine = all.views[static_cast<std::size_t>(k)];
    mine.bring(bytes_of(brought(1, k)));
    EXPECT_EQ(mine.arrive(), k == 1);
  }
  const board& last = all.views[1];
  EXPECT_EQ(last.arrived().load(), last.all_have_arrived());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(numbers(last.brought_by(k)), brought(1, k));
  EXPECT_LT(last.concluded().load(), last.is_concluded());
  last.conclude(bytes_of(brought(2, 7)));
  for (const board& one : all.views) {
    EXPECT_EQ(one.concluded().load(), one.is_concluded());
    EXPECT_EQ(numbers(one.result()), brought(2, 7));
  }
}

// Each member takes part in all meetings, and waits in the way that `wait(word, least)` has.
template <class Wait>
void meet_often(board& mine, std::uint64_t meetings, Wait wait) {
  for (std::uint64_t m = 1; m <= meetings; ++m) {
    mine.bring(bytes_of(brought(m, mine.me())));
    if (mine.arrive()) {
      mine.conclude(bytes_of(brought(m, 100)));
    } else {
      wait(mine.concluded(), mine.is_concluded());
    }
    EXPECT_EQ(numbers(mine.result()), brought(m, 100));
    for (int k = 0; k < mine.members(); ++k) EXPECT_EQ(numbers(mine.brought_by(k)), brought(m, k));
  }
}

TEST(board, keeps_what_is_brought_until_all_have_read_it) {
  members_of_board all(5);
  std::vector<std::thread> threads;
  for (board& mine : all.views) {
    threads.emplace_back([&mine] {
      meet_often(mine, 400, [](const auto& word, std::uint64_t least) {
        while (word.load(std::memory_order_acquire) < least) sched_yield();
      });
    });
  }
  for (std::thread& t : threads) t.join();
}

// Where a ring is missed, a member sleeps for an hour.
TEST(board, wakes_who_sleeps) {
  constexpr int members = 3;
  std::vector<base::aligned_bytes> memory;
  std::vector<alarms> bells;
  for (int k = 0; k < members; ++k) {
    memory.push_back(base::make_aligned_bytes(alarms::bytes_for(1)));
    std::memset(memory.back().get(), 0, alarms::bytes_for(1));
    bells.emplace_back(memory.back().get(), 1);
  }
  members_of_board all(members, bells);
  std::vector<std::thread> threads;
  for (int k = 0; k < members; ++k) {
    threads.emplace_back([&, k] {
      meet_often(all.views[static_cast<std::size_t>(k)], 300, [&](const auto& word, std::uint64_t least) {
        const auto is_over = [&] { return word.load(std::memory_order_seq_cst) >= least; };
        while (!is_over()) bells[static_cast<std::size_t>(k)].sleep(0, std::chrono::hours(1), is_over);
      });
    });
  }
  for (std::thread& t : threads) t.join();
}

// The first member concludes, as in a job of several nodes. The last member to arrive wakes it.
TEST(board, lets_the_first_conclude_when_all_have_come) {
  members_of_board all(2);
  std::thread second([&] {
    board& mine = all.views[1];
    for (std::uint64_t m = 1; m <= 300; ++m) {
      mine.bring({});
      if (mine.arrive()) mine.ring(0);
      while (mine.concluded().load(std::memory_order_acquire) < mine.is_concluded()) sched_yield();
      EXPECT_EQ(numbers(mine.result()), brought(m, 0));
    }
  });
  board& first = all.views[0];
  for (std::uint64_t m = 1; m <= 300; ++m) {
    first.bring({});
    first.arrive();
    while (first.arrived().load(std::memory_order_acquire) < first.all_have_arrived()) sched_yield();
    first.conclude(bytes_of(brought(m, 0)));
  }
  second.join();
}

}  // namespace
}  // namespace orujo::internal::node
