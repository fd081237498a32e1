// The trace: each core's activities over time, kept in a ring buffer per core if --trace_json requests one.
// Recording an event is a store of 56 bytes and one or two reads of the clock. Without a trace it is a branch
// on a thread-local pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/thread_state.hpp"
#include "system/base/ticks.hpp"

namespace orujo::internal::observe {

enum class trace_shape { span, instant, counter };
// Spans of one flow number are joined by an arrow from out to in.
enum class trace_flow { none, out, in };

// The common properties of events of a kind; constants beside the code that records them.
struct trace_kind {
  const char* category;
  trace_shape shape = trace_shape::span;
  // Names of the values, null for none. A counter's value is the first.
  const char* first = nullptr;
  const char* second = nullptr;
  trace_flow flow = trace_flow::none;
};

struct trace_event {
  const char* name;  // stays as long as the job: a literal
  const trace_kind* kind;
  std::uint64_t start = 0, duration = 0;  // in ticks
  std::uint64_t first = 0, second = 0, flow = 0;
};

// The latest events of one core; once it is full each one replaces the oldest.
class trace_ring {
 public:
  static constexpr base::core_part part = base::core_part::trace;

  explicit trace_ring(std::size_t capacity) : events_(capacity) {}

  void record(const trace_event& e) {
    events_[next_] = e;
    if (++next_ == events_.size()) next_ = 0;
    ++recorded_;
  }
  std::size_t size() const {
    return recorded_ < events_.size() ? static_cast<std::size_t>(recorded_) : events_.size();
  }
  std::uint64_t dropped() const { return recorded_ - size(); }
  // The k-th oldest; k < size().
  const trace_event& operator[](std::size_t k) const {
    const std::size_t at = (recorded_ > events_.size() ? next_ : 0) + k;
    return events_[at < events_.size() ? at : at - events_.size()];
  }

 private:
  std::vector<trace_event> events_;
  std::size_t next_ = 0;
  std::uint64_t recorded_ = 0;
};

// True on a core that records at the moment.
inline bool tracing() { return base::part_here<trace_ring>() != nullptr; }

// The calling core begins an empty trace of up to `events` events, of 56 bytes each.
void begin_trace_here(std::size_t events);
// Stops recording, and keeps the events.
void end_trace_here();
// The events that this core has recorded after the last begin.
const trace_ring& trace_here();

// Call these only where tracing() is true.
//   if (observe::tracing()) [[unlikely]] observe::record_instant("block: full", sealed, bytes, to);
[[gnu::cold]] void record_span(const char* name, const trace_kind& kind, std::uint64_t start,
                               std::uint64_t end, std::uint64_t first = 0, std::uint64_t second = 0,
                               std::uint64_t flow = 0);
[[gnu::cold]] void record_instant(const char* name, const trace_kind& kind, std::uint64_t first = 0,
                                  std::uint64_t second = 0);

// [any thread] A span of the trace, from here to the end of the C++ scope, on the calling core. The name is a
// string literal. If the task suspends meanwhile, the span continues, and covers other tasks and handlers.
// Spans that overlap without one containing the other are drawn on separate lines. Costs a branch without
// --trace_json:
//   trace_scope scope("refine");
//   trace_scope scope("round", k);
class trace_scope {
 public:
  template <std::size_t N>
  explicit trace_scope(const char (&name)[N]) : name_(name), start_(tracing() ? base::ticks() : 0) {}
  template <std::size_t N>
  trace_scope(const char (&name)[N], std::uint64_t value) : trace_scope(name) {
    value_ = value;
    has_value_ = true;
  }
  trace_scope(const trace_scope&) = delete;
  ~trace_scope() {
    if (start_ != 0) [[unlikely]]
      end();
  }

 private:
  void end() const;
  const char* name_;
  std::uint64_t start_;
  std::uint64_t value_ = 0;
  bool has_value_ = false;
};

namespace detail {
void record_trace_instant(const char* name);
void record_trace_counter(const char* name, std::uint64_t value);
}  // namespace detail

// [any thread] Marks a moment on the calling core in the trace. The name is a string literal. Costs a branch
// without --trace_json.
template <std::size_t N>
void trace_instant(const char (&name)[N]) {
  if (tracing()) [[unlikely]]
    detail::record_trace_instant(name);
}
// [any thread] Records the value of a quantity on the calling core from now on, which is drawn as a curve.
// The name is a string literal. Costs a branch without --trace_json.
template <std::size_t N>
void trace_counter(const char (&name)[N], std::uint64_t value) {
  if (tracing()) [[unlikely]]
    detail::record_trace_counter(name, value);
}

}  // namespace orujo::internal::observe
