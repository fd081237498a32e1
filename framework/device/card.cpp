#include "framework/device/card.hpp"

#include <glog/logging.h>

#include "system/base/fatal.hpp"

namespace orujo::device {

void fail_for_card(const std::string& why) {
  base::fail(exit_status::no_resource,
             "--device: the card cannot be used: " + why + "; --device=cpu, or auto, does without it");
}

void leave_to_cpu(const selection& device, const std::string& why) {
  if (device.wanted != kind::automatic) fail_for_card(why);
  LOG_IF(WARNING, my_core() == 0) << "the CPU does what --device=auto would give a card: " << why;
}

}  // namespace orujo::device
