// The reply of a delegate: its closure's result, on its way to the waiting task.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "system/base/identity.hpp"
#include "system/delegates/packed.hpp"
#include "system/delegates/spawn_at.hpp"
#include "system/messages/messenger.hpp"
#include "system/messages/pack.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::delegates::detail {

inline constexpr const char* reply_reason = "the reply of a delegate";

template <class T>
constexpr void check_result() {
  static_assert(messages::can_travel<T> || messages::can_pack<T>,
                "a delegate's result must be trivially copyable, or a value that can be packed: a string, a "
                "container of such, a class with a member serialize (system/messages/pack.hpp)");
  static_assert(std::is_default_constructible_v<T>, "a delegate's result needs a default constructor");
}
// [task or handler] Gives `place` of core `to` a delegate's result.
template <class Place, class T>
void send_result(core_id to, Place* place, const T& result) {
  if constexpr (messages::can_travel<T>) {
    messages::messenger::here().send(to, [place, result] { place->write_full(result); });
  } else {
    send_packed(
        to, [place](std::span<const std::byte> packed) { place->write_full(messages::unpack<T>(packed)); },
        messages::pack(result));
  }
}

template <class T>
T taken_from(tasks::full_empty<T>& reply) {
  if constexpr (messages::can_travel<T>) return reply.read_when_full(reply_reason);
  return reply.take_when_full(reply_reason);
}

// [task; suspends] Passes start() the closure that runs f elsewhere and sends its result here, and waits for
// it.
template <class F, class Start>
auto await_result(const F& f, const Start& start) -> std::invoke_result_t<const F&> {
  messages::check_travels<F>();
  using value = std::invoke_result_t<const F&>;
  const core_id me = messages::messenger::here().core();
  if constexpr (std::is_void_v<value>) {
    tasks::join_counter reply(1, reply_reason);
    start([f, me, to = &reply] {
      f();
      complete_at(me, to);
    });
    reply.wait();
  } else {
    check_result<value>();
    tasks::full_empty<value> reply;
    start([f, me, to = &reply] { send_result(me, to, f()); });
    return taken_from(reply);
  }
}

// [task; suspends] Does that for a closure with values. start(answer) takes answer(run) to the other place;
// it calls run() there and sends its result here.
template <class T, class Start>
T await_answer(const Start& start) {
  const core_id me = messages::messenger::here().core();
  if constexpr (std::is_void_v<T>) {
    tasks::join_counter reply(1, reply_reason);
    start([me, to = &reply](const auto& run) {
      run();
      complete_at(me, to);
    });
    reply.wait();
  } else {
    check_result<T>();
    tasks::full_empty<T> reply;
    start([me, to = &reply](const auto& run) { send_result(me, to, run()); });
    return taken_from(reply);
  }
}

}  // namespace orujo::internal::delegates::detail
