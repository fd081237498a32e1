// The supersteps of a job, one after the other: kept in a log per core where it is wanted (--stats_json). A
// superstep costs some looks at the clock; where no log is wanted, a branch on a thread-local pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/ticks.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::observe {

// Nanoseconds in which this core had nothing to run and no message to handle; those of a wait count from when
// it has looked in vain some dozens of times, a few microseconds after its begin.
extern const counter waiting_ns;

// What the job does in a superstep: the same at all cores.
struct step {
  static constexpr std::uint64_t not_counted = ~std::uint64_t{0};

  const char* direction = "";         // a literal: pull, push, ...
  std::uint64_t frontier = 0;         // active vertices
  std::uint64_t edges = not_counted;  // looked at
  std::uint32_t run = 0, number = 0;  // which superstep of which run
  std::uint32_t supersteps = 1;       // how many it is: one core goes through small ones alone
  bool alone = false;                 // only the core that has it took part
};

// How long it took a core, and how much of that it waited.
struct step_time {
  double seconds = 0, waited = 0;
};

struct step_log {
  static constexpr std::size_t capacity = 4096;

  std::vector<step> steps;       // the first ones
  std::vector<step_time> times;  // parallel
  std::uint64_t left_out = 0;    // those after them
  std::uint32_t runs = 0, next_number = 0;
};

namespace detail {
inline constinit thread_local step_log* steps_here = nullptr;
}

// The calling core begins an empty log; and lets go of it.
void begin_step_log_here();
void end_step_log_here();

// At every core that takes part: supersteps from here on are of another run, and begin at 0.
inline void begin_run_of_steps() {
  if (step_log* log = detail::steps_here) [[unlikely]] {
    ++log->runs;
    log->next_number = 0;
  }
}

// A superstep, from here to the end of the C++ scope; at every core that takes part in it.
class step_scope {
 public:
  step_scope(const char* direction, std::uint64_t frontier, std::uint64_t edges = step::not_counted) {
    if (detail::steps_here) [[unlikely]]
      begin({direction, frontier, edges});
  }
  step_scope(const step_scope&) = delete;
  ~step_scope() {
    if (start_ != 0) [[unlikely]]
      end();
  }

  // Where it is known only afterwards.
  void began_with(std::uint64_t frontier, std::uint64_t edges) {
    what_.frontier = frontier;
    what_.edges = edges;
  }
  void looked_at(std::uint64_t edges) { what_.edges = edges; }
  void took_further(std::uint64_t supersteps) { what_.supersteps += static_cast<std::uint32_t>(supersteps); }
  void went_alone() { what_.alone = true; }

 private:
  void begin(const step& what);
  void end() const;

  step what_;
  std::uint64_t start_ = 0;  // in ticks; 0: no log
  std::uint64_t waited_before_ = 0;
};

}  // namespace orujo::observe
