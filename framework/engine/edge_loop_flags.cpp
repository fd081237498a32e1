#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "framework/engine/edge_loops.hpp"
#include "system/base/flags.hpp"

DEFINE_string(schedule, "auto",
              "how the cores of a locale share the edges: static, dynamic, guided, static_steal, usersched, "
              "usersched_profiled, or auto: dynamic, or usersched on several NUMA nodes");
DEFINE_uint64(chunk_vectors, 0,
              "edge vectors (of 8 edges) in a chunk; 0: so many that each core has about 32 in each segment");

namespace orujo::engine {
namespace {

// In the order of edge_schedule.
constexpr std::array<std::string_view, 7> names = {"auto",         "static",    "dynamic",           "guided",
                                                   "static_steal", "usersched", "usersched_profiled"};

std::size_t named_schedule() {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), FLAGS_schedule) - names.begin());
}

const flag_rule schedule_rule(
    "schedule", [] { return named_schedule() < names.size(); },
    "auto, static, dynamic, guided, static_steal, usersched or usersched_profiled");

}  // namespace

edge_loop_options edge_loop_options_from_flags() {
  return {static_cast<edge_schedule>(named_schedule()), FLAGS_chunk_vectors};
}

}  // namespace orujo::engine
