#include "framework/vectors/edge_loops.hpp"

#include <glog/logging.h>

#include <algorithm>

namespace orujo::internal::vectors {
namespace {

// Chunks are many enough to share the work evenly, and short enough (0.1 ms) that messages do not wait long.
constexpr std::size_t chunks_per_core = 32;
constexpr std::size_t longest_chunk = 1 << 14;

// Even chunks; every core begins with the vectors that it encoded, or with its share of a file's slices.
struct own_slices {
  std::size_t chunk;
  std::vector<graph::edge_slice> slices;
  int cores;

  std::size_t inspect(std::size_t first, std::size_t last) const { return std::min(last, first + chunk); }
  index_range subspace(int core) const {
    const index_range own = part_of({0, slices.size()}, core, cores);
    if (own.size() == 0) return {slices.back().last, slices.back().last};
    return {slices[own.first].first, slices[own.last - 1].last};
  }
};

loops::schedule make_schedule(std::span<const graph::edge_slice> slices, int cores, edge_schedule how,
                              std::size_t chunk) {
  switch (how) {
    case edge_schedule::fixed:
      return loops::schedule::fixed(chunk);
    case edge_schedule::round_robin:
      return loops::schedule::round_robin(chunk);
    case edge_schedule::dynamic:
      return loops::schedule::dynamic(chunk);
    case edge_schedule::guided:
      return loops::schedule::guided(chunk);
    case edge_schedule::static_steal:
      return loops::schedule::stealing(chunk);
    case edge_schedule::automatic:  // usersched
    case edge_schedule::usersched:
    case edge_schedule::usersched_profiled:
      break;
  }
  const bool profiled = how == edge_schedule::usersched_profiled;
  CHECK(!slices.empty()) << "a segment has slices";
  return loops::schedule::user_defined(own_slices{chunk, {slices.begin(), slices.end()}, cores},
                                       {.steal = true, .profile = profiled});
}

}  // namespace

edge_loops::edge_loops(std::span<const graph::edge_segment> segments,
                       std::span<const graph::edge_slice> slices, int cores, const edge_loop_options& options)
    : first_chunk_{0} {
  for (const graph::edge_segment& segment : segments) {
    const std::size_t even =
        (segment.last - segment.first) / (chunks_per_core * static_cast<std::size_t>(cores));
    const std::size_t chunk =
        options.chunk_vectors ? options.chunk_vectors : std::clamp<std::size_t>(even, 1, longest_chunk);
    const auto own = slices.subspan(segment.first_slice, segment.last_slice - segment.first_slice);
    loops_.push_back(std::make_unique<loops::shared_loop>(
        index_range{segment.first, segment.last}, cores, make_schedule(own, cores, options.schedule, chunk)));
    loops_.back()->prepare();
    first_chunk_.push_back(first_chunk_.back() + loops_.back()->chunks());
  }
}

}  // namespace orujo::internal::vectors
