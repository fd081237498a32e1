// Options of a run of a vertex program, and its report.
#pragma once

#include <cstdint>

#include "framework/device/selection.hpp"
#include "framework/exchange/codecs/selection.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/base/identity.hpp"
#include "system/loops/stop_flag.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::gas {

// The value of --overlap.
bool overlap_from_flags();

// When one of several locales continues without the others, in an asynchronous program or one with
// priority(). With `automatic`, a program with priority() does so where collectives take most of the time
// (steps/lookahead.hpp), and `always` is the same. Another program does so if edges have no weights. What is
// found along weights without the others is mostly superseded.
enum class going_ahead { automatic, always, never };

// Options of a run. Designate members: run(program, graph, {.most_supersteps = 10}). The job ends with
// `exit_status::usage` if an option requests something that the program cannot do.
struct run_options {
  // The run ends after this number of supersteps.
  int most_supersteps = 1 << 30;
  // How the cores of a locale share a pull. With another value than the default, asynchronous programs do not
  // pull by sweeps (gas/sweep_phase.hpp), and programs with combine = any{} or priority() do not run.
  vectors::edge_loop_options edges = {};
  // The direction of supersteps. A program that is neither incremental nor has combine = any{} cannot push,
  // and one with priority() cannot pull.
  steps::direction_options direction = {};
  // When a locale continues without the others. Only asynchronous programs and those with priority() accept
  // always.
  going_ahead ahead = going_ahead::automatic;
  // The instruction set of pulls and of loops over vertices.
  machine::instruction_set simd = machine::simd_from_flags();
  // The codec of lists of vertices between locales.
  exchange::codec_options codec = exchange::codec_options_from_flags();
  // True: other locales get changes of values in 16 bits, half the bytes. Only programs that add floats and
  // are not incremental may ask for it. Their results then depend on the number of locales
  // (docs/design/rounding.md has bounds).
  bool rounded = false;
  // False: no checkpoints, also with --checkpoint_dir, as the caller's loop writes its own.
  bool checkpoints = true;
  // True: an edge phase of the vector engine begins while values of mirrors are on their way. Scalar programs
  // wait for all values.
  bool overlap = overlap_from_flags();
  // The run ends after the superstep in which this is set. Its core reads it after every superstep.
  loops::stop_flag stop = {};
  // The processor. Programs without code for GPUs (runs_on) do not run on a GPU.
  device::selection device = {};
};

namespace detail {

// For programs without priority(): true if a locale continues until it is quiet.
inline bool joins_first(const graph::locale_graph& g, going_ahead when) {
  return when == going_ahead::always || (when == going_ahead::automatic && !g.weighted);
}

// Any thread. Ends the job with `exit_status::usage` if options request something that the program cannot do.
// `shares_pulls` says that cores can share its pulls in any way, `goes_ahead` that its pushes can go ahead of
// other locales, `adds_floats` that what vertices show may be rounded.
void check_options(const run_options& options, bool shares_pulls, bool goes_ahead, bool adds_floats);

}  // namespace detail

// The figures of a run of a vertex program.
struct run_report {
  int supersteps = 0;
  int pushed = 0;      // supersteps that pushed
  double seconds = 0;  // of all supersteps, without the allocation of memory before
  // Edges examined, over all supersteps. A pull counts as all edges. Searches do not count edges.
  std::uint64_t edges = 0;
  bool on_gpu = false;
  bool ended = true;  // false: most_supersteps were not enough, or `stop` was set
};

}  // namespace orujo::internal::gas
