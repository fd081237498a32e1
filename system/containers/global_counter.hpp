// A counter that every core adds to without sending anything.
#pragma once

#include <cstdint>

#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::containers {

// A 64-bit counter with a part at every core: adding sends no message, reading asks all cores. The object is
// a handle, which can travel.
class global_counter {
 public:
  // [task; suspends] Makes a counter of value zero.
  static global_counter create() { return global_counter(symmetric<std::int64_t>::create(0)); }
  // [task; suspends] Frees the counter. No operation on it may be under way.
  void destroy() const { parts_.destroy(); }

  // [task or handler] Adds n to the calling core's part. Sends no message.
  void add(std::int64_t n = 1) const { parts_.here() += n; }

  // [task; suspends] The sum of all parts. It includes every addition made before the call, none made after
  // it, and any of those made meanwhile. Costs 2 messages per core.
  std::int64_t value() const {
    return delegates::sum_of_all([parts = parts_] { return parts.here(); });
  }

 private:
  explicit global_counter(symmetric<std::int64_t> parts) : parts_(parts) {}

  symmetric<std::int64_t> parts_;
};

}  // namespace orujo::internal::containers
