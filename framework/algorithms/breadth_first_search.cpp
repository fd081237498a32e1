#include "framework/algorithms/breadth_first_search.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"

DEFINE_string(direction, "auto",
              "of a search's supersteps: push along the out-edges of the frontier, pull from it, or auto");
DEFINE_double(push_threshold, 15,
              "with --direction=auto, push while the frontier's out-edges times this are at most those that "
              "were in no frontier yet; higher pulls earlier");

namespace orujo::algorithms {
namespace {

const flag_rule direction_rule(
    "direction",
    [] { return FLAGS_direction == "auto" || FLAGS_direction == "pull" || FLAGS_direction == "push"; },
    "auto, pull or push");
const flag_rule push_threshold_rule(
    "push_threshold", [] { return FLAGS_push_threshold > 0; }, "above 0");

}  // namespace

search_options search_options_from_flags() {
  search_options options;
  if (FLAGS_direction == "pull") options.direction = direction::pull;
  if (FLAGS_direction == "push") options.direction = direction::push;
  options.push_threshold = FLAGS_push_threshold;
  return options;
}

}  // namespace orujo::algorithms
