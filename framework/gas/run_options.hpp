// How a vertex program is run, and what a run came to.
#pragma once

#include <atomic>
#include <cstdint>

#include "framework/engine/direction.hpp"
#include "framework/engine/edge_loops.hpp"
#include "framework/exchange/codecs/selection.hpp"
#include "system/machine/isa.hpp"

namespace orujo::gas {

// What --overlap says.
bool overlap_from_flags();

// When one of several locales pushes on by itself (push_ahead.hpp); automatic: where meetings take most of
// the time.
enum class going_ahead { automatic, always, never };

struct run_options {
  int most_supersteps = 1 << 30;
  engine::edge_loop_options edges = {};
  // Of incremental programs on graphs that keep their out-edges; others are pulled.
  engine::direction_options direction = {};
  going_ahead ahead = going_ahead::automatic;  // of asynchronous programs with priority()
  machine::instruction_set simd = machine::simd_from_flags();
  exchange::codec_options codec = exchange::codec_options_from_flags();  // of lists of changed vertices
  bool checkpoints = true;  // where --checkpoint_dir is given; false where the caller's loop writes its own
  bool overlap = overlap_from_flags();  // the edge phase begins while mirrored values are on their way
  // Core 0 alone looks at it, after every superstep: once it is set, there is no other.
  const std::atomic<bool>* stop = nullptr;
};

struct run_report {
  int supersteps = 0;
  int pushed = 0;           // of them
  double seconds = 0;       // of the supersteps; the memory for them is there before
  std::uint64_t edges = 0;  // looked at, each as often as it was; not of searches. A pull looks at all that
                            // no settled vertex has, and is counted as all
  bool ended = true;        // false: most_supersteps were not enough, or it was stopped
};

}  // namespace orujo::gas
