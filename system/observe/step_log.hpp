// The supersteps of a job in order, kept in a log per core if --stats_json requests one. A superstep costs
// some reads of the clock with a log, and a branch on a thread-local pointer without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/thread_state.hpp"
#include "system/base/ticks.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::internal::observe {

// Nanoseconds in which this core had nothing to run and no message to handle. A wait counts from the moment
// at which some dozens of polls have failed, a few microseconds after its begin.
extern const counter waiting_ns;

// Properties of a superstep that are the same at all cores.
struct step {
  static constexpr std::uint64_t not_counted = ~std::uint64_t{0};

  const char* direction = "";         // a literal: pull, push, ...
  std::uint64_t frontier = 0;         // active vertices
  std::uint64_t edges = not_counted;  // examined
  std::uint32_t run = 0, number = 0;  // number of the run, and of the superstep within it
  std::uint32_t supersteps =
      1;               // number of supersteps: one core runs small ones alone, and logs them together
  bool alone = false;  // only the core that has it took part
};

// A core's time for a superstep, and the part of it that the core waited.
struct step_time {
  double seconds = 0, waited = 0;
};

struct step_log {
  static constexpr base::core_part part = base::core_part::step_log;
  static constexpr std::size_t capacity = 4096;

  std::vector<step> steps;       // the first ones
  std::vector<step_time> times;  // of the same index
  std::uint64_t left_out = 0;    // later ones, which are not kept
  std::uint32_t runs = 0, next_number = 0;
  std::vector<step_time> shared_times;  // those of all cores' supersteps, once another core fetches them
};

// Starts an empty log of the calling core, and ends it.
void begin_step_log_here();
void end_step_log_here();

// Call it at every core that takes part: the following supersteps belong to another run, and begin at 0.
inline void begin_run_of_steps() {
  if (auto* log = base::part_here<step_log>()) [[unlikely]] {
    ++log->runs;
    log->next_number = 0;
  }
}

// A superstep, which lasts until the end of the C++ scope; at every core that takes part in it.
class step_scope {
 public:
  step_scope(const char* direction, std::uint64_t frontier, std::uint64_t edges = step::not_counted) {
    if (base::part_here<step_log>()) [[unlikely]]
      begin({direction, frontier, edges});
  }
  step_scope(const step_scope&) = delete;
  ~step_scope() {
    if (start_ != 0) [[unlikely]]
      end();
  }

  // Sets figures that are known only at the end.
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
  std::uint64_t start_ = 0;  // in ticks, 0 without a log
  std::uint64_t waited_before_ = 0;
};

}  // namespace orujo::internal::observe
