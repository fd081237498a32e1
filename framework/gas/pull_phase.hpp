// The edge phase of programs of the vector engine: one segment of the sources after the other, segments of
// mirrors as soon as their values arrive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

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
  // `shown` and `totals` are the locale's.
  pull_phase(const Program& program, const graph::locale_graph& g, arena<Program>& shared,
             std::span<value> shown, std::span<value> totals, exchange::mirror_exchange<value>& mirrors)
      : program_(program), graph_(g), shared_(shared), shown_(shown), totals_(totals), mirrors_(mirrors) {}

  // [task; suspends; collective over the locale] Combines contributions into the totals. Those at the ends of
  // chunks are left to merge(), which may run when all cores of the locale have returned.
  void run(machine::instruction_set simd) {
    machine::with_isa(simd, [&](auto isa) { pull_segments(isa); });
  }

  // [task] Merges contributions to this core's vertices.
  void merge() {
    const graph::core_part& mine = graph_.my_part();
    vectors::merge(Program::combine, std::span<const slot>(shared_.slots), mine.first, mine.last, totals_);
  }

 private:
  template <class Isa>
  void pull_segments(Isa) {
    const graph::vector_sparse_view edges = graph_.in_edges();
    vectors::edge_loops& loops_of = shared_.edge_loops;
    bool first = true;
    for (const std::size_t s : shared_.order) {
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

  const Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  const std::span<value> shown_, totals_;
  exchange::mirror_exchange<value>& mirrors_;
};

}  // namespace orujo::internal::gas::detail
