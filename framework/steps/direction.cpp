#include "framework/steps/direction.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"

DEFINE_string(direction, "auto",
              "direction of values along edges: pull (over all edges), push (over those of active vertices), "
              "or auto (the cheaper one in each superstep)");
DEFINE_double(
    push_threshold, 0,
    "factor for --direction=auto: push while the out-edges of active vertices times this are fewer than the "
    "edges that a pull may examine; higher pulls earlier; 0: 15 for searches, 20 for others");

namespace orujo::internal::steps {
namespace {

const flag_rule direction_rule(
    "direction",
    [] { return FLAGS_direction == "auto" || FLAGS_direction == "pull" || FLAGS_direction == "push"; },
    "auto, pull or push");
const flag_rule threshold_rule(
    "push_threshold", [] { return FLAGS_push_threshold >= 0; }, "at least 0");
const base::flag_need threshold_need(
    {"push_threshold"}, [] { return FLAGS_direction == "auto"; }, "with --direction=auto");

}  // namespace

direction_options direction_options_from_flags() {
  direction_options options{.wanted = FLAGS_direction == "pull"   ? direction::pull
                                      : FLAGS_direction == "push" ? direction::push
                                                                  : direction::automatic};
  if (FLAGS_push_threshold > 0) options.push_divisor = options.search_alpha = FLAGS_push_threshold;
  return options;
}

}  // namespace orujo::internal::steps
