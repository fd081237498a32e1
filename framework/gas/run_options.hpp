// How a vertex program is run, and what a run came to.
#pragma once

#include <atomic>
#include <cstdint>

#include "framework/device/selection.hpp"
#include "framework/exchange/codecs/selection.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/base/identity.hpp"
#include "system/machine/isa.hpp"

namespace orujo::gas {

// What --overlap says.
bool overlap_from_flags();

// When one of several locales continues without the others, in an asynchronous program. automatic: a program
// with priority() where collectives take most of the time (gas/push_ahead.hpp), another one where edges have
// no weights, as results along weights found without the others are mostly superseded.
enum class going_ahead { automatic, always, never };

// How a vertex program is run. Designate members: run(program, graph, {.most_supersteps = 10}). The job ends
// with exit_status::usage if an option asks for something that the program cannot do.
struct run_options {
  int most_supersteps = 1 << 30;
  // How the cores of a locale share a pull. Asynchronous programs pull by sweeps only where this is the
  // default (sweep_phase.hpp). A program with combine = any{} takes no other: its pulls stop at the first
  // in-neighbour.
  vectors::edge_loop_options edges = {};
  // A program that is neither incremental nor has combine = any{} cannot be pushed.
  steps::direction_options direction = {};
  going_ahead ahead = going_ahead::automatic;  // always: of asynchronous programs only
  // Pulls and loops over vertices are compiled for this; pushes have nothing to add up.
  machine::instruction_set simd = machine::simd_from_flags();
  exchange::codec_options codec = exchange::codec_options_from_flags();  // of lists of vertices that are sent
  bool checkpoints = true;  // where --checkpoint_dir is given; false where the caller's loop writes its own
  // True lets an edge phase begin while mirrored values are on their way. Programs of the vector engine
  // begin; others wait for all values whatever this is.
  bool overlap = overlap_from_flags();
  // A word of core 0's process, which core 0 alone reads after every superstep: once it is set, no other
  // follows.
  const std::atomic<bool>* stop = nullptr;
  device::selection device = {};  // of programs that have code for it (device_code.hpp); others refuse GPUs
};

namespace detail {

// Of programs without priority(): whether a locale goes on until it is quiet.
inline bool joins_first(const graph::locale_graph& g, going_ahead when) {
  return when == going_ahead::always || (when == going_ahead::automatic && !g.weighted);
}

// Any thread. Ends the job with exit_status::usage where options ask a program for what it cannot do.
// shares_pulls: its pulls can be shared in any way; goes_ahead: its pushes can go ahead of other locales.
void check_options(const run_options& options, bool shares_pulls, bool goes_ahead);

// At core 0 whether no further superstep is to begin; false at other cores.
inline bool is_stopped(const run_options& options) {
  return my_core() == 0 && options.stop && options.stop->load(std::memory_order_relaxed);
}

}  // namespace detail

// The figures of a run of a vertex program.
struct run_report {
  int supersteps = 0;
  int pushed = 0;           // of them
  double seconds = 0;       // of the supersteps; the memory for them is there before
  std::uint64_t edges = 0;  // looked at, each as often as it was; not of searches. A pull looks at all that
                            // no settled vertex has, and is counted as all
  bool on_gpu = false;      // rather than on the CPU
  bool ended = true;        // false: most_supersteps were not enough, or it was stopped
};

}  // namespace orujo::gas
