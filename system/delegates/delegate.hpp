// Delegate operations: closures run at the core that owns the data, each atomic with respect to that core.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/counted_call.hpp"
#include "system/delegates/packed.hpp"
#include "system/delegates/reply.hpp"
#include "system/delegates/spawn_at.hpp"
#include "system/memory/global_address.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/check_closure.hpp"

namespace orujo::internal::delegates {

namespace detail {

inline void require_core(core_id core, const call_site& at) {
  require(static_cast<unsigned>(core) < static_cast<unsigned>(cores()),
          "there is no such core: cores are 0 to cores() - 1", at);
}

// A core with the place where it is named: what functions that end with any number of values take, as
// nothing can come behind those.
struct target {
  target(core_id c, const call_site& named = call_site::current()) : core(c), at(named) {}
  core_id core;
  call_site at;
};

// The values that travel beside a closure; a span of bytes is a payload.
template <class... T>
concept values = sizeof...(T) > 0 && (!std::same_as<T, call_site> && ...) &&
                 !(sizeof...(T) == 1 && (std::is_convertible_v<T, std::span<const std::byte>> && ...));

// f with copies of these values, as it travels without them.
template <class F, class... T>
auto taking(const target& to, const F& f, const T&...) {
  messages::check_travels<F>();
  (messages::check_packs<std::decay_t<T>>(), ...);
  static_assert(std::is_invocable_v<const F&, std::decay_t<T>...>,
                "the closure is called with copies of the values that are passed after it: it takes them by "
                "value, by const& or by &&, in their order");
  require_core(to.core, to.at);
  tasks::check_closure(f, to.at);
  return with_values<F, std::decay_t<T>...>{f};
}

// [handler] Begins a task here that does what `then` does with f, which has its values.
template <class F, class... T, class Then>
void spawn_with(const with_values<F, T...>& run, std::span<const std::byte> packed, std::ptrdiff_t name,
                const Then& then) {
  spawn_here(tasks::task(
      [f = run.f, then, values = run.read(packed)]() mutable {
        then([&] { return std::apply(f, std::move(values)); });
      },
      base::at_offset_in_binary(name)));
}

template <class F>
auto call(core_id core, const F& f) -> std::invoke_result_t<const F&> {
  messenger& here = messenger::here();
  if (here.may_run_in_place(core) || (core == here.core() && !here.scheduler().may_suspend()))
    return here.scheduler().run_as_handler(f);
  return await_result(f, [&](const auto& there) { here.send(core, there); });
}

}  // namespace detail

// Order: the operations of one task on one core take effect there in the order in which the task issued them.
// Operations on several cores take effect in any order until they are complete: a call when it returns, an
// asynchronous one when its event is complete (docs/reference/memory_model.md). An exception that leaves a
// closure ends the job; return a result instead.

// [task; suspends unless core is this one and has handled its own messages] Runs f at `core` in a message
// handler, where it must not suspend, and returns its result. The result is trivially copyable or can be
// packed (messages/pack.hpp). f has to be able to travel. Costs one message each way.
template <class F>
auto call(core_id core, const F& f, const call_site& at = call_site::current())
    -> std::invoke_result_t<const F&> {
  if (!messenger::here().may_run_in_place(core)) {
    detail::require_core(core, at);
    tasks::check_closure(f, at);
  }
  return detail::call(core, f);
}

// [task; suspends] Runs f as a task of `core`, where it may suspend, and returns its result, which is
// trivially copyable or can be packed (messages/pack.hpp). f has to be able to travel. Costs one message each
// way.
template <class F>
auto call_task(core_id core, const F& f, call_site origin = call_site::current())
    -> std::invoke_result_t<const F&> {
  detail::require_core(core, origin);
  tasks::check_closure(f, origin);
  return detail::await_result(f, [&](const auto& there) { detail::spawn_at(core, there, origin); });
}

// [task; suspends] As call above, for f(values...) with copies of the values. A value is trivially copyable,
// a string, a container of such, or has a member serialize; so may be the result (messages/pack.hpp). Packing
// costs a copy; values that do not fit a message cost what delegates/packed.hpp says.
//   const std::string name = call(core, [](const std::string& key) { return names[key]; }, key);
template <class F, class... T>
  requires detail::values<T...>
auto call(detail::target to, const F& f, const T&... values) {
  const auto run = detail::taking(to, f, values...);
  messenger& here = messenger::here();
  if (here.may_run_in_place(to.core) || (to.core == here.core() && !here.scheduler().may_suspend()))
    return here.scheduler().run_as_handler([&] { return f(std::decay_t<T>(values)...); });
  using result = std::invoke_result_t<const F&, std::decay_t<T>...>;
  return detail::await_answer<result>([&](const auto& answer) {
    const auto arrive = [run, answer](std::span<const std::byte> packed) {
      answer([&] { return run(packed); });
    };
    detail::send_packed(to.core, arrive, messages::pack(values...));
  });
}
// [task; suspends] As call_task above, for f(values...) with copies of the values, as in call.
template <class F, class... T>
  requires detail::values<T...>
auto call_task(detail::target to, const F& f, const T&... values) {
  const auto run = detail::taking(to, f, values...);
  using result = std::invoke_result_t<const F&, std::decay_t<T>...>;
  return detail::await_answer<result>([&](const auto& answer) {
    const auto arrive = [run, answer, name = base::offset_in_binary(to.at.function_name())](
                            std::span<const std::byte> packed) {
      detail::spawn_with(run, packed, name, answer);
    };
    detail::send_packed(to.core, arrive, messages::pack(values...));
  });
}

// [task or handler] Runs f at `core` in a message handler, and does not wait; complete when `event` is. f has
// to be able to travel, and must not suspend. Costs sizeof(F) bytes on the wire. A task may suspend while the
// send window to that core is full.
template <class F>
void async_call(event_ref event, core_id core, const F& f, const call_site& at = call_site::current()) {
  detail::require_core(core, at);
  tasks::debug_check_closure(f, at);
  detail::async_call(event, core, f);
}

// [task or handler] As async_call above, for f(std::span<const std::byte>) with a copy of `payload`, of at
// most max_payload_bytes(sizeof(F)). A larger one is a misuse.
template <class F>
void async_call(event_ref event, core_id core, const F& f, std::span<const std::byte> payload,
                const call_site& at = call_site::current()) {
  detail::require_core(core, at);
  require(payload.size() <= messenger::max_payload_bytes(sizeof(F)),
          "a payload larger than max_payload_bytes(sizeof(F)): send it in pieces, or as a value, which may "
          "be of any "
          "size",
          at);
  tasks::debug_check_closure(f, at);
  detail::async_call(event, core, f, payload);
}

// [task or handler] As async_call above, for f(values...) with copies of the values, as in call.
template <class F, class... T>
  requires detail::values<T...>
void async_call(event_ref event, detail::target to, const F& f, const T&... values) {
  const auto run = detail::taking(to, f, values...);
  event.issue();
  const auto arrive = [run, event](std::span<const std::byte> packed) {
    run(packed);
    event.done();
  };
  detail::send_packed(to.core, arrive, messages::pack(values...));
}

namespace detail {

// f(object) at the object's owner, which fetches it some messages ahead.
template <class T, class F>
struct at_object {
  T* object;
  [[no_unique_address]] F f;
  void operator()() const { f(*object); }
  void prefetch() const { __builtin_prefetch(object, 1); }
};

}  // namespace detail

// [task; suspends unless the object is this core's] Runs f(T&) at the owner of the object at an address, and
// returns its result, as call above.
template <memory::address A, class F>
auto call(A object, const F& f) {
  const auto at = object.resolve();
  return detail::call(at.core(), [f, p = at.local()] { return f(*p); });
}
// [task or handler] Runs f(T&) at the owner of the object at an address, as async_call above.
template <memory::address A, class F>
void async_call(event_ref event, A object, const F& f) {
  const auto at = object.resolve();
  detail::async_call(event, at.core(), detail::at_object<memory::value_of<A>, F>{at.local(), f});
}

// [task; suspends] As call above, for f(T&, values...) with copies of the values, as in call(core, f,
// values...).
template <memory::address A, class F, class... T>
  requires detail::values<T...>
auto call(A object, const F& f, const T&... values) {
  messages::check_travels<F>();
  const auto at = object.resolve();
  return call(
      at.core(), [f, p = at.local()](const std::decay_t<T>&... v) { return f(*p, v...); }, values...);
}
// [task or handler] As async_call above, for f(T&, values...) with copies of the values.
template <memory::address A, class F, class... T>
  requires detail::values<T...>
void async_call(event_ref event, A object, const F& f, const T&... values) {
  messages::check_travels<F>();
  const auto at = object.resolve();
  async_call(
      event, at.core(), [f, p = at.local()](const std::decay_t<T>&... v) { f(*p, v...); }, values...);
}

// [task; suspends unless the address is this core's] The value at an address. Costs one message each way.
template <memory::address A>
memory::value_of<A> read(A from) {
  return call(from, [](const auto& word) { return word; });
}
// [task; suspends unless the address is this core's] Stores a value at an address, and returns when it is
// there. Costs one message each way.
template <memory::address A>
void write(A to, const std::type_identity_t<memory::value_of<A>>& value) {
  if constexpr (std::is_trivially_copyable_v<memory::value_of<A>>)
    call(to, [value](auto& word) { word = value; });
  else
    call(
        to, [](auto& word, const memory::value_of<A>& packed) { word = packed; }, value);
}
// [task; suspends unless the address is this core's] Adds `increment` to the value at an address, and returns
// the value before. Atomic. Costs one message each way.
template <memory::address A>
memory::value_of<A> fetch_and_add(A to, std::type_identity_t<memory::value_of<A>> increment) {
  return call(to, [=](auto& word) {
    const auto before = word;
    word = static_cast<memory::value_of<A>>(before + increment);
    return before;
  });
}
// [task; suspends unless the address is this core's] Adds `by` to the value at an address. Atomic. Costs one
// message each way; async_increment costs less.
template <memory::address A>
void increment(A to, std::type_identity_t<memory::value_of<A>> by = 1) {
  call(to, [=](auto& word) { word = static_cast<memory::value_of<A>>(word + by); });
}
// [task; suspends unless the address is this core's] Stores `desired` if the value at an address equals
// `expected`, and returns whether it did. Atomic. Costs one message each way.
template <memory::address A>
bool compare_and_swap(A to, std::type_identity_t<memory::value_of<A>> expected,
                      std::type_identity_t<memory::value_of<A>> desired) {
  return call(to, [=](auto& word) {
    if (word != expected) return false;
    word = desired;
    return true;
  });
}

namespace detail {

// A word on its way back, and the request for it.
template <class T>
struct word_reply {
  T* to;
  T value;
  void operator()() const { *to = value; }
};
template <class T>
struct word_request {
  const T* from;
  T* to;
  void operator()() const { *to = *from; }  // where both are the same core's; others are answered by the run
  void prefetch() const { __builtin_prefetch(from); }
};
// The replies count for the event that the requests name, before the requests become done.
template <class T>
void answer_requests(const messages::run& r) {
  const auto* requests = reinterpret_cast<const word_request<T>*>(r.data);
  messenger& here = messenger::here();
  for (std::uint32_t k = 0; k < r.count; ++k) {
    if (k + messages::prefetch_distance < r.count) requests[k + messages::prefetch_distance].prefetch();
    const word_reply<T> reply{requests[k].to, *requests[k].from};
    here.send_counted(r.source, reply, r.tag);
  }
}

}  // namespace detail

// [task or handler] Reads the value at an address into `*to`, which is the calling core's and has to stay
// until the event is complete. Costs a message of 16 bytes, and one of 8 and the value back.
template <memory::address A>
void async_read(event_ref event, A from, memory::value_of<A>* to) {
  using T = memory::value_of<A>;
  static_assert(
      messages::can_travel<detail::word_reply<T>>,
      "only trivially copyable values that fit a message can be read: use call for parts of others");
  const auto at = from.resolve();
  messenger& here = messenger::here();
  // Gathered too: one at a time, the cache misses of one's own words would not overlap.
  if (at.core() == here.core())
    return detail::async_call(event, at.core(), detail::word_request<T>{at.local(), to});
  here.send_counted<detail::word_request<T>, &detail::answer_requests<T>>(at.core(), {at.local(), to},
                                                                          event.number());
}
// [task or handler] Stores a value at an address; complete when the event is. Costs a message of 8 bytes and
// the value.
template <memory::address A>
void async_write(event_ref event, A to, std::type_identity_t<memory::value_of<A>> value) {
  async_call(event, to, [=](auto& word) { word = value; });
}
// [task or handler] Adds one, or `by`, to the value at an address; complete when the event is. Atomic. Costs
// a message of 8 bytes for one, else of 8 bytes and the value.
template <memory::address A>
void async_increment(event_ref event, A to) {
  async_call(event, to, [](auto& word) { ++word; });
}
template <memory::address A>
void async_increment(event_ref event, A to, std::type_identity_t<memory::value_of<A>> by) {
  async_call(event, to, [=](auto& word) { word = static_cast<memory::value_of<A>>(word + by); });
}

// Not for callers: refuse calls without an event.
template <memory::address A, class... Rest>
void async_read(A, const Rest&...) {
  detail::require_event<A>();
}
template <memory::address A, class... Rest>
void async_write(A, const Rest&...) {
  detail::require_event<A>();
}
template <memory::address A, class... Rest>
void async_increment(A, const Rest&...) {
  detail::require_event<A>();
}

// [task or handler] Starts f as a task of `core`, where it may suspend, and does not wait; complete when the
// event is. f has to be able to travel. Costs one message.
template <class F>
void async_spawn(event_ref event, core_id core, const F& f, call_site origin = call_site::current()) {
  messages::check_travels<F>();
  detail::require_core(core, origin);
  tasks::check_closure(f, origin);
  event.issue();
  const auto counted = [event, f] {
    f();
    event.done();
  };
  detail::spawn_at(core, counted, origin);
}

// [task or handler] As async_spawn above, for f(values...) with copies of the values, as in call.
template <class F, class... T>
  requires detail::values<T...>
void async_spawn(event_ref event, detail::target to, const F& f, const T&... values) {
  const auto run = detail::taking(to, f, values...);
  event.issue();
  const auto arrive =
      [run, event, name = base::offset_in_binary(to.at.function_name())](std::span<const std::byte> packed) {
        detail::spawn_with(run, packed, name, [event](const auto& body) {
          body();
          event.done();
        });
      };
  detail::send_packed(to.core, arrive, messages::pack(values...));
}

}  // namespace orujo::internal::delegates
