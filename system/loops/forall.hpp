// Loops over the whole job and over one core's part.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/stealing.hpp"
#include "system/memory/global_address.hpp"
#include "system/memory/linear_address.hpp"
#include "system/tasks/check_closure.hpp"
#include "system/tasks/sync.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::internal::loops {

// How a loop runs its iterations. Designate members: forall(range, body, {.may_suspend = false}).
struct loop_options {
  // True: iterations may suspend, and run as tasks of `grain` consecutive ones. False: a plain loop.
  bool may_suspend = true;
  std::size_t grain = 0;  // 0: chosen so that a core has about 256 tasks; any size, a large one: one task
  // True: the tasks are public, so cores without work take some from others. For loops over indices whose
  // iterations differ much in length. The body must not depend on the core where it runs.
  bool stealable = false;

  // The number of consecutive iterations of a task.
  std::size_t grain_of(std::size_t iterations) const {
    return grain ? grain : std::max<std::size_t>(1, iterations / 256);
  }
};

namespace detail {

// The parameters that a body may have. They are tried in order, as a generic body compiles for any.
template <class Body>
struct takes_indices
    : std::disjunction<std::is_invocable<Body, std::size_t>, std::is_invocable<Body, index_range>> {};
template <class Body, class T>
struct takes_elements
    : std::disjunction<std::is_invocable<Body, std::size_t, T&>, std::is_invocable<Body, T&>,
                       std::is_invocable<Body, std::size_t, std::span<T>>,
                       std::is_invocable<Body, std::span<T>>> {};

template <template <class...> class Takes, class Body, class... T>
constexpr void check_is_const() {
  static_assert(
      std::disjunction_v<Takes<const Body&, T...>, std::negation<Takes<Body&, T...>>>,
      "the body of a loop is const, as each core has a copy: no mutable lambda, and no operator() "
      "without const; what iterations change belongs in arrays, or behind an address for increment()");
}
// Loops over indices begin with this, so that the first error names the caller's line.
template <class Body>
constexpr void check_index_body() {
  check_is_const<takes_indices, Body>();
  static_assert(takes_indices<const Body&>::value || takes_indices<Body&>::value,
                "the body of a loop over indices is body(std::size_t) or body(index_range)");
}

// A body takes an index, or a whole index_range at a time.
template <class Body>
void run_indices(index_range range, const Body& body) {
  if constexpr (std::is_invocable_v<const Body&, std::size_t>) {
    for (std::size_t i = range.first; i < range.last; ++i) body(i);
  } else if constexpr (takes_indices<const Body&>::value) {
    body(range);
  }
}

// A body takes (index, element), an element, (first index, span), or a span of consecutive elements.
template <class T, class Body>
void run_elements(std::size_t first, std::span<T> elements, const Body& body) {
  if constexpr (std::is_invocable_v<const Body&, std::size_t, T&>) {
    for (std::size_t k = 0; k < elements.size(); ++k) body(first + k, elements[k]);
  } else if constexpr (std::is_invocable_v<const Body&, T&>) {
    for (T& element : elements) body(element);
  } else if constexpr (std::is_invocable_v<const Body&, std::size_t, std::span<T>>) {
    body(first, elements);
  } else {
    check_is_const<takes_elements, Body, T>();
    static_assert(
        std::disjunction_v<std::is_invocable<const Body&, std::span<T>>, takes_elements<Body&, T>>,
        "the body of a loop over an array of T is body(std::size_t, T&), body(T&), body(std::size_t first, "
        "std::span<T>) or body(std::span<T>)");
    if constexpr (std::is_invocable_v<const Body&, std::span<T>>) body(elements);
  }
}

// `take` is null, or is called at this core with each result of f.
template <class F, class Take = const void>
void on_cores(core_id first, core_id last, const F& f, const char* name_of_loop, const call_site& origin,
              Take* take = nullptr) {
  messages::check_travels<F>();
  const core_id me = my_core();
  const tasks::wait_name waits_for(name_of_loop, origin);
  tasks::join_counter missing(static_cast<std::size_t>(last - first), waits_for.text());
  const auto counted = [f, me, take, counter = &missing] {
    if constexpr (std::is_void_v<Take>) {
      static_cast<void>(take);  // clang 14 calls it unused
      f();
      delegates::detail::complete_at(me, counter);
    } else {
      messages::messenger::here().send_seldom(me, [take, counter, result = f()] {
        (*take)(result);
        counter->complete();
      });
    }
  };
  for (core_id c = first; c < last; ++c) delegates::detail::spawn_at(c, counted, origin);
  messages::messenger::here().flush_all();  // before this core's own part, which need not suspend
  missing.wait();
}

// Runs f at this core, and keeps its result if this is the core of `to`.
template <class Result, class F, class... Values>
void keep_at_caller(memory::global_address<std::optional<Result>> to, const F& f, Values&&... values) {
  if (my_core() == to.core()) {
    to.local()->emplace(f(std::forward<Values>(values)...));
  } else {
    static_cast<void>(f(std::forward<Values>(values)...));
  }
}
}  // namespace detail

// [task; suspends] Runs f once on every core as a task, and waits for all. f has to be able to travel. It
// begins at other cores while it runs at the calling one, which sends them their messages at once. Returns
// what f returns at the calling core, of any movable type. Costs 2 messages per core.
template <class F>
auto on_all_cores(const F& f, call_site origin = call_site::current()) {
  messages::check_travels<F>();
  tasks::check_closure(f, origin);
  using result = std::decay_t<std::invoke_result_t<const F&>>;
  if constexpr (std::is_void_v<result>) {
    detail::on_cores(0, cores(), f, "on_all_cores", origin);
  } else {
    std::optional<result> mine;
    const memory::global_address<std::optional<result>> to(my_core(), &mine);
    const auto keep_mine = [f, to] { detail::keep_at_caller(to, f); };
    detail::on_cores(0, cores(), keep_mine, "on_all_cores", origin);
    return std::move(*mine);
  }
}

// [task; suspends] As on_all_cores, but returns what f returns at all cores, combined in no order, which is
// small and trivially copyable. The answers carry it, so it costs no collective.
template <class F, class Combine = std::plus<>>
auto combined_on_all_cores(const F& f, Combine combine = {}, call_site origin = call_site::current()) {
  tasks::check_closure(f, origin);
  using result = std::decay_t<std::invoke_result_t<const F&>>;
  static_assert(std::is_trivially_copyable_v<result>);
  std::optional<result> all;
  auto take = [&](const result& more) { all = all ? combine(*all, more) : more; };
  detail::on_cores(0, cores(), f, "combined_on_all_cores", origin, &take);
  return *all;
}

// [task; suspends] As on_all_cores above, for f(value) with a copy of the value at each core, as in call.
// Pass several values as a std::tuple.
template <class F, class T>
  requires(!std::same_as<T, call_site>)
auto on_all_cores(const F& f, const T& value, call_site origin = call_site::current()) {
  static_assert(std::is_invocable_v<const F&, std::decay_t<T>>,
                "the closure is called with a copy of the value: it takes it by value, by const& or by &&");
  using result = std::decay_t<std::invoke_result_t<const F&, std::decay_t<T>>>;
  if constexpr (std::is_void_v<result>) {
    delegates::completion_event all(origin);
    for (core_id c = 0; c < cores(); ++c)
      delegates::async_spawn(all, delegates::detail::target(c, origin), f, value);
    messages::messenger::here().flush_all();
    all.wait(origin);
  } else {
    std::optional<result> mine;
    const memory::global_address<std::optional<result>> to(my_core(), &mine);
    on_all_cores([f, to](std::decay_t<T> here) { detail::keep_at_caller(to, f, std::move(here)); }, value,
                 origin);
    return std::move(*mine);
  }
}

// [task; suspends] Runs f once on every core of this locale as a task, and waits for all. f may hold
// references. Costs 2 messages per core.
template <class F>
void on_locale(const F& f, call_site origin = call_site::current()) {
  const core_id first = shape().first_core_of(my_locale());
  detail::on_cores(first, first + my_locales_cores(), f, "on_locale", origin);
}

// [task; suspends] Runs the body, body(std::size_t) or body(index_range), for all indices of the range, on
// the calling core. The body may hold references. Suspends unless options.may_suspend is false.
template <class Body>
void forall_here(index_range range, const Body& body, loop_options options = {},
                 const call_site& at = call_site::current()) {
  detail::check_index_body<Body>();
  base::require_range(range, at);
  if (!options.may_suspend) return detail::run_indices(range, body);
  const std::size_t grain = options.grain_of(range.size());
  tasks::join_counter missing(base::pieces_of(range.size(), grain), "the iterations of a loop");
  for (std::size_t first = range.first, last = 0; first < range.last; first = last) {
    last = first + std::min(grain, range.last - first);
    tasks::spawn([&body, &missing, first, last] {
      detail::run_indices({first, last}, body);
      missing.complete();
    });
  }
  missing.wait();
}

namespace detail {

// [task] Spawns the upper half of the range as a public task, repeatedly, and runs the rest.
template <class Body>
void run_stealable(delegates::event_ref event, index_range range, std::size_t grain, const Body& body) {
  while (range.size() > grain) {
    const std::size_t middle = range.first + range.size() / 2;
    delegates::async_spawn_public(event, [=, last = range.last] {
      run_stealable(event, {middle, last}, grain, body);
    });
    range.last = middle;
  }
  run_indices(range, body);
}

}  // namespace detail

// [task or handler] Runs the body, body(std::size_t) or body(index_range), for all indices of the range, each
// core a consecutive part, and does not wait; complete when the event is. The body has to be able to travel:
// capture values and global addresses, no references. Operations that it starts may count for the same event.
template <class Body>
void async_forall(delegates::event_ref event, index_range range, const Body& body, loop_options options = {},
                  call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  detail::check_index_body<Body>();
  base::require_range(range, origin);
  for (core_id c = 0; c < cores(); ++c) {
    delegates::async_spawn(
        event, c,
        [event, range, body, options] {
          const index_range mine = my_part_of_job(range);
          if (options.stealable) {
            detail::run_stealable(event, mine, options.grain_of(mine.size()), body);
          } else {
            forall_here(mine, body, options);
          }
        },
        origin);
  }
}

// [task; suspends] Runs the body, body(std::size_t) or body(index_range), for all indices of the range, each
// core a consecutive part, and waits for all iterations. The body has to be able to travel: capture values
// and global addresses, no references. Asynchronous operations that it starts are complete when their own
// events are. Loops may be nested. Costs 2 messages per core.
template <class Body>
void forall(index_range range, const Body& body, loop_options options = {},
            call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  detail::check_index_body<Body>();
  base::require_range(range, origin);
  if (options.stealable) {
    delegates::completion_event all;
    async_forall(all, range, body, options, origin);
    messages::messenger::here().flush_all();
    return all.wait();
  }
  on_all_cores([range, body, options] { forall_here(my_part_of_job(range), body, options); }, origin);
}

// [task; suspends] Runs the body, body(std::size_t, T&), body(T&), body(std::size_t first, std::span<T>) or
// body(std::span<T>), for elements that the calling core may access. Their indices begin with `first`.
template <class T, class Body>
void forall_here(std::size_t first, std::span<T> elements, const Body& body, loop_options options = {}) {
  forall_here(
      {0, elements.size()},
      [&](index_range part) {
        detail::run_elements(first + part.first, elements.subspan(part.first, part.size()), body);
      },
      options);
}
template <class T, class Body>
void forall_here(std::span<T> elements, const Body& body, loop_options options = {}) {
  forall_here(0, elements, body, options);
}

namespace detail {
struct any_body {
  template <class... Element>
  void operator()(Element&&...) const {}
};
}  // namespace detail

// A collection that is spread over the cores, which loops take: a handle that can travel, with a member
//   template <class Body> void forall_here(const Body& body, loop_options options) const;
// which runs the body for the elements that the calling core holds, as a [task; may suspend] function. All
// containers are distributed, and so is a class of yours with this member.
template <class All>
concept distributed = messages::can_travel<All> &&
    requires(const All& all, const detail::any_body& body, const loop_options& options) {
  { all.forall_here(body, options) } -> std::same_as<void>;
};

// [task; suspends] Runs the body for the elements of a collection that the calling core holds. The collection
// says which bodies it takes.
template <distributed All, class Body>
void forall_here(const All& all, const Body& body, loop_options options = {}) {
  all.forall_here(body, options);
}

// [task or handler] Runs the body for all elements of a collection, each at the core that holds it, and does
// not wait; complete when the event is. The body has to be able to travel.
template <distributed All, class Body>
void async_forall(delegates::event_ref event, const All& all, const Body& body, loop_options options = {},
                  call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  for (core_id c = 0; c < cores(); ++c)
    delegates::async_spawn(
        event, c, [all, body, options] { all.forall_here(body, options); }, origin);
}

// [task; suspends] Runs the body for all elements of a collection, each at the core that holds it, and waits.
// The body has to be able to travel.
template <distributed All, class Body>
void forall(const All& all, const Body& body, loop_options options = {},
            call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  on_all_cores([all, body, options] { all.forall_here(body, options); }, origin);
}

// [task; suspends] Runs the body for those of the n elements from `first` on that the calling core owns. The
// body is body(i, T&), body(T&), body(i, std::span<T>) or body(std::span<T>), where i is the index after
// `first`, and a span is a block or a part of one.
template <class T, class Body>
void forall_here(memory::linear_address<T> first, std::size_t n, const Body& body,
                 loop_options options = {}) {
  const std::span<T> mine = memory::local_span(first, n);
  forall_here(
      {0, mine.size()},
      [&](index_range part) {
        memory::for_each_block(
            first, mine.subspan(part.first, part.size()),
            [&](std::size_t i, std::span<T> elements) { detail::run_elements(i, elements, body); });
      },
      options);
}

// [task; suspends] Runs the body for the n elements from `first` on, each at the core that owns it, and
// waits. The body has to be able to travel, and is as in forall_here of an address.
template <class T, class Body>
void forall(memory::linear_address<T> first, std::size_t n, const Body& body, loop_options options = {},
            call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  on_all_cores([first, n, body, options] { forall_here(first, n, body, options); }, origin);
}

// [task or handler] Runs the body for the n elements from `first` on, each at the core that owns it, and does
// not wait; complete when the event is.
template <class T, class Body>
void async_forall(delegates::event_ref event, memory::linear_address<T> first, std::size_t n,
                  const Body& body, loop_options options = {}, call_site origin = call_site::current()) {
  messages::check_travels<Body>();
  for (core_id c = 0; c < cores(); ++c) {
    delegates::async_spawn(
        event, c, [first, n, body, options] { forall_here(first, n, body, options); }, origin);
  }
}

}  // namespace orujo::internal::loops
