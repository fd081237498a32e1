// State that the cores of a locale share while a vertex program runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "framework/gas/program.hpp"
#include "framework/gas/push_phase.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/gas/touch_phase.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "framework/vectors/pull.hpp"
#include "framework/vectors/source_reads.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"
#include "system/report/job_report.hpp"

namespace orujo::internal::gas::detail {

// Order of segments in the edge phase: those of guests, and then those of own vertices. Both begin with own
// sources, and mirrors follow in the order in which their values arrive. The values of the locales after this
// one arrive first.
inline std::vector<std::size_t> segment_order(const graph::locale_graph& g) {
  std::vector<std::size_t> order(g.segments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::uint32_t after = g.own + g.mirrors_before(g.first_vertex);
  const auto rotate_mirrors = [&](auto first, auto last) {
    const auto first_from = [&](std::uint32_t source) {
      return std::partition_point(first, last,
                                  [&](std::size_t s) { return g.segments[s].first_source < source; });
    };
    std::rotate(first_from(g.own), first_from(after), last);
  };
  const auto of_own = order.begin() + static_cast<std::ptrdiff_t>(g.guest_segments);
  rotate_mirrors(order.begin(), of_own);
  rotate_mirrors(of_own, order.end());
  return order;
}

// Types of the state that only vector programs share, or only scalar programs.
template <class Program>
struct engine_arena {
  using push = touch_arena;
  using slot = nothing;
};
template <vectors::pull_program Program>
struct engine_arena<Program> {
  using partial = vectors::partial_total<Program>;
  using push = push_arena<typename Program::value, partial>;
  using slot = vectors::merge_slot<partial>;
};

template <vertex_program Program>
struct arena {
  using value = typename Program::value;

  arena(const graph::locale_graph& g, int cores, const vectors::edge_loop_options& how, bool settles,
        bool pushes)
      : options(how),
        edge_loops(make_loops(g, cores, how)),
        shown(std::size_t{g.own} + g.mirrors),
        totals(g.targets()) {
    if constexpr (!scalar_program<Program>) {
      slots.resize(edge_loops.first_chunk(edge_loops.segments()));
      order = segment_order(g);
      for (const graph::edge_segment& segment : g.segments)
        reads.push_back(vectors::choose_reads(g.in_edges(), segment, sizeof(value)));
      if (my_core() == 0)
        report::tell_setting("sources at locale 0", [&] {
          return vectors::reads_text(g.in_edges(), g.segments, sizeof(value), reads);
        });
    }
    if (settles) settled = graph::bit_set(g.targets());
    if (pushes) push.emplace(g, cores);
  }

  // True if the arena suits another run, for which it is then as good as new.
  bool reuse(const graph::locale_graph& g, const vectors::edge_loop_options& wanted, bool pushes) {
    if (options != wanted || push.has_value() != pushes || totals.size() != g.targets() ||
        shown.size() != std::size_t{g.own} + g.mirrors)
      return false;
    settled.clear(0, settled.size_in_words());
    return true;
  }

  static vectors::edge_loops make_loops(const graph::locale_graph& g, int cores,
                                        const vectors::edge_loop_options& how) {
    if constexpr (scalar_program<Program>) return row_loops(g, cores, how);
    return vectors::edge_loops(g.in_edges(), cores, how);
  }

  const vectors::edge_loop_options options;
  vectors::edge_loops edge_loops;
  std::vector<std::size_t> order;                            // of segments in the edge phase
  std::vector<vectors::source_reads> reads;                  // by segment; not of scalar programs
  machine::huge_array<value> shown;                          // by local index
  machine::huge_array<total_of<Program>> totals;             // by target index
  std::vector<typename engine_arena<Program>::slot> slots;   // not of scalar programs
  graph::bit_set settled;                                    // likewise; only of settling programs
  std::optional<typename engine_arena<Program>::push> push;  // only where supersteps may push
};

}  // namespace orujo::internal::gas::detail
