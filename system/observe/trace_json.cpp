#include "system/observe/trace_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/base/json.hpp"

namespace orujo::internal::observe {
namespace {

std::string quoted(const std::string& text) { return base::json(text).dump(); }

std::string thread_event(const char* what, int pid, int tid, const std::string& argument) {
  return fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{{}}}}},\n", what, pid,
                     tid, argument);
}

}  // namespace

double trace_clock::ns(std::uint64_t here) const {
  const auto difference = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(static_cast<std::int64_t>(a - b));
  };
  const double between = difference(last.here, first.here);
  const double slope = between > 0 ? difference(last.reference, first.reference) / between : 1;
  return (difference(first.reference, origin) + difference(here, first.here) * slope) * ns_per_tick;
}

trace_json::trace_json(const trace_ring& ring, const trace_place& at, const trace_clock& clock)
    : at_(at), clock_(clock) {
  events_.reserve(ring.size());
  for (std::size_t k = 0; k < ring.size(); ++k) events_.push_back({&ring[k], 0});
  std::stable_sort(events_.begin(), events_.end(), [](const drawn& a, const drawn& b) {
    if (a.event->start != b.event->start) return a.event->start < b.event->start;
    return a.event->duration > b.event->duration;  // the outer span before those within it
  });
  draw();
}

// Each span goes on the first line where it is nested in an existing span, or follows it.
void trace_json::draw() {
  std::vector<std::vector<std::uint64_t>> open(1);  // by line: the ends of the spans around, outermost first
  for (drawn& d : events_) {
    if (d.event->kind->shape != trace_shape::span) continue;
    const std::uint64_t start = d.event->start, end = start + d.event->duration;
    for (;; ++d.line) {
      if (static_cast<std::size_t>(d.line) == open.size()) open.emplace_back();
      std::vector<std::uint64_t>& around = open[static_cast<std::size_t>(d.line)];
      while (!around.empty() && around.back() <= start) around.pop_back();
      if (!around.empty() && around.back() < end) continue;
      around.push_back(end);
      break;
    }
  }
  lines_ = static_cast<int>(open.size());
}

std::string trace_json::next_piece(std::size_t bytes) {
  std::string piece;
  if (!named_) add_names(piece);
  named_ = true;
  while (given_ < events_.size() && piece.size() < bytes) add(piece, events_[given_++]);
  return piece;
}

void trace_json::add_names(std::string& to) const {
  for (int line = 0; line < lines_; ++line) {
    const int tid = at_.core + line * at_.cores;
    const std::string further = line == 0 ? "" : fmt::format(", overlapping {}", line);
    to += thread_event("thread_name", at_.locale, tid,
                       fmt::format("\"name\":\"core {}{}\"", at_.core, further));
    to += thread_event("thread_sort_index", at_.locale, tid,
                       fmt::format("\"sort_index\":{}", at_.core * 1000 + std::min(line, 999)));
  }
}

std::string trace_json::position(int line, std::uint64_t when) const {
  return fmt::format("\"pid\":{},\"tid\":{},\"ts\":{:.3f}", at_.locale, at_.core + line * at_.cores,
                     clock_.ns(when) / 1000);
}

void trace_json::add(std::string& to, const drawn& d) const {
  const trace_event& e = *d.event;
  const trace_kind& kind = *e.kind;
  const std::string where = position(d.line, e.start);
  if (kind.shape == trace_shape::counter) {
    // The core is part of the name, because curves of one name and process are merged.
    to +=
        fmt::format("{{\"ph\":\"C\",{},\"name\":{},\"cat\":\"{}\",\"args\":{{\"{}\":{}}}}},\n", where,
                    quoted(fmt::format("{}, core {}", e.name, at_.core)), kind.category, kind.first, e.first);
    return;
  }
  to += fmt::format("{{\"ph\":\"{}\",{},", kind.shape == trace_shape::span ? 'X' : 'i', where);
  if (kind.shape == trace_shape::span) {
    to += fmt::format("\"dur\":{:.3f},", (clock_.ns(e.start + e.duration) - clock_.ns(e.start)) / 1000);
  } else {
    to += "\"s\":\"t\",";
  }
  to += fmt::format("\"name\":{},\"cat\":\"{}\",\"args\":{{", quoted(e.name), kind.category);
  if (kind.first) to += fmt::format("\"{}\":{}", kind.first, e.first);
  if (kind.second) to += fmt::format(",\"{}\":{}", kind.second, e.second);
  to += "}},\n";
  if (kind.flow == trace_flow::none) return;
  to += fmt::format("{{\"ph\":\"{}\",{},\"name\":{},\"cat\":\"{}\",\"id\":{}{}}},\n",
                    kind.flow == trace_flow::out ? 's' : 'f', where, quoted(kind.category), kind.category,
                    e.flow, kind.flow == trace_flow::out ? "" : ",\"bp\":\"e\"");
}

std::string locale_name_event(int locale) {
  return thread_event("process_name", locale, 0, fmt::format("\"name\":\"locale {}\"", locale)) +
         thread_event("process_sort_index", locale, 0, fmt::format("\"sort_index\":{}", locale));
}

}  // namespace orujo::internal::observe
