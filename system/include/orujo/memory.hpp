// Global memory: addresses that can travel, and the global heap.
#pragma once

// IWYU pragma: begin_exports
#include "system/delegates/global_heap.hpp"
#include "system/memory/global_address.hpp"
#include "system/memory/linear_address.hpp"
// IWYU pragma: end_exports

namespace orujo {

// Elements in blocks on all cores, an object of one core.
using internal::delegates::global_alloc, internal::delegates::global_free, internal::memory::linear_address;
using internal::memory::global_address;

}  // namespace orujo
