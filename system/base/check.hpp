// Invariants in headers; sources use glog's CHECK, whose own header is 39,000 lines.
#pragma once

#include "system/base/call_site.hpp"

namespace orujo {

namespace detail {
[[noreturn]] void check_failed(const char* claim, const call_site& at);
}

// Ends the job (fatal.hpp) where the claim, a sentence for people, does not hold. In release, too.
inline void check(bool holds, const char* claim, const call_site& at = call_site::current()) {
  if (!holds) [[unlikely]]
    detail::check_failed(claim, at);
}

// Only in programs that are compiled without NDEBUG.
inline void debug_check([[maybe_unused]] bool holds, [[maybe_unused]] const char* claim,
                        [[maybe_unused]] const call_site& at = call_site::current()) {
#ifndef NDEBUG
  check(holds, claim, at);
#endif
}

}  // namespace orujo
