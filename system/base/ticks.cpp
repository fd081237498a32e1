#include "system/base/ticks.hpp"

namespace orujo::internal::base {
namespace {

struct moment {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
  std::uint64_t at = ticks();
};
const moment program_start;

}  // namespace

double ns_per_tick() {
  for (;;) {
    const moment now;
    const std::chrono::duration<double, std::nano> passed = now.time - program_start.time;
    if (passed >= std::chrono::milliseconds(1)) {
      return passed.count() / static_cast<double>(now.at - program_start.at);
    }
  }
}

}  // namespace orujo::internal::base
