// Members that a vertex program has, whatever their types are, and optional ones that can be called.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/program_state.hpp"

namespace orujo::internal::gas::detail {

using graph::program_state;

// A program's member is ambiguous beside another member of its name, be it a function, a template, overloaded
// or private. Final programs cannot be inspected.
struct member_names {
  int start, apply, next, gather, collect, combine, starts, settled, priority, incremental, deltas, settles,
      asynchronous, improves, monotone, checkpoint, restored;
};
template <class Program>
struct beside : Program, member_names {};

// clang-format off
template <class P> concept has_start = !requires { &beside<P>::start; };
template <class P> concept has_apply = !requires { &beside<P>::apply; };
template <class P> concept has_next = !requires { &beside<P>::next; };
template <class P> concept has_gather = !requires { &beside<P>::gather; };
template <class P> concept has_collect = !requires { &beside<P>::collect; };
template <class P> concept has_combine = !requires { &beside<P>::combine; };
template <class P> concept has_starts = !requires { &beside<P>::starts; };
template <class P> concept has_settled = !requires { &beside<P>::settled; };
template <class P> concept has_priority = !requires { &beside<P>::priority; };
template <class P> concept has_incremental = !requires { &beside<P>::incremental; };
template <class P> concept has_deltas = !requires { &beside<P>::deltas; };
template <class P> concept has_settles = !requires { &beside<P>::settles; };
template <class P> concept has_asynchronous = !requires { &beside<P>::asynchronous; };
template <class P> concept has_improves = !requires { &beside<P>::improves; };
template <class P> concept has_monotone = !requires { &beside<P>::monotone; };
template <class P> concept has_checkpoint = !requires { &beside<P>::checkpoint; };
template <class P> concept has_restored = !requires { &beside<P>::restored; };
// clang-format on

template <class Program>
concept calls_start = requires(Program& program, const vertex& v, typename Program::aggregate& sums) {
  { program.start(v, sums) } -> std::same_as<typename Program::value>;
};
template <class Program>
concept calls_apply = requires(Program& program, const vertex& v, const total_of<Program>& total,
                               typename Program::value& shown, typename Program::aggregate& sums) {
  { program.apply(v, total, shown, sums) } -> std::same_as<bool>;
};
// Programs whose vertices show which they are.
template <class Program>
concept calls_start_of_sources = requires(Program& program, const vertex& v,
                                          typename Program::aggregate& sums) {
  { program.start(v, sums) } -> std::same_as<void>;
};
template <class Program>
concept calls_apply_of_sources = requires(Program& program, const vertex& v, const source& from,
                                          typename Program::aggregate& sums) {
  { program.apply(v, from, sums) } -> std::same_as<bool>;
};
template <class Program>
concept calls_next = requires(Program& program, const typename Program::aggregate& last) {
  { program.next(0, last) } -> std::convertible_to<bool>;
};
template <class Program>
concept calls_starts = requires(Program& program, const vertex& v) {
  { program.starts(v) } -> std::convertible_to<bool>;
};
template <class Program>
concept calls_settled = requires(Program& program, const vertex& v) {
  { program.settled(v) } -> std::convertible_to<bool>;
};
template <class Program>
concept calls_priority = requires(const Program& program, const vertex& v,
                                  const typename Program::value& shown) {
  { program.priority(v, shown) } -> std::same_as<std::uint64_t>;
};

template <class Program>
concept calls_checkpoint = requires(Program& program, program_state& kept) {
  program.checkpoint(kept);
};
template <class Program>
concept calls_restored = requires(Program& program, const vertex& v) {
  { program.restored(v) } -> std::same_as<typename Program::value>;
};

// A program whose vertices may show rounded values to other locales, as later supersteps make up for it.
template <class Program>
concept adds_floats =
    std::is_same_v<typename Program::value, float> && !incremental_program<Program> && requires {
  requires Program::combine.rounds;
};

// Ends the job if checkpoints are requested and the program has no checkpoint() and needs one.
template <class Program>
bool writes_checkpoints(const run_options& options) {
  if (!options.checkpoints) return false;
  constexpr bool can = calls_checkpoint<Program> || relaxing_program<Program>;
  if constexpr (!can) graph::refuse_checkpoints();
  return can;
}

template <class Program>
const run_options& checked(const run_options& options) {
  check_options(options, !searching_program<Program> && !relaxing_program<Program>,
                asynchronous_program<Program> || relaxing_program<Program>, adds_floats<Program>);
  return options;
}

}  // namespace orujo::internal::gas::detail
