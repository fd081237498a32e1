// A core's trace as Chrome trace events (JSON), for chrome://tracing and Perfetto, piece by piece. The
// format: "Trace Event Format", docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/observe/trace.hpp"

namespace orujo::internal::observe {

// The same moment by two clocks, in ticks of each, with the bound of its error.
struct clock_point {
  std::uint64_t here = 0, reference = 0, error = 0;
};

// Converts a core's ticks to ns since the trace began by the reference clock. It is a line through two
// points, and between them its error is at most that of the points. Can travel.
struct trace_clock {
  clock_point first, last;
  std::uint64_t origin = 0;  // of the reference
  double ns_per_tick = 1;    // of the reference

  double ns(std::uint64_t here) const;
};

// Where events are drawn. Processes are locales, threads are cores, and beside each core lie lines for spans
// that overlap others without being nested.
struct trace_place {
  int locale = 0, core = 0;
  int cores = 1;  // of the job
};

class trace_json {
 public:
  // The ring must outlive this and get no more events.
  trace_json(const trace_ring& ring, const trace_place& at, const trace_clock& clock);

  // Number of lines that the core has, at least 1.
  int lines() const { return lines_; }
  // The next events, oldest first, each followed by a comma and the end of the line. A piece has about
  // `bytes` bytes and whole events. The first one begins with the names of the lines, and after the last one
  // pieces are empty.
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

}  // namespace orujo::internal::observe
