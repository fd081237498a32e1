// A counter that every core adds to without sending anything.
#pragma once

#include <cstdint>

#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::containers {

// A handle that can travel.
class global_counter {
 public:
  // [task; suspends] Zero.
  static global_counter create() {
    const global_counter made(memory::symmetric<std::int64_t>::reserve());
    loops::on_all_cores([parts = made.parts_] { parts.emplace_here(0); });
    return made;
  }
  // [task; suspends]
  void destroy() const {
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
  }

  // [task or handler] No message.
  void add(std::int64_t n = 1) const { parts_.here() += n; }

  // [task; suspends] 2 messages per core. Has every addition that was made before the call, and none made
  // after it; of those made meanwhile, any.
  std::int64_t value() const {
    return delegates::sum_of_all([parts = parts_] { return parts.here(); });
  }

 private:
  explicit global_counter(memory::symmetric<std::int64_t> parts) : parts_(parts) {}

  memory::symmetric<std::int64_t> parts_;
};

}  // namespace orujo::containers
