// A core's trace as Chrome trace events (JSON), for chrome://tracing and Perfetto, piece by piece. The
// format: "Trace Event Format", docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/observe/trace.hpp"

namespace orujo::observe {

// One moment by two clocks, in ticks of each; off by at most the error.
struct clock_point {
  std::uint64_t here = 0, reference = 0, error = 0;
};

// Tells a core's ticks as ns since the trace began by the reference clock: in a line through two points, so
// that between them it is off by no more than the points are. Can travel.
struct trace_clock {
  clock_point first, last;
  std::uint64_t origin = 0;  // of the reference
  double ns_per_tick = 1;    // of the reference

  double ns(std::uint64_t here) const;
};

// Where events are drawn: processes are locales, threads are cores and, beside each, lines for spans that
// overlap others without one holding the other.
struct trace_place {
  int locale = 0, core = 0;
  int cores = 1;  // of the job
};

class trace_json {
 public:
  // The ring stays and gets no more events.
  trace_json(const trace_ring& ring, const trace_place& at, const trace_clock& clock);

  // How many lines of its own the core has, at least 1.
  int lines() const { return lines_; }
  // Whole events, each followed by a comma and the end of the line: about `bytes` of them, oldest first,
  // after the names of the lines; empty when all have been given.
  std::string next_piece(std::size_t bytes);

 private:
  struct drawn {
    const trace_event* event;
    int line;
  };
  void draw();
  void add_names(std::string& to) const;
  void add(std::string& to, const drawn& d) const;
  std::string position(int line, std::uint64_t when) const;

  const trace_place at_;
  const trace_clock clock_;
  std::vector<drawn> events_;  // by start
  std::size_t given_ = 0;
  bool named_ = false;
  int lines_ = 1;
};

// The event that names a process.
std::string locale_name_event(int locale);

}  // namespace orujo::observe
