// The end of a loop, asked for from outside.
#pragma once

#include <atomic>

#include "system/base/identity.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::loops {

// A variable by which another thread, such as one that handles signals, asks a loop to end. It belongs to the
// core that makes the stop_flag from it, which alone reads it: to the others it is never set. So it travels
// within options.
class stop_flag {
 public:
  // No variable: the loop goes on until its own end.
  stop_flag() = default;
  // [core] The variable must live as long as the loop.
  stop_flag(const std::atomic<bool>* variable) {
    if (variable != nullptr) at_ = {my_core(), variable};
  }

  // True if there is a variable, at every core.
  explicit operator bool() const { return static_cast<bool>(at_); }
  // [core] True at the core of the variable if the loop is to end.
  bool is_set() const {
    return at_ && my_core() == at_.core() && at_.local()->load(std::memory_order_relaxed);
  }

 private:
  memory::global_address<const std::atomic<bool>> at_;
};

}  // namespace orujo::internal::loops
