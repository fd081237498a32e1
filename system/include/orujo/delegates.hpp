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
using delegates::async_call, delegates::async_spawn, delegates::call, delegates::call_task;
using delegates::call_on_all, delegates::sum_of_all;

// A word, or a small object.
using delegates::async_increment, delegates::async_read, delegates::async_write;
using delegates::compare_and_swap, delegates::fetch_and_add, delegates::increment, delegates::read,
    delegates::write;

// Ranges of elements.
using delegates::access, delegates::cached_range, delegates::scatter;
using delegates::async_copy, delegates::async_fill, delegates::async_get, delegates::async_put;
using delegates::copy, delegates::fill, delegates::get, delegates::put;

// Elements at any indices, and chains of objects.
using delegates::async_chase, delegates::chase, delegates::gather;

// Completion.
using delegates::completion_event, delegates::event_ref, delegates::finish;
using delegates::future, delegates::promise, delegates::when_all;

// One message for operations of many tasks.
using delegates::combiner, delegates::hot_word;

}  // namespace orujo
