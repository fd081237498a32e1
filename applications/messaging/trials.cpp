#include "applications/messaging/trials.hpp"

#include <fmt/format.h>

#include "system/base/identity.hpp"

namespace orujo::internal::messaging {

std::string describe(const measured& m, const char* noun) {
  const double rate = static_cast<double>(m.operations) / m.seconds;
  return fmt::format("{} {} in {:.4f} s: {} {}/s, {} per core, {} bytes each", harness::grouped(m.operations),
                     noun, m.seconds, harness::engineering(rate), noun, harness::engineering(rate / cores()),
                     m.message_bytes);
}

void add_trial(harness::stats& to, const measured& m, const char* noun) {
  to.trials.push_back({{"seconds", m.seconds},
                       {fmt::format("{}_per_second", noun), static_cast<double>(m.operations) / m.seconds}});
}

}  // namespace orujo::internal::messaging
