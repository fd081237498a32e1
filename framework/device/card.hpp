// A locale's card, and what happens where there is none that will do.
#pragma once

#include <optional>
#include <string>

#include "framework/device/failure.hpp"
#include "framework/device/selection.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::device {

// What the cores of a locale share has this as its base. On: serial or cuda.
template <class On>
struct card {
  std::optional<On> on;
  std::string wrong;  // why there is no card that will do

  // Opens the card of this number, and calls fill(On&), which puts there what it is to have.
  template <class Fill>
  void open(int number, Fill fill) {
    try {
      on.emplace(number);
      fill(*on);
    } catch (const failure& why) {
      wrong = why.what();
    }
  }
};

// Any thread. A card is lost, or full: ends the job with exit_status::no_resource.
[[noreturn]] void fail_for_card(const std::string& why);
// [task] Says at core 0, where `device` is automatic, that the CPU takes over; else as fail_for_card().
void leave_to_cpu(const selection& device, const std::string& why);

// [task; suspends; collective over the job] Whether all locales have a card that will do; if not, the CPU is
// to take over, or the job ends, as `device` says.
template <class On>
bool all_have_cards(const card<On>& mine, const selection& device) {
  const bool missing = !mine.wrong.empty();
  const int first =
      loops::all_reduce(missing ? my_core() : cores(), [](int a, int b) { return a < b ? a : b; });
  if (first == cores()) return true;
  if (first == my_core() || device.wanted == kind::automatic)
    leave_to_cpu(device, missing ? mine.wrong : "another locale has no card that will do");
  loops::barrier();  // whoever has no card says so
  return false;
}

}  // namespace orujo::device
