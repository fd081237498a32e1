// How the cores of a locale share a loop: chunks of consecutive iterations, dealt out by a schedule.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

#include "system/loops/forall.hpp"

namespace orujo::loops {

// Consecutive iterations run by one core in one go; chunks are numbered in the order of their iterations.
struct chunk {
  std::size_t first, last;
  std::size_t number;
};

enum class schedule_kind {
  fixed,    // each core runs the chunks of its own consecutive part
  dynamic,  // whoever is free takes the next chunk
};

// A loop of one locale. Made once and shared by its cores; reset() by one of them before each use, with a
// barrier between reset and next and another between the last next and the following reset.
class shared_loop {
 public:
  shared_loop(std::size_t iterations, std::size_t chunk_size, int cores, schedule_kind kind)
      : iterations_(iterations),
        chunk_size_(std::clamp<std::size_t>(chunk_size, 1, std::max<std::size_t>(iterations, 1))),
        chunks_((iterations + chunk_size_ - 1) / chunk_size_),
        cores_(static_cast<std::size_t>(cores)),
        kind_(kind),
        taken_(static_cast<std::size_t>(cores)) {
    reset();
  }

  std::size_t chunks() const { return chunks_; }

  void reset() {
    next_.store(0, std::memory_order_relaxed);
    for (std::size_t k = 0; k < cores_; ++k) taken_[k].next = part_of({0, chunks_}, k, cores_).first;
  }

  // The next chunk for core `k` of the locale; none when the loop is done.
  std::optional<chunk> next(int k) {
    const auto core = static_cast<std::size_t>(k);
    std::size_t number;
    if (kind_ == schedule_kind::dynamic) {
      number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= chunks_) return std::nullopt;
    } else {
      number = taken_[core].next;
      if (number >= part_of({0, chunks_}, core, cores_).last) return std::nullopt;
      ++taken_[core].next;
    }
    return chunk{number * chunk_size_, std::min(iterations_, (number + 1) * chunk_size_), number};
  }

 private:
  struct alignas(64) own_position {
    std::size_t next = 0;
  };
  const std::size_t iterations_, chunk_size_, chunks_, cores_;
  const schedule_kind kind_;
  alignas(64) std::atomic<std::size_t> next_{0};
  std::vector<own_position> taken_;  // by core of the locale
};

// [task] Runs this core's share of the loop. The body is scheduler-aware: run_chunk(chunk) handles the
// iterations [first, last) and may keep partial results from one to the next. Between chunks other tasks get
// their turn.
template <class Body>
void run_share(shared_loop& loop, int core_of_locale, Body&& run_chunk) {
  while (const std::optional<chunk> c = loop.next(core_of_locale)) {
    run_chunk(*c);
    tasks::yield();
  }
}

}  // namespace orujo::loops
