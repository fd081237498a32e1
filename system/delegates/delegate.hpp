// Delegate operations: closures run at the core that owns the data, each atomic with respect to that core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/memory/global_address.hpp"
#include "system/messages/identity.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::delegates {

using memory::global_address;
using messages::messenger;

// [task; suspends unless core is this one] Runs f at `core` and returns its result, which must be trivially
// copyable. f runs in a message handler: it must not suspend. Costs one message each way.
template <class F>
auto call(core_id core, const F& f) -> std::invoke_result_t<const F&> {
  using value = std::invoke_result_t<const F&>;
  messenger& here = messenger::here();
  if (core == here.core()) {
    tasks::scheduler::handler_scope in_handler(*tasks::scheduler::here());
    return f();
  }
  const core_id me = here.core();
  if constexpr (std::is_void_v<value>) {
    tasks::join_counter reply(1);
    here.send(core, [f, me, to = &reply] {
      f();
      messenger::here().send(me, [to] { to->complete(); });
    });
    reply.wait();
  } else {
    static_assert(messages::can_travel<value>, "a delegate's result must be trivially copyable");
    tasks::full_empty<value> reply;
    here.send(core, [f, me, to = &reply] {
      messenger::here().send(me, [to, answer = f()] { to->write_full(answer); });
    });
    return reply.read_when_full();
  }
}

// [task; suspends] Runs f as a task of `core`, where it may suspend, and returns its result, which must be
// trivially copyable. Costs one message each way.
template <class F>
auto call_task(core_id core, const F& f, call_site origin = call_site::current())
    -> std::invoke_result_t<const F&> {
  using value = std::invoke_result_t<const F&>;
  messenger& here = messenger::here();
  const core_id me = here.core();
  const auto start = [&](auto task_there) {
    here.send(core, [task_there, name = offset_in_binary(origin.function_name())] {
      tasks::scheduler::here()->spawn(tasks::task(task_there, at_offset_in_binary(name)));
    });
  };
  if constexpr (std::is_void_v<value>) {
    tasks::join_counter reply(1);
    start([f, me, to = &reply] {
      f();
      messenger::here().send(me, [to] { to->complete(); });
    });
    reply.wait();
  } else {
    static_assert(messages::can_travel<value>, "a delegate's result must be trivially copyable");
    tasks::full_empty<value> reply;
    start(
        [f, me, to = &reply] { messenger::here().send(me, [to, answer = f()] { to->write_full(answer); }); });
    return reply.read_when_full();
  }
}

namespace detail {

// A run of asynchronous delegates is counted as a whole.
template <class F>
void run_counted(const messages::run& r) {
  messages::run_closures<F>(r);
  event_ref(r.tag).done(r.count);
}
template <class F>
void run_counted_with_payload(const messages::run& r) {
  messages::run_closures_with_payload<F>(r);
  event_ref(r.tag).done(r.count);
}

}  // namespace detail

// [task or handler] Runs f at `core` some time, in a message handler; `event` tells when. Costs sizeof(F)
// bytes on the wire. From a task it may suspend while too much is under way to that core.
template <class F>
void async_call(event_ref event, core_id core, const F& f) {
  event.issue();
  messenger::here().send<F, &detail::run_counted<F>>(core, f, event.number());
}

// The same for f(std::span<const std::byte>) with a copy of `payload`, of at most
// max_payload_bytes(sizeof(F)).
template <class F>
void async_call(event_ref event, core_id core, const F& f, std::span<const std::byte> payload) {
  event.issue();
  messenger::here().send_with_payload<F, &detail::run_counted_with_payload<F>>(core, f, payload,
                                                                               event.number());
}

// The word-sized operations; all [task; suspend unless the address is this core's].
template <class T>
T read(global_address<T> from) {
  return call(from.core(), [=] { return *from.local(); });
}
template <class T>
void write(global_address<T> to, std::type_identity_t<T> value) {
  call(to.core(), [=] { *to.local() = value; });
}
// Returns the value before.
template <class T>
T fetch_and_add(global_address<T> to, std::type_identity_t<T> increment) {
  return call(to.core(), [=] {
    const T before = *to.local();
    *to.local() = static_cast<T>(before + increment);
    return before;
  });
}
// Stores `desired` if the value equals `expected`; true if it did.
template <class T>
bool compare_and_swap(global_address<T> to, std::type_identity_t<T> expected,
                      std::type_identity_t<T> desired) {
  return call(to.core(), [=] {
    if (*to.local() != expected) return false;
    *to.local() = desired;
    return true;
  });
}

// [task or handler] Asynchronous counterparts, complete when the event is. An increment is one 8-byte message
// for increments by one, 16 bytes otherwise.
template <class T>
void async_write(event_ref event, global_address<T> to, std::type_identity_t<T> value) {
  async_call(event, to.core(), [=] { *to.local() = value; });
}
template <class T>
void async_increment(event_ref event, global_address<T> to) {
  async_call(event, to.core(), [=] { ++*to.local(); });
}
template <class T>
void async_increment(event_ref event, global_address<T> to, std::type_identity_t<T> by) {
  async_call(event, to.core(), [=] { *to.local() = static_cast<T>(*to.local() + by); });
}

// [task; suspends] Copies consecutive values of one core's memory into `into`; one message each way per 4
// KiB, all under way at a time.
template <class T>
void get(global_address<const T> from, std::span<T> into) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 2048);
  messenger& here = messenger::here();
  const core_id me = here.core();
  if (from.core() == me) {
    std::copy_n(from.local(), into.size(), into.data());
    return;
  }
  const std::size_t step = messenger::max_payload_bytes(64) / sizeof(T);
  tasks::join_counter missing((into.size() + step - 1) / step);
  for (std::size_t first = 0; first < into.size(); first += step) {
    const std::size_t count = std::min(step, into.size() - first);
    here.send(from.core(),
              [from = from.local() + first, to = into.data() + first, count, me, counter = &missing] {
                messenger::here().send_with_payload(
                    me,
                    [to, counter](std::span<const std::byte> values) {
                      std::memcpy(to, values.data(), values.size());
                      counter->complete();
                    },
                    std::as_bytes(std::span(from, count)));
              });
  }
  missing.wait();
}

// [task or handler] Copies `values` to consecutive memory of one core; complete when the event is.
template <class T>
void async_put(event_ref event, global_address<T> to, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 2048);
  const std::size_t step = messenger::max_payload_bytes(sizeof(T*)) / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const auto piece = values.subspan(first, std::min(step, values.size() - first));
    async_call(
        event, to.core(),
        [into = to.local() + first](std::span<const std::byte> bytes) {
          std::memcpy(into, bytes.data(), bytes.size());
        },
        std::as_bytes(piece));
  }
}

// [task] Runs f as a task of `core` (it may suspend), counted by the event.
template <class F>
void async_spawn(event_ref event, core_id core, const F& f, call_site origin = call_site::current()) {
  event.issue();
  messenger::here().send(core, [event, f, name = offset_in_binary(origin.function_name())] {
    tasks::scheduler::here()->spawn(tasks::task(
        [event, f] {
          f();
          event.done();
        },
        at_offset_in_binary(name)));
  });
}

}  // namespace orujo::delegates
