#include "framework/engine/direction.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"

DEFINE_string(
    direction, "auto",
    "how values travel along edges: pull (over all edges), push (over those of active vertices), or auto: "
    "whichever is cheaper in each superstep");
DEFINE_uint64(push_threshold, 20,
              "with --direction=auto: push while active vertices have fewer out-edges than one in so many of "
              "the graph's");

namespace orujo::engine {
namespace {

const flag_rule direction_rule(
    "direction",
    [] { return FLAGS_direction == "auto" || FLAGS_direction == "pull" || FLAGS_direction == "push"; },
    "auto, pull or push");
const flag_rule threshold_rule(
    "push_threshold", [] { return FLAGS_push_threshold >= 1; }, "at least 1");

}  // namespace

direction_options direction_options_from_flags() {
  const direction wanted = FLAGS_direction == "pull"   ? direction::pull
                           : FLAGS_direction == "push" ? direction::push
                                                       : direction::automatic;
  return {wanted, FLAGS_push_threshold};
}

}  // namespace orujo::engine
