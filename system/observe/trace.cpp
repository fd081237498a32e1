#include "system/observe/trace.hpp"

#include <glog/logging.h>

#include <optional>

namespace orujo::internal::observe {
namespace {

// A core's last trace.
struct kept_trace {
  static constexpr base::core_part part = base::core_part::kept_trace;
  std::optional<trace_ring> ring;
};

constexpr trace_kind plain_scope{"scope"};
constexpr trace_kind scope_with_value{"scope", trace_shape::span, "value"};
constexpr trace_kind moment{"scope", trace_shape::instant};
constexpr trace_kind level{"scope", trace_shape::counter, "value"};

}  // namespace

void begin_trace_here(std::size_t events) {
  CHECK_GT(events, 0u);
  base::set_part_here(&base::made_part<kept_trace>().ring.emplace(events));
}

void end_trace_here() { base::set_part_here<trace_ring>(nullptr); }

const trace_ring& trace_here() {
  const auto* const kept = base::part_here<kept_trace>();
  CHECK(kept) << "no trace was begun on this core";
  return *kept->ring;
}

// A scope may outlive the trace, hence the tests.
void record_span(const char* name, const trace_kind& kind, std::uint64_t start, std::uint64_t end,
                 std::uint64_t first, std::uint64_t second, std::uint64_t flow) {
  if (!tracing()) return;
  base::part_here<trace_ring>()->record({name, &kind, start, end - start, first, second, flow});
}

void record_instant(const char* name, const trace_kind& kind, std::uint64_t first, std::uint64_t second) {
  if (!tracing()) return;
  base::part_here<trace_ring>()->record({name, &kind, base::ticks(), 0, first, second});
}

void trace_scope::end() const {
  record_span(name_, has_value_ ? scope_with_value : plain_scope, start_, base::ticks(), value_);
}

namespace detail {

void record_trace_instant(const char* name) { record_instant(name, moment); }
void record_trace_counter(const char* name, std::uint64_t value) { record_instant(name, level, value); }

}  // namespace detail

}  // namespace orujo::internal::observe
