// A locale's GPU.
#pragma once

#include <optional>
#include <string>

#include "framework/device/failure.hpp"

namespace orujo::device {

// What the cores of a locale share has this as its base. On: serial or cuda.
template <class On>
struct gpu {
  std::optional<On> on;
  std::string wrong;  // why there is no GPU that will do

  // Opens the GPU of this number, and calls fill(On&), which puts there what it is to have.
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

}  // namespace orujo::device
