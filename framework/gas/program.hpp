// What a vertex program is: a plain struct that the compiler checks.
//
//   struct pagerank {
//     using value = float;                                  // what a vertex shows its neighbours
//     static constexpr auto combine = orujo::gas::sum{};    // how contributions meet
//     struct aggregate { double change = 0; };              // summed over all vertices in every superstep
//     template <class V> V gather(V source_value, V edge_weight) const { return source_value; }
//     float start(const vertex& v, aggregate& sums);        // what v shows at first
//     bool apply(const vertex& v, float total, float& shown, aggregate& sums);
//     bool next(int superstep, const aggregate& last);
//   };
//
// A superstep combines the contributions of each vertex's in-edges into `total` (the identity of combine
// where there are none), then apply() computes what the vertex shows from now on: `shown` holds what it
// showed so far. apply() returns true to keep the vertex active; when no vertex is, the run ends. Before
// every superstep next() sees the sums of the last one (before the first: of start()) and returns false to
// end the run.
//
// Every core works on its own copy of the program; per-vertex state belongs in properties (property.hpp).
//
// Where only changes matter, a program may say so and is then pushed while few vertices are active:
//
//   static constexpr bool incremental = true;   // combine is idempotent (minimum, maximum, bit_or), and what
//   apply()
//                                               // has been given once changes nothing, and returns false,
//                                               again
//   bool starts(const vertex& v);               // optional: which vertices are active at first; without it,
//   all static constexpr bool settles = true;       // optional: there are vertices that nothing changes any
//   more, bool settled(const vertex& v) const;        // and this is one (asked after apply() and start())
//
// apply() is then called for vertices with new contributions at least, and `total` holds those at least.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "framework/engine/pull.hpp"

namespace orujo::gas {

struct vertex {
  std::uint32_t local;       // index among the locale's own vertices, as in properties
  std::uint32_t out_degree;  // after --symmetrize and the like
};

template <class Program>
concept vertex_program = engine::pull_program<Program> &&
    std::is_trivially_copyable_v<typename Program::aggregate> &&
    requires(Program& program, const vertex& v, typename Program::value total, typename Program::value& shown,
             typename Program::aggregate& sums, const typename Program::aggregate& last, int superstep) {
  { program.start(v, sums) } -> std::same_as<typename Program::value>;
  { program.apply(v, total, shown, sums) } -> std::same_as<bool>;
  { program.next(superstep, last) } -> std::same_as<bool>;
  {sums += last};
};

template <class Program>
concept incremental_program = vertex_program<Program> && requires {
  requires Program::incremental;
};

}  // namespace orujo::gas
