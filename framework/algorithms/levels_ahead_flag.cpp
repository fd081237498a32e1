// In a file of its own, so that only programs that use the flag have it.
#include <gflags/gflags.h>

#include "framework/algorithms/levels_ahead.hpp"
#include "system/base/flags.hpp"

DEFINE_string(levels_ahead, "auto",
              "when locales search several levels without meeting the others: always, never, or auto (when "
              "meetings take most of the time)");

namespace orujo::internal::algorithms {
namespace {

const flag_rule ahead_rule(
    "levels_ahead",
    [] {
      return FLAGS_levels_ahead == "auto" || FLAGS_levels_ahead == "always" || FLAGS_levels_ahead == "never";
    },
    "auto, always or never");

}  // namespace

going_ahead going_ahead_from_flags() {
  going_ahead from_flags;
  if (FLAGS_levels_ahead == "always") from_flags.begins = going_ahead::when::always;
  if (FLAGS_levels_ahead == "never") from_flags.begins = going_ahead::when::never;
  return from_flags;
}

}  // namespace orujo::internal::algorithms
