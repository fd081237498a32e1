// How much memory a locale may use.
#pragma once

#include <cstdint>

#include "system/transport/transport.hpp"

namespace orujo::memory {

// Collective over the locales, before the cores start. In bytes: --memory_budget_bytes, or this locale's
// share of what its node and control group have left.
std::uint64_t budget_of_locale(transport::transport& link);

// --memory_budget_bytes; 0 if it was not given.
std::uint64_t given_budget();

}  // namespace orujo::memory
