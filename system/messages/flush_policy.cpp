#include "system/messages/flush_policy.hpp"

#include <fmt/format.h>

namespace orujo::internal::messages {

std::string patience_text(std::uint64_t far, double block_ns, std::uint64_t least_ns, std::uint64_t most_ns) {
  const auto us = [](std::uint64_t ns) { return ns / 1000; };
  if (most_ns <= least_ns) return fmt::format("{} us, as asked for", us(least_ns));
  if (far == 0) return fmt::format("{} us, as there are no other locales", us(least_ns));
  return fmt::format(
      "{} us, to other locales {} us where a core writes to all of their {}: so much that blocks at {:.0f} "
      "ns "
      "each, a guess until it is measured, take an eighth of its time, from {} up to {} us",
      us(least_ns), us(patience_ns(far, block_ns, least_ns, most_ns)), far, block_ns, us(least_ns),
      us(most_ns));
}

}  // namespace orujo::internal::messages
