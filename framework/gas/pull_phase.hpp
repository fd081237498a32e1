// The edge phase of programs of the vector engine: one segment of the sources after the other, segments of
// mirrors as soon as their values arrive. On a grid edges of guests come first, and their totals leave before
// those of own vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "framework/exchange/guest_totals.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/gas/arena.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/vectors/pull.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule.hpp"
#include "system/machine/isa.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::gas::detail {

// One core's part.
template <vertex_program Program>
class pull_phase {
  using value = typename Program::value;
  using slot = typename engine_arena<Program>::slot;

 public:
  // `shown` and `totals` are the locale's. guests: null unless edges lie on a grid.
  pull_phase(const Program& program, const graph::locale_graph& g, arena<Program>& shared,
             std::span<value> shown, std::span<value> totals, exchange::mirror_exchange<value>& mirrors,
             exchange::guest_totals<value>* guests)
      : program_(program),
        graph_(g),
        shared_(shared),
        shown_(shown),
        totals_(totals),
        mirrors_(mirrors),
        guests_(guests) {}

  // [task; suspends; collective over the locale] Combines contributions into the totals. Those at the ends of
  // chunks are left to merge(), which may run when all cores of the locale have returned.
  void run(machine::instruction_set simd) {
    machine::with_isa(simd, [&](auto isa) { pull_segments(isa); });
  }

  // [task; suspends] Merges contributions to this core's vertices. On a grid it waits for those that other
  // locales have found.
  void merge() {
    const graph::core_part& mine = graph_.my_part();
    vectors::merge(Program::combine, slots_of(graph_.guest_segments, graph_.segments.size()), mine.first,
                   mine.last, totals_);
    if (guests_) guests_->template fold<vectors::partial_total<Program>>(Program::combine);
  }

 private:
  template <class Isa>
  void pull_segments(Isa) {
    const graph::vector_sparse_view edges = graph_.in_edges();
    vectors::edge_loops& loops_of = shared_.edge_loops;
    bool first = true;
    for (std::size_t k = 0; k < shared_.order.size(); ++k) {
      if (guests_ && k == graph_.guest_segments) {
        send_guests();
        first = true;  // this has met the other cores
      }
      const std::size_t s = shared_.order[k];
      const graph::edge_segment& segment = edges.segments[s];
      const bool awaited = mirrors_.under_way() && segment.last_source > graph_.own;
      if (awaited)
        mirrors_.await(std::max(segment.first_source, graph_.own) - graph_.own,
                       segment.last_source - graph_.own);
      if (awaited || !first) collectives::barrier(collectives::group::locale);
      first = false;
      const observe::trace_scope traced("segment", s);
      const vectors::pull_loop<Program, Isa> pull(program_, edges, segment, shown_, totals_, shared_.slots,
                                                  shared_.reads[s], shared_.settled.words());
      const std::size_t first_chunk = loops_of.first_chunk(s);
      loops::run_share(loops_of.loop(s), my_core_of_locale(), [&](const loops::chunk& c) {
        pull.run_chunk(c.first, c.last, first_chunk + c.number);
      });
    }
  }

  void send_guests() {
    collectives::barrier(collectives::group::locale);
    const graph::core_part& mine = graph_.my_part();
    vectors::merge(Program::combine, slots_of(0, graph_.guest_segments), mine.first_guest, mine.last_guest,
                   totals_);
    guests_->start(Program::combine.template identity<value>());
  }
  // Returns the slots of the chunks of segments [first, last).
  std::span<const slot> slots_of(std::size_t first, std::size_t last) const {
    const std::size_t from = shared_.edge_loops.first_chunk(first);
    return std::span<const slot>(shared_.slots).subspan(from, shared_.edge_loops.first_chunk(last) - from);
  }

  const Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  const std::span<value> shown_, totals_;
  exchange::mirror_exchange<value>& mirrors_;
  exchange::guest_totals<value>* const guests_;
};

}  // namespace orujo::internal::gas::detail
