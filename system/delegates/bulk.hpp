// Bulk operations on ranges of global memory, of either kind of address and any size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "system/delegates/counted_call.hpp"
#include "system/delegates/spawn_at.hpp"
#include "system/memory/byte_range.hpp"

namespace orujo::internal::delegates {

namespace detail {

// [task or handler] Runs f(strip) in a task of each core that holds some of the range.
template <class F>
void spawn_at_owners(const memory::byte_range& range, completion whole, const F& f,
                     const call_site& origin = call_site::current()) {
  for (std::uint64_t k = 0; k < range.strips(); ++k) {
    whole.issue();
    const memory::strip mine = range.strip_at(k);
    const auto counted = [f, mine, whole] {
      f(mine);
      whole.done();
    };
    spawn_at(mine.core, counted, origin);
  }
}

void get(const memory::byte_range& from, std::byte* into, std::size_t unit);
void put(const memory::byte_range& to, const std::byte* from, std::size_t unit);
void async_put(event_ref event, const memory::byte_range& to, const std::byte* from, std::size_t unit);
void copy(const memory::byte_range& from, const memory::byte_range& to, std::size_t unit, completion whole);

// [task] Fills the values, and yields to other tasks after each 256 KiB.
template <class T>
void fill_here(std::span<T> values, const T& value) {
  const std::size_t step = std::max<std::size_t>(1, (std::size_t{256} << 10) / sizeof(T));
  for (std::size_t done = 0; done < values.size(); done += step) {
    if (done) tasks::yield();
    std::fill_n(values.data() + done, std::min(step, values.size() - done), value);
  }
}

template <memory::address A>
constexpr void check_range() {
  static_assert(
      !requires { A::is_one_element; },
      "a range from array[i] on would end with the block of one core: call array.get(i, span), "
      "array.put(i, span) or array.fill(value)");
}

template <memory::address A>
void fill(A first, std::size_t n, const memory::value_of<A>& value, completion whole) {
  check_range<A>();
  using T = memory::value_of<A>;
  spawn_at_owners(memory::byte_range(first, n), whole, [value](const memory::strip& mine) {
    fill_here(std::span(reinterpret_cast<T*>(mine.at), mine.bytes / sizeof(T)), value);
  });
}

template <memory::address A>
constexpr void check_movable() {
  static_assert(std::is_trivially_copyable_v<typename A::value_type>,
                "bulk operations move trivially copyable elements: others go one by one, by call");
  check_range<A>();
}

}  // namespace detail

// How bytes travel depends on how many of the range an owner holds:
//   - Between cores of a locale the owner copies them once, 64 KiB at a time, for a short message each way.
//   - Between locales up to 16 KiB go in messages of up to 4 KiB. From 16 KiB on the transport moves them in
//     transfers of up to 1 MiB, from memory to memory. A core has at most 16 of these under way. Pieces of
//     blocks below 16 KiB pass a buffer, for one more copy.
// A blocking operation overlaps all its transfers, and its effects are visible everywhere when it returns.
// The effects of an asynchronous one are visible when its event is complete. Both see what earlier delegates
// of their task did at each core. Nothing orders an operation under way with other delegates: a task that
// reads or writes the same elements meanwhile may find them torn, and large pieces in any order.

// [task; suspends] Copies into.size() elements from `from` on to `into`. What travels as messages takes two
// per 4 KiB, with at most 1 MiB of replies under way to a core.
template <memory::address A>
void get(A from, std::span<memory::value_of<A>> into) {
  detail::check_movable<A>();  // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers, too
  detail::get({from, into.size()}, reinterpret_cast<std::byte*>(into.data()), sizeof(into[0]));
}
// [task or handler] As get, in a task of the calling core; complete when the event is. `into` has to stay
// until then.
template <memory::address A>
void async_get(event_ref event, A from, std::span<memory::value_of<A>> into) {
  detail::check_movable<A>();
  event.issue();
  tasks::spawn([=] {
    get(from, into);
    event.done();
  });
}

// [task; suspends] Copies `values` to the elements from `to` on. What travels as messages takes one per 4 KiB
// and a short one back.
template <memory::address A>
void put(A to, std::span<const memory::value_of<A>> values) {
  detail::check_movable<A>();
  detail::put({to, values.size()}, reinterpret_cast<const std::byte*>(values.data()), sizeof(values[0]));
}
// [task or handler] As put; complete when the event is. `values` may be reused when it returns. Less than 16
// KiB for an owner is copied into messages, and a task may suspend as in async_call. For more a task waits
// until the bytes have arrived, as in put: to overlap such transfers, use a task for each. A handler, which
// cannot wait, sends everything in messages.
template <memory::address A>
void async_put(event_ref event, A to, std::span<const memory::value_of<A>> values) {
  detail::check_movable<A>();
  detail::async_put(event, {to, values.size()}, reinterpret_cast<const std::byte*>(values.data()),
                    sizeof(values[0]));
}

// [task; suspends] Copies n elements from `from` to `to`, directly from owner to owner: a task at each owner
// puts its elements. Ranges that overlap are a misuse. Between linear ranges whose blocks differ in size or
// alignment it takes a put per block.
template <memory::address A, memory::address B>
void copy(A from, B to, std::size_t n) {
  detail::check_movable<A>();
  static_assert(std::is_same_v<memory::value_of<A>, typename B::value_type>,
                "a copy is between elements of one type, and to elements that are not const");
  tasks::join_counter missing(0, "a copy of global memory");
  detail::copy({from, n}, {to, n}, sizeof(typename A::value_type), detail::completion(missing));
  missing.wait();
}
// [task or handler] As copy; complete when the event is.
template <memory::address A, memory::address B>
void async_copy(event_ref event, A from, B to, std::size_t n) {
  detail::check_movable<A>();
  static_assert(std::is_same_v<memory::value_of<A>, typename B::value_type>,
                "a copy is between elements of one type, and to elements that are not const");
  detail::copy({from, n}, {to, n}, sizeof(typename A::value_type), detail::completion(event));
}

// [task; suspends] Stores `value`, of up to 3.9 KiB, in n elements from `first` on. Costs a message to each
// owner and one back.
template <memory::address A>
void fill(A first, std::size_t n, const std::type_identity_t<memory::value_of<A>>& value) {
  tasks::join_counter missing(0, "a fill of global memory");
  detail::fill(first, n, value, detail::completion(missing));
  missing.wait();
}
// [task or handler] As fill; complete when the event is.
template <memory::address A>
void async_fill(event_ref event, A first, std::size_t n,
                const std::type_identity_t<memory::value_of<A>>& value) {
  detail::fill(first, n, value, detail::completion(event));
}

// Not for callers: refuse calls without an event.
template <memory::address A, class... Rest>
void async_get(A, const Rest&...) {
  detail::require_event<A>();
}
template <memory::address A, class... Rest>
void async_put(A, const Rest&...) {
  detail::require_event<A>();
}
template <memory::address A, class... Rest>
void async_copy(A, const Rest&...) {
  detail::require_event<A>();
}
template <memory::address A, class... Rest>
void async_fill(A, const Rest&...) {
  detail::require_event<A>();
}

}  // namespace orujo::internal::delegates
