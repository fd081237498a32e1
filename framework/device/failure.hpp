// What goes wrong with a GPU.
#pragma once

#include <stdexcept>
#include <string>

namespace orujo::device {

// No GPU, none of its memory left, no driver for it, or a GPU that is lost. what() says which.
class failure : public std::runtime_error {
 public:
  explicit failure(const std::string& why) : std::runtime_error(why) {}
};

}  // namespace orujo::device
