// Executions of shared loops by threads as cores, each with a scheduler, and policies to execute.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include "system/loops/schedule.hpp"
#include "tests/system/tasks/lone_core.hpp"

namespace orujo::internal::loops {

// The chunks that each core ran, in its order.
using shares = std::vector<std::vector<chunk>>;

// The calling thread as core `core`, which takes part in one execution.
inline std::vector<chunk> take_part(shared_loop& loop, int core) {
  std::vector<chunk> ran;
  tasks::lone_core here;
  here.run([&] { run_share(loop, core, [&](const chunk& c) { ran.push_back(c); }); });
  return ran;
}

// One execution by threads that race.
inline shares execute(shared_loop& loop) {
  shares all(static_cast<std::size_t>(loop.cores()));
  std::barrier begin(loop.cores());
  std::vector<std::thread> threads;
  for (int k = 0; k < loop.cores(); ++k) {
    threads.emplace_back([&, k] {
      begin.arrive_and_wait();
      all[static_cast<std::size_t>(k)] = take_part(loop, k);
    });
  }
  for (std::thread& t : threads) t.join();
  return all;
}

// One execution by one core after the other, in this order.
inline shares execute_in_order(shared_loop& loop, const std::vector<int>& cores) {
  shares all(static_cast<std::size_t>(loop.cores()));
  for (const int k : cores) all[static_cast<std::size_t>(k)] = take_part(loop, k);
  return all;
}

inline std::vector<chunk> by_number(const shares& all) {
  std::vector<chunk> chunks;
  for (const auto& share : all) chunks.insert(chunks.end(), share.begin(), share.end());
  std::sort(chunks.begin(), chunks.end(), [](const chunk& a, const chunk& b) { return a.number < b.number; });
  return chunks;
}

// All chunks once, not empty, together the range, numbered in the order of their iterations.
inline void expect_whole_loop(const shares& all, const shared_loop& loop, index_range range) {
  const std::vector<chunk> chunks = by_number(all);
  ASSERT_EQ(chunks.size(), loop.chunks());
  std::size_t at = range.first;
  for (std::size_t n = 0; n < chunks.size(); ++n) {
    ASSERT_EQ(chunks[n].number, n);
    ASSERT_EQ(chunks[n].first, at);
    ASSERT_GT(chunks[n].last, at);
    at = chunks[n].last;
  }
  ASSERT_EQ(at, range.last);
}

inline std::vector<std::size_t> numbers(const std::vector<chunk>& chunks) {
  std::vector<std::size_t> all;
  for (const chunk& c : chunks) all.push_back(c.number);
  return all;
}

inline std::vector<std::size_t> sizes(const std::vector<chunk>& chunks) {
  std::vector<std::size_t> all;
  for (const chunk& c : chunks) all.push_back(c.last - c.first);
  return all;
}

// Chunks that end at multiples of `size`; so the first of a subspace may be shorter.
struct aligned_chunks {
  std::size_t size;
  std::size_t inspect(std::size_t first, std::size_t) const { return (first / size + 1) * size; }
};

// Chunks of one iteration; iteration i is loads[i] much work.
struct told_loads {
  std::vector<double> loads;
  inspected inspect(std::size_t first, std::size_t) const { return {first + 1, loads[first]}; }
};

// Aligned chunks over subspaces in the reverse order of cores.
struct reversed_cores : aligned_chunks {
  index_range range;
  std::size_t cores;
  index_range subspace(int core) const {
    return part_of(range, cores - 1 - static_cast<std::size_t>(core), cores);
  }
};

// Counts calls; keeps the places they were for.
struct watched_policy {
  std::vector<std::atomic<int>>* calls;
  std::size_t inspect(std::size_t first, std::size_t) const {
    ++(*calls)[first];
    return first + 2;
  }
};

struct bad_policy {
  index_range subspaces[2];
  std::size_t step = 1;
  std::size_t inspect(std::size_t first, std::size_t) const { return first + step; }
  index_range subspace(int core) const { return subspaces[core]; }
};

// The sums of the loads of the parts that the cores begin with.
inline std::vector<double> loads_by_core(const shared_loop& loop, const std::vector<double>& loads) {
  std::vector<double> sums;
  for (int k = 0; k < loop.cores(); ++k) {
    const index_range part = loop.part(k);
    sums.push_back(std::accumulate(loads.begin() + static_cast<std::ptrdiff_t>(part.first),
                                   loads.begin() + static_cast<std::ptrdiff_t>(part.last), 0.0));
  }
  return sums;
}

}  // namespace orujo::internal::loops
