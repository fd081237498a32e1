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
#include "system/delegates/packed.hpp"
#include "system/delegates/reply.hpp"
#include "system/memory/global_address.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/check_closure.hpp"

namespace orujo::delegates {

using memory::global_address;
using messages::messenger;

namespace detail {

inline void require_core(core_id core, const call_site& at) {
  require(static_cast<unsigned>(core) < static_cast<unsigned>(cores()),
          "there is no such core: they are 0 to cores() - 1", at);
}

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

// A core with the place where it is named: what functions that end with any number of values take, as
// nothing can come behind those.
struct target {
  target(core_id c, const call_site& named = call_site::current()) : core(c), at(named) {}
  core_id core;
  call_site at;
};

// What goes beside a closure; a span of bytes is a payload.
template <class... T>
concept values = sizeof...(T) > 0 && (!std::same_as<T, call_site> && ...) &&
                 !(sizeof...(T) == 1 && (std::is_convertible_v<T, std::span<const std::byte>> && ...));

// f with copies of these values, as it travels without them.
template <class F, class... T>
auto taking(const target& to, const F& f, const T&...) {
  messages::check_travels<F>();
  (messages::check_packs<std::decay_t<T>>(), ...);
  static_assert(std::is_invocable_v<const F&, std::decay_t<T>...>,
                "the closure is called with copies of the values that are given behind it: it takes them by "
                "value, by const& or by &&, in their order");
  require_core(to.core, to.at);
  tasks::check_closure(f, to.at);
  return with_values<F, std::decay_t<T>...>{f};
}

// [handler] Begins a task here that does what `then` does with f, which has its values.
template <class F, class... T, class Then>
void spawn_with(const with_values<F, T...>& run, std::span<const std::byte> packed, std::ptrdiff_t name,
                const Then& then) {
  tasks::scheduler::here()->spawn(tasks::task(
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

template <class F>
void async_call(event_ref event, core_id core, const F& f) {
  event.issue();
  messenger::here().send<F, &run_counted<F>>(core, f, event.number());
}

// [task; suspends] What catch_up() does where there is something.
void wait_for_own_messages();
// [task] Returns when what this core has sent itself is done: its own memory is then as its tasks have left
// it.
inline void catch_up() {
  if (!messenger::here().has_caught_up() && tasks::scheduler::here()->may_suspend()) wait_for_own_messages();
}

}  // namespace detail

// Operations of one task on one core take place there in the order in which the task issued them, on this
// core as on any other; on several cores in any order until they are known to be done: a call when it
// returns, an asynchronous one when its event is complete (docs/design/messages.md, "Memory model").
// An exception that leaves a closure ends the job, at this core as at any other. Return a result instead.

// [task; suspends unless core is this one, and has done what it has sent itself] Runs f at `core` and returns
// its result, which is trivially copyable or can be packed (messages/pack.hpp). f runs in a message handler:
// it must not suspend. Costs one message each way.
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
// trivially copyable or can be packed. Costs one message each way.
template <class F>
auto call_task(core_id core, const F& f, call_site origin = call_site::current())
    -> std::invoke_result_t<const F&> {
  detail::require_core(core, origin);
  tasks::check_closure(f, origin);
  return detail::await_result(f, [&](const auto& there) {
    messenger::here().send(core, [there, name = base::offset_in_binary(origin.function_name())] {
      tasks::scheduler::here()->spawn(tasks::task(there, base::at_offset_in_binary(name)));
    });
  });
}

// The same for f(values...), with copies of what is trivially copyable, a string, a container of such, or has
// a member serialize; results may be such, too (messages/pack.hpp). Costs what packing them does, and where
// they do not fit a message what send_packed says (delegates/packed.hpp).
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

// [task or handler] Runs f at `core` some time, in a message handler; `event` tells when. Costs sizeof(F)
// bytes on the wire. From a task it may suspend while too much is under way to that core.
template <class F>
void async_call(event_ref event, core_id core, const F& f, const call_site& at = call_site::current()) {
  detail::require_core(core, at);
  tasks::debug_check_closure(f, at);
  detail::async_call(event, core, f);
}

// The same for f(std::span<const std::byte>) with a copy of `payload`, of at most
// max_payload_bytes(sizeof(F)).
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
  event.issue();
  messenger::here().send_with_payload<F, &detail::run_counted_with_payload<F>>(core, f, payload,
                                                                               event.number());
}

// The same for f(values...), as call does with values.
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

// The same for f(T&) of the object at an address, at its owner.
template <memory::address A, class F>
auto call(A object, const F& f) {
  const auto at = object.resolve();
  return detail::call(at.core(), [f, p = at.local()] { return f(*p); });
}
template <memory::address A, class F>
void async_call(event_ref event, A object, const F& f) {
  const auto at = object.resolve();
  detail::async_call(event, at.core(), detail::at_object<memory::value_of<A>, F>{at.local(), f});
}

// The word-sized operations; all [task; suspend unless the address is this core's].
template <memory::address A>
memory::value_of<A> read(A from) {
  return call(from, [](const auto& word) { return word; });
}
template <memory::address A>
void write(A to, std::type_identity_t<memory::value_of<A>> value) {
  call(to, [=](auto& word) { word = value; });
}
// Returns the value before.
template <memory::address A>
memory::value_of<A> fetch_and_add(A to, std::type_identity_t<memory::value_of<A>> increment) {
  return call(to, [=](auto& word) {
    const auto before = word;
    word = static_cast<memory::value_of<A>>(before + increment);
    return before;
  });
}
template <memory::address A>
void increment(A to, std::type_identity_t<memory::value_of<A>> by = 1) {
  call(to, [=](auto& word) { word = static_cast<memory::value_of<A>>(word + by); });
}
// Stores `desired` if the value equals `expected`; true if it did.
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
// The replies count for the event that the requests name: issued with the request, done with the reply.
template <class T>
void answer_requests(const messages::run& r) {
  const auto* requests = reinterpret_cast<const word_request<T>*>(r.data);
  messenger& here = messenger::here();
  for (std::uint32_t k = 0; k < r.count; ++k) {
    if (k + messages::prefetch_distance < r.count) requests[k + messages::prefetch_distance].prefetch();
    const word_reply<T> reply{requests[k].to, *requests[k].from};
    here.send<word_reply<T>, &run_counted<word_reply<T>>>(r.source, reply, r.tag);
  }
}

}  // namespace detail

// [task or handler] Asynchronous counterparts, complete when the event is. An increment is one 8-byte message
// for increments by one, 16 bytes otherwise; a read one of 16 bytes and one of 8 and the value back. What
// async_read reads into is this core's and stays until then.
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
  event.issue();
  here.send<detail::word_request<T>, &detail::answer_requests<T>>(at.core(), {at.local(), to},
                                                                  event.number());
}
template <memory::address A>
void async_write(event_ref event, A to, std::type_identity_t<memory::value_of<A>> value) {
  async_call(event, to, [=](auto& word) { word = value; });
}
template <memory::address A>
void async_increment(event_ref event, A to) {
  async_call(event, to, [](auto& word) { ++word; });
}
template <memory::address A>
void async_increment(event_ref event, A to, std::type_identity_t<memory::value_of<A>> by) {
  async_call(event, to, [=](auto& word) { word = static_cast<memory::value_of<A>>(word + by); });
}

namespace detail {
// Refuses a call that names an address where its event belongs.
template <class A>
void require_event() {
  static_assert(!memory::address<A>,
                "an asynchronous operation names the event that counts it: completion_event done; "
                "async_increment(done, address); done.wait();");
}
}  // namespace detail

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

// [task] Runs f as a task of `core` (it may suspend), counted by the event.
template <class F>
void async_spawn(event_ref event, core_id core, const F& f, call_site origin = call_site::current()) {
  messages::check_travels<F>();
  detail::require_core(core, origin);
  tasks::check_closure(f, origin);
  event.issue();
  messenger::here().send(core, [event, f, name = base::offset_in_binary(origin.function_name())] {
    tasks::scheduler::here()->spawn(tasks::task(
        [event, f] {
          f();
          event.done();
        },
        base::at_offset_in_binary(name)));
  });
}

// The same for f(values...), as call_task does with values.
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

}  // namespace orujo::delegates
