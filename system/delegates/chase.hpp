// Follows chains of remote objects: linked lists, roots of a forest, paths in a tree.
#pragma once

#include <type_traits>

#include "system/base/call_site.hpp"
#include "system/delegates/delegate.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::delegates {

namespace detail {

// Where a walk leaves a core: at its last object, or before one of another core.
template <class T>
struct stop {
  memory::global_address<T> at;
  bool is_last;
};

// Walks on from an object of this core.
template <class T, class Next>
stop<T> walk_here(memory::global_address<T> at, const Next& next) {
  const core_id me = my_core();
  for (;;) {
    const memory::global_address<T> further = next(*at.local());
    if (!further || further == at) return {at, true};
    if (further.core() != me) return {further, false};
    at = further;
  }
}

// A walk that arrives at an object of a core.
template <class T, class Next, class Answer>
struct walk {
  memory::global_address<T> at;
  [[no_unique_address]] Next next;
  Answer answer;

  void operator()() const {
    const stop<T> reached = walk_here(at, next);
    if (reached.is_last) return answer([&] { return std::remove_const_t<T>(*reached.at.local()); });
    messenger::here().send(reached.at.core(), walk{reached.at, next, answer});
  }
};

// The same for an event: `into` is of core `to`.
template <class T, class Next>
struct counted_walk {
  memory::global_address<T> at;
  [[no_unique_address]] Next next;
  event_ref event;
  core_id to;
  std::remove_const_t<T>* into;

  void operator()() const { go_on(walk_here(at, next)); }
  void prefetch() const { __builtin_prefetch(at.local()); }
  void go_on(const stop<T>& reached) const {
    if (!reached.is_last)
      return detail::async_call(event, reached.at.core(), counted_walk{reached.at, next, event, to, into});
    if (to == my_core()) {
      *into = *reached.at.local();
    } else {
      detail::async_call(event, to, word_reply<std::remove_const_t<T>>{into, *reached.at.local()});
    }
  }
};

}  // namespace detail

// [task; suspends unless all objects are this core's] Walks from object to object, and returns a copy of the
// last one. next(T&) runs at the owner of each object in a message handler, where it must not suspend. It
// returns the address of the next object; a null address, or that of the same object, ends the walk. `next`
// has to be able to travel. A chain without end keeps its cores busy without end. The copy is trivially
// copyable or can be packed (messages/pack.hpp).
//   const node last = chase(list.head, [](node& n) { return n.next; });
//
// Costs a message for each change of cores and one for the result. A loop of reads in a task costs two for
// each object, and waits for each.
template <class T, class Next>
auto chase(memory::global_address<T> first, const Next& next, const call_site& at = call_site::current())
    -> std::remove_const_t<T> {
  messages::check_travels<Next>();
  messenger& here = messenger::here();
  if (here.may_run_in_place(first.core())) {
    const auto reached = here.scheduler().run_as_handler([&] { return detail::walk_here(first, next); });
    if (reached.is_last) return *reached.at.local();
    first = reached.at;
  }
  detail::require_core(first.core(), at);
  tasks::check_closure(next, at);
  return detail::await_answer<std::remove_const_t<T>>([&](const auto& answer) {
    using answers = std::decay_t<decltype(answer)>;
    here.send(first.core(), detail::walk<T, Next, answers>{first, next, answer});
  });
}

// [task or handler] As chase, without waiting: stores a copy of the last object, which is trivially copyable,
// at `into`. Complete when the event is; `into` has to stay until then. Many chains cost no task each.
template <class T, class Next>
void async_chase(event_ref event, memory::global_address<T> first, const Next& next,
                 std::remove_const_t<T>* into, const call_site& at = call_site::current()) {
  messages::check_travels<Next>();
  static_assert(std::is_trivially_copyable_v<T>, "async_chase copies a trivially copyable object: use chase");
  messenger& here = messenger::here();
  detail::require_core(first.core(), at);
  tasks::check_closure(next, at);
  const detail::counted_walk<T, Next> start{first, next, event, my_core(), into};
  if (here.may_run_in_place(first.core())) return here.scheduler().run_as_handler([&] { start(); });
  detail::async_call(event, first.core(), start);
}

}  // namespace orujo::internal::delegates
