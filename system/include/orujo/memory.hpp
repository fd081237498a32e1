// Global memory: addresses that travel, and objects allocated on all cores.
#pragma once

// IWYU pragma: begin_exports
#include "system/delegates/global_heap.hpp"
#include "system/memory/global_address.hpp"
#include "system/memory/linear_address.hpp"
#include "system/memory/symmetric.hpp"
// IWYU pragma: end_exports

namespace orujo {

using delegates::global_alloc, delegates::global_free,
    memory::linear_address;    // elements spread over all cores
using memory::global_address;  // an object of one core
using memory::symmetric;       // an object at every core

}  // namespace orujo
