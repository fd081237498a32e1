// The edge phase begins while values of mirrors are on their way: what a trace says of it, and that none is
// used too early.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "framework/gas/run.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::gas {
namespace {

// Every vertex shows the number of the superstep, so that each exchange brings all values anew.
struct superstep_numbers {
  using value = double;
  static constexpr auto combine = sum{};
  struct aggregate {
    std::uint64_t wrong = 0;
    void operator+=(const aggregate& other) { wrong += other.wrong; }
  };
  template <class V>
  V gather(V number, V) const {
    return number;
  }
  value start(const vertex&, aggregate&) { return 1; }
  bool apply(const vertex&, value total, value& shown, aggregate& sums) {
    sums.wrong += total == 2 * shown ? 0 : 1;
    shown += 1;
    return true;
  }
  bool next(int superstep, const aggregate& last) {
    wrong += last.wrong;
    return superstep < supersteps;
  }
  static constexpr int supersteps = 5;
  std::uint64_t wrong = 0;
};

#if defined(ORUJO_THREAD_SANITIZER)
constexpr bool slow_build = true;
#else
constexpr bool slow_build = false;
#endif

// Counts of a run's exchanges from a core's trace: exchanges whose last values came after the begin of the
// edge phase, and exchanges whose values came too late to be used.
struct exchange_times {
  int overlapped = 0;
  int too_late = 0;

  static exchange_times from(const observe::trace_ring& trace) {
    std::vector<std::uint64_t> own, of_mirrors;  // when segments begin
    std::map<std::uint64_t, std::vector<std::uint64_t>> arrivals;
    CHECK_EQ(trace.dropped(), 0u);
    for (std::size_t k = 0; k < trace.size(); ++k) {
      const observe::trace_event& e = trace[k];
      if (e.name == std::string("segment")) (e.first == 0 ? own : of_mirrors).push_back(e.start);
      if (e.name == std::string("mirrors have arrived")) arrivals[e.second].push_back(e.start);
    }
    exchange_times all;
    for (std::size_t superstep = 0; superstep < own.size(); ++superstep) {
      std::uint64_t last = 0;
      for (const auto& [core, when] : arrivals) last = std::max(last, when.at(superstep));
      all.overlapped += last > own[superstep] ? 1 : 0;
      all.too_late += last > of_mirrors.at(superstep) ? 1 : 0;
    }
    return all;
  }
};

// A ring with a chord from each vertex across it, in two segments of sources: own vertices and mirrors. With
// two cores more is on its way to each than what may be under way at a time.
TEST(overlap, begins_with_own_sources_while_values_of_mirrors_are_on_their_way) {
  constexpr std::uint64_t vertices = slow_build ? 1 << 12 : 1 << 17;
  test_graphs::test_graph ring{"ring with chords", {}, vertices};
  for (std::uint64_t v = 0; v < vertices; ++v) {
    ring.list.edges.push_back({v, (v + 1) % vertices});
    ring.list.edges.push_back({v, (v + vertices / 2) % vertices});
  }
  graph::build_options in_two_segments;
  in_two_segments.segments = 2;
  const graph::distributed_graph handle = test_graphs::build(ring, in_two_segments);
  for (const bool overlap : {true, false}) {
    struct {
      std::uint64_t wrong = 1;
      exchange_times times;
    } found;
    loops::on_all_cores([=, to = at_home(found)] {
      observe::begin_trace_here(1 << 16);
      superstep_numbers program;
      run_options options;
      options.overlap = overlap;
      run(program, handle.here(), options);
      observe::end_trace_here();
      const exchange_times all = collectives::all_reduce(
          exchange_times::from(observe::trace_here()), [](exchange_times a, const exchange_times& b) {
            return exchange_times{a.overlapped + b.overlapped, a.too_late + b.too_late};
          });
      if (my_core() == 0) *to = {program.wrong, all};
    });
    EXPECT_EQ(found.wrong, 0u);
    EXPECT_EQ(found.times.too_late, 0);
    if (!overlap || locales() == 1) {
      EXPECT_EQ(found.times.overlapped, 0);
    } else if (locales() == 2 && cores() == 2 && !slow_build) {
      EXPECT_GT(found.times.overlapped, 0);
    }
  }
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
