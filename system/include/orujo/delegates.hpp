// Delegates: operations that run at the core that owns the memory, and events and futures that tell when they
// are complete. What is atomic and ordered is in docs/reference/memory_model.md.
// Example: docs/tutorial/updates.cpp
#pragma once

// IWYU pragma: begin_exports
#include "orujo/memory.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/cached_range.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/chase.hpp"
#include "system/delegates/combiner.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/future.hpp"
#include "system/delegates/gather.hpp"
#include "system/delegates/scatter.hpp"
// IWYU pragma: end_exports

namespace orujo {

// Any closure at any core.
using internal::delegates::async_call, internal::delegates::async_spawn, internal::delegates::call,
    internal::delegates::call_task;
using internal::delegates::call_on_all, internal::delegates::sum_of_all;

// A word, or a small object.
using internal::delegates::async_increment, internal::delegates::async_read, internal::delegates::async_write;
using internal::delegates::compare_and_swap, internal::delegates::fetch_and_add,
    internal::delegates::increment, internal::delegates::read, internal::delegates::write;

// Ranges of elements.
using internal::delegates::access, internal::delegates::cached_range, internal::delegates::scatter;
using internal::delegates::async_copy, internal::delegates::async_fill, internal::delegates::async_get,
    internal::delegates::async_put;
using internal::delegates::copy, internal::delegates::fill, internal::delegates::get,
    internal::delegates::put;

// Elements at any indices, and chains of objects.
using internal::delegates::async_chase, internal::delegates::chase, internal::delegates::gather;

// Completion.
using internal::delegates::completion_event, internal::delegates::event_ref, internal::delegates::finish;
using internal::delegates::future, internal::delegates::promise, internal::delegates::when_all;

// One message for operations of many tasks.
using internal::delegates::combiner, internal::delegates::hot_word;

}  // namespace orujo
