#include "system/report/job_trace.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/json.hpp"
#include "system/base/ticks.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/files/file_flags.hpp"

DEFINE_string(trace_json, "", "file for a trace of every core, for ui.perfetto.dev or chrome://tracing");
DEFINE_uint64(trace_events_per_core, 1 << 16,
              "number of events, of 56 bytes, that --trace_json keeps per core: the latest");

namespace orujo::internal::report {
namespace {

const files::file_flag written_trace("trace_json", files::file_flag::written);

const flag_rule events_rule(
    "trace_events_per_core",
    [] { return FLAGS_trace_events_per_core >= 16 && FLAGS_trace_events_per_core <= 1u << 26; },
    "from 16 to 2^26");
const base::flag_need events_need(
    {"trace_events_per_core"}, [] { return !FLAGS_trace_json.empty(); }, "with --trace_json");

using observe::clock_point;

// [task; suspends] Compares the clock of a locale with this one's, by the fastest of some round trips. If
// every answer lies between question and receipt, the clocks are the same, and the result is exact.
clock_point compare_clocks(locale_id with) {
  constexpr int trips = 64;
  clock_point best;
  best.error = ~std::uint64_t{0};
  bool same = true;
  for (int k = 0; k < trips; ++k) {
    const std::uint64_t before = base::ticks();
    const std::uint64_t there = delegates::call(shape().first_core_of(with), [] { return base::ticks(); });
    const std::uint64_t after = base::ticks(), half = (after - before) / 2;
    same = same && before <= there && there <= after;
    if (half < best.error) best = {there, before + half, half};
  }
  return same ? clock_point{best.here, best.here, 0} : best;
}

by_locale<clock_point> compare_all_clocks() {
  by_locale<clock_point> points;
  for (locale_id l = 0; l < locales(); ++l) points.push_back(compare_clocks(l));
  return points;
}

// The part of its trace that a core is sending.
struct gift {
  observe::trace_json json;
  std::string piece = {};
};

}  // namespace

result<job_trace> job_trace::open() {
  auto file = files::output_file::open(FLAGS_trace_json);
  if (!file.ok()) return file.status();
  return job_trace(std::move(file).value());
}

void job_trace::begin() {
  if (!file_.wanted()) return;
  at_begin_ = compare_all_clocks();
  origin_ = base::ticks();
  delegates::call_on_all(
      [events = FLAGS_trace_events_per_core] {
        observe::begin_trace_here(events);
        return true;
      },
      [](core_id, bool) {});
  samples_.begin();
}

void job_trace::end() {
  if (!file_.wanted()) return;
  dropped_.resize(cores());
  delegates::call_on_all(
      [] {
        observe::end_trace_here();
        return observe::trace_here().dropped();
      },
      [&](core_id c, std::uint64_t n) { dropped_[c] = n; });
  samples_.end();
}

status job_trace::write() {
  if (!file_.wanted()) return {};
  at_end_ = compare_all_clocks();
  write_header();
  const double reference_ns_per_tick = base::ns_per_tick();
  std::string names;
  for (locale_id l = 0; l < locales(); ++l) {
    const core_id first = shape().first_core_of(l);
    for (core_id c = first; c < first + shape().cores_of(l); ++c) {
      write_core(c, {at_begin_[l], at_end_[l], origin_, reference_ns_per_tick});
    }
    names += observe::locale_name_event(l);
  }
  names.resize(names.size() - 2);  // the last comma
  file_.write(names + "\n]}\n");
  const std::uint64_t all_dropped = std::accumulate(dropped_.begin(), dropped_.end(), std::uint64_t{0});
  if (all_dropped > 0) {
    LOG(WARNING) << "the trace lacks the oldest " << all_dropped << " events, of "
                 << std::count_if(dropped_.begin(), dropped_.end(), [](std::uint64_t n) { return n > 0; })
                 << " cores: raise --trace_events_per_core";
  }
  return file_.finish();
}

void job_trace::write_header() {
  std::vector<double> errors;
  for (locale_id l = 0; l < locales(); ++l)
    errors.push_back(std::round(static_cast<double>(std::max(at_begin_[l].error, at_end_[l].error)) *
                                base::ns_per_tick()) /
                     1000);
  const base::json about = {{"locales", locales()},
                            {"cores", cores()},
                            {"dropped_events_by_core", dropped_},
                            {"clock_error_us_by_locale", errors}};
  file_.write("{\"displayTimeUnit\":\"ns\",\n\"otherData\":" + about.dump() + ",\n\"traceEvents\":[\n");
}

// [task; suspends] Fetches the trace piece by piece, so that neither side holds the text of all events.
void job_trace::write_core(core_id core, const observe::trace_clock& clock) {
  const observe::trace_place at{shape().locale_of(core), core, cores()};
  gift* const given = delegates::call_task(
      core, [at, clock] { return new gift{observe::trace_json(observe::trace_here(), at, clock)}; });
  for (std::string piece;; file_.write(piece)) {
    const auto there = delegates::call_task(core, [given] {
      constexpr std::size_t piece_bytes = 256 << 10;
      given->piece = given->json.next_piece(piece_bytes);
      return std::span<const char>(given->piece);
    });
    piece.resize(there.size());
    if (piece.empty()) break;
    delegates::get(memory::global_address<const char>(core, there.data()),
                   std::span(piece.data(), piece.size()));
  }
  delegates::call(core, [given] { delete given; });
}

}  // namespace orujo::internal::report
