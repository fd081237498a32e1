#include "system/loops/schedule_flags.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "system/base/flags.hpp"

DEFINE_string(
    schedule, "auto",
    "schedule of shared loops on the cores of a locale: static, round_robin, dynamic, guided, static_steal, "
    "usersched, usersched_profiled, or auto (usersched for edges, otherwise dynamic)");

namespace orujo::internal::loops {
namespace {

// In the order of schedule_kind.
constexpr std::array<std::string_view, 8> names = {
    "auto", "static", "round_robin", "dynamic", "guided", "static_steal", "usersched", "usersched_profiled"};

std::size_t named_schedule() {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), FLAGS_schedule) - names.begin());
}

const flag_rule schedule_rule(
    "schedule", [] { return named_schedule() < names.size(); },
    "auto, static, round_robin, dynamic, guided, static_steal, usersched or usersched_profiled");

}  // namespace

schedule_kind schedule_kind_from_flags() { return static_cast<schedule_kind>(named_schedule()); }

}  // namespace orujo::internal::loops
