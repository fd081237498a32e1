// The error of GPUs.
#pragma once

#include <stdexcept>
#include <string>

namespace orujo::internal::device {

// A GPU is missing, full or lost, or has no driver. what() says which.
class failure : public std::runtime_error {
 public:
  explicit failure(const std::string& why) : std::runtime_error(why) {}
};

}  // namespace orujo::internal::device
