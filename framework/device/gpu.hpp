// A locale's GPU.
#pragma once

#include <optional>
#include <string>

#include "framework/device/failure.hpp"

namespace orujo::internal::device {

// A base class of the objects that the cores of a locale share. On: serial or cuda.
template <class On>
struct gpu {
  std::optional<On> on;
  std::string wrong;  // why there is no GPU that will do

  std::string name() const { return on ? on->name() : std::string(); }

  // Opens the GPU of this number and calls fill(On&), which allocates and copies.
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

}  // namespace orujo::internal::device
