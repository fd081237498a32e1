// Runs the push of framework/gas on the laboratory's programs. It goes along plain rows, from lists of active
// vertices, and notes which vertices received something.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/gas/push_phase.hpp"

namespace orujo::internal::engine_lab {

// The members that gas requires of a program whose edges it pushes along. The laboratory has a vertex phase
// of its own.
template <class Program>
struct pushable : Program {
  struct aggregate {
    void operator+=(const aggregate&) {}
  };
  using value = typename Program::value;
  static constexpr bool incremental = true;

  explicit pushable(const Program& program) : Program(program) {}
  value start(const graph::vertex&, aggregate&) const;
  bool apply(const graph::vertex&, value, value&, aggregate&) const;
};

// One core's part.
template <class Program>
class row_push {
  using value = typename Program::value;

 public:
  // Contributions are combined in values, because the programs' totals are values.
  using phase = gas::detail::push_phase<pushable<Program>, value>;
  using shared = typename phase::arena;

  // [task; suspends; collective over the job] `totals` are by own vertex, and the identity before a push.
  row_push(const Program& program, const graph::locale_graph& g, shared& arena, std::span<value> totals)
      : graph_(g),
        arena_(arena),
        program_(program),
        push_(program_, g, arena, totals, exchange::codec_options_from_flags()) {}

  // [task; suspends; collective over the job] Pushes from this core's vertices that have out-edges and are
  // active(v).
  template <class Active>
  void run(std::span<const value> shown, Active active) {
    gas::detail::core_frontier& mine = push_.mine();
    const graph::core_part& part = graph_.my_part();
    mine.clear();
    for (std::uint32_t v = part.first; v < part.last; ++v) {
      if (graph_.out_degree[v] > 0 && active(v)) mine.active.push_back(v);
    }
    collectives::barrier(collectives::group::locale);
    push_.run(shown);
    for (const std::uint32_t v : mine.touched) arena_.touched.shared_reset(v);
    mine.touched.clear();
  }

 private:
  const graph::locale_graph& graph_;
  shared& arena_;
  const pushable<Program> program_;
  phase push_;
};

}  // namespace orujo::internal::engine_lab
