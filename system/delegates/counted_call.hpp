// Closures that run at another core and count there as done: what asynchronous delegates and bulk operations
// are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/base/identity.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/memory/global_address.hpp"
#include "system/messages/messenger.hpp"

namespace orujo::internal::delegates {

using memory::global_address;
using messages::messenger;

namespace detail {

// Refuses a call that names an address where its event belongs.
template <class A>
void require_event() {
  static_assert(!memory::address<A>,
                "an asynchronous operation names the event that counts it: completion_event done; "
                "async_increment(done, address); done.wait();");
}

// [task or handler] Runs f at `core`, in a message handler; complete when the event is.
template <class F>
void async_call(event_ref event, core_id core, const F& f) {
  messenger::here().send_counted(core, f, event.number());
}
// [task or handler] The same for f(payload), which fits a message.
template <class F>
void async_call(event_ref event, core_id core, const F& f, std::span<const std::byte> payload) {
  messenger::here().send_with_payload(core, f, payload, event.number());
}

}  // namespace detail

}  // namespace orujo::internal::delegates
