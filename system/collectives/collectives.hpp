// Collective operations of tasks. One task on every core of a group takes part, and all call the same
// collectives in the same order. Arrays of different sizes are a misuse.
//
// Arguments. An array is a std::vector, std::array, std::span or another contiguous range of trivially
// copyable values. It has the same size at every member, and its elements are replaced. A value is trivially
// copyable, and the result is returned. Except in scans, a value may also be a std::string, a container of
// such, or a class with a member serialize (messages/pack.hpp), of a different size at each member.
//
// Order. Values are combined in the order of cores. `combine` must be associative, and need not commute.
//
// Costs. The cores of a locale meet in shared memory, and so do the locales of a node for values of at most 2
// KiB. Between nodes values are combined in about log4(locales) rounds of up to 3 messages. Larger arrays are
// cut into one piece per member, which combines its piece of all arrays and hands on the result. So each
// member sends and receives about two arrays, whatever the number of members. Packed values cost more. An
// all_gather sends at least a message from each member to each other, a broadcast is two collectives, a
// gather or reduce sends at least a message from each to the root, and an all_reduce is a reduce and a
// broadcast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/status.hpp"
#include "system/collectives/collective_arrays.hpp"

namespace orujo::internal::collectives {

namespace detail {

// Values of any size, as bytes and back.
template <class T>
std::vector<std::vector<std::byte>> pack_all(const std::vector<T>& values) {
  std::vector<std::vector<std::byte>> packed;
  for (const T& value : values) packed.push_back(messages::pack(value));
  return packed;
}
template <class T>
std::vector<T> unpack_all(const std::vector<std::vector<std::byte>>& packed) {
  std::vector<T> values;
  for (const std::vector<std::byte>& one : packed) values.push_back(messages::unpack<T>(one));
  return values;
}

// The number of `root` among the members.
inline int member_of(const members& who, core_id root, const call_site& at) {
  const bool is_core = root >= 0 && root < cores();
  const int member = is_core ? who.number_of(root) : -1;
  require(member >= 0 && member < who.size() && who.core(member) == root,
          "the root of a collective is not a member of its group: group::job has the cores 0 to cores() - 1, "
          "group::locale those of this locale, group::leaders the first of each locale",
          at);
  return member;
}

}  // namespace detail

// [task; suspends; collective] Returns when every member has called it. What members wrote before is visible
// to all afterwards, but for asynchronous work whose events are not complete.
inline void barrier(group g = group::job, const call_site& at = call_site::current()) {
  collective::here().gather(g, {}, {}, at);
}

// [task; suspends; collective] Replaces every element of `values` by the combination of the members'
// elements: values[i] = combine(values[i] of member 0, of member 1, ...).
template <array_in_place R, class Combine = std::plus<>>
void all_reduce(R&& values, Combine combine = {}, group g = group::job,
                const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const auto mine = detail::elements_of(values);
  using element = std::ranges::range_value_t<decltype(mine)>;
  const combine_bytes by_element = detail::by_element<element>(combine);
  if (mine.size() == 1) return collective::here().reduce(g, std::as_writable_bytes(mine), by_element);
  detail::all_reduce(std::as_writable_bytes(mine), sizeof(element), by_element, g);
}

// [task; suspends; collective] The combination of the members' values, or of temporary arrays, which it
// returns:
//   const auto [vertices, edges] = all_reduce(std::array{my_vertices, my_edges});
template <class T, class Combine = std::plus<>>
  requires(!array<T>)
T all_reduce(const T& value, Combine combine = {}, group g = group::job,
             const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<T>) {
    const core_id first = members(g).core(0);
    return broadcast(reduce(value, first, combine, g), first, g);
  } else {
    T result = value;
    all_reduce(std::span<T>(&result, 1), combine, g);
    return result;
  }
}
template <array R, class Combine = std::plus<>>
  requires(!array_in_place<R>)
R all_reduce(R&& values, Combine combine = {}, group g = group::job,
             const call_site& at = call_site::current()) {
  all_reduce(values, combine, g, at);
  return std::forward<R>(values);
}

// [task; suspends; collective] Combines the members' arrays or values, as all_reduce does, at core `root`,
// which must be a member. At other cores the result is unspecified.
template <array_in_place R, class Combine = std::plus<>>
void reduce(R&& values, core_id root, Combine combine = {}, group g = group::job,
            const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const int to = detail::member_of(members(g), root, at);
  const auto mine = detail::elements_of(values);
  using element = std::ranges::range_value_t<decltype(mine)>;
  detail::reduce(std::as_writable_bytes(mine), sizeof(element), detail::by_element<element>(combine), to, g);
}
template <class T, class Combine = std::plus<>>
  requires(!array<T>)
T reduce(const T& value, core_id root, Combine combine = {}, group g = group::job,
         const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<T>) {
    std::vector<T> all = gather(value, root, g, at);
    for (std::size_t k = 1; k < all.size(); ++k) all[0] = combine(std::move(all[0]), all[k]);
    return all.empty() ? value : std::move(all[0]);
  } else {
    T result = value;
    reduce(std::span<T>(&result, 1), root, combine, g, at);
    return result;
  }
}

// [task; suspends; collective] Replaces `values` by those of core `root`, which must be a member, or returns
// the root's value. Large arrays leave the root once, in pieces that their receivers hand on to all others.
template <array_in_place R>
void broadcast(R&& values, core_id root, group g = group::job, const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const int from = detail::member_of(members(g), root, at);
  detail::broadcast(std::as_writable_bytes(detail::elements_of(values)), from, g);
}
template <class T>
  requires(!array<T>)
T broadcast(const T& value, core_id root, group g = group::job, const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<T>) {
    const bool mine = my_core() == root;
    std::vector<std::byte> packed = mine ? messages::pack(value) : std::vector<std::byte>();
    packed.resize(broadcast(packed.size(), root, g, at));
    broadcast(std::span(packed), root, g);
    return mine ? value : messages::unpack<T>(packed);
  } else {
    T result = value;
    broadcast(std::span<T>(&result, 1), root, g, at);
    return result;
  }
}

// [task; suspends; collective] Returns every member's value, in the order of cores.
template <class T>
std::vector<T> all_gather(const T& mine, group g = group::job, const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<T>) {
    return detail::unpack_all<T>(all_gather(messages::pack(mine), g));
  } else {
    detail::check_carries<T>();
    std::vector<T> all(static_cast<std::size_t>(members(g).size()));
    detail::gather_all(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)), g);
    return all;
  }
}

// [task; suspends; collective] Returns every member's vector, in the order of cores; sizes may differ. Each
// member sends its vector to each other member.
template <class T>
std::vector<std::vector<T>> all_gather(const std::vector<T>& mine, group g = group::job,
                                       const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<std::vector<T>>) {
    return detail::unpack_all<std::vector<T>>(all_gather(messages::pack(mine), g));
  } else {
    detail::check_carries<T>();
    detail::vectors_by_member<T> all(g);
    const members who(g);
    for (int k = 1; k <= who.size(); ++k) all.send((who.me() + k) % who.size(), mine);
    return all.receive();
  }
}

// [task; suspends; collective] Returns every member's value, in the order of cores, at core `root`, and an
// empty vector elsewhere. Costs an all_gather.
template <class T>
std::vector<T> gather(const T& mine, core_id root, group g = group::job,
                      const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<T>) {
    return detail::unpack_all<T>(gather(messages::pack(mine), root, g, at));
  } else {
    detail::member_of(members(g), root, at);
    std::vector<T> all = all_gather(mine, g);
    if (my_core() != root) all.clear();
    return all;
  }
}

// [task; suspends; collective] As gather above, for vectors, whose sizes may differ. They go straight to the
// root.
template <class T>
std::vector<std::vector<T>> gather(const std::vector<T>& mine, core_id root, group g = group::job,
                                   const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  if constexpr (detail::packed_value<std::vector<T>>) {
    return detail::unpack_all<std::vector<T>>(gather(messages::pack(mine), root, g, at));
  } else {
    detail::check_carries<T>();
    detail::vectors_by_member<T> all(g);
    all.send(detail::member_of(members(g), root, at), mine);
    if (my_core() != root) return {};
    return all.receive();
  }
}

// [task; suspends; collective] Sends outgoing[k] to member k and returns what member k sent here at [k].
// Costs at least a message per pair of members. Beyond the result it takes the memory of the send windows.
template <class T>
std::vector<std::vector<T>> all_to_all(const std::vector<std::vector<T>>& outgoing, group g = group::job,
                                       const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const members who(g);
  require(outgoing.size() == static_cast<std::size_t>(who.size()), "all_to_all takes one vector per member",
          at);
  if constexpr (detail::packed_value<std::vector<T>>) {
    return detail::unpack_all<std::vector<T>>(all_to_all(detail::pack_all(outgoing), g));
  } else {
    detail::check_carries<T>();
    detail::vectors_by_member<T> all(g);
    for (int k = 1; k <= who.size(); ++k) {
      const int to = (who.me() + k) % who.size();
      all.send(to, outgoing[static_cast<std::size_t>(to)]);
    }
    return all.receive();
  }
}

// [task; suspends; collective] As all_to_all above, with one value for each member.
template <class T>
std::vector<T> all_to_all(const std::vector<T>& outgoing, group g = group::job,
                          const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const members who(g);
  require(outgoing.size() == static_cast<std::size_t>(who.size()), "all_to_all takes one value per member",
          at);
  if constexpr (detail::packed_value<T>) {
    return detail::unpack_all<T>(all_to_all(detail::pack_all(outgoing), g));
  } else {
    detail::check_carries<T>();
    std::vector<T> incoming(outgoing.size());
    exchange transfers(who, who.size(), [&](int from, std::size_t) {
      return reinterpret_cast<std::byte*>(&incoming[static_cast<std::size_t>(from)]);
    });
    for (int k = 1; k <= who.size(); ++k) {
      const int to = (who.me() + k) % who.size();
      transfers.send(to, who.me(), std::as_bytes(std::span(&outgoing[static_cast<std::size_t>(to)], 1)));
    }
    transfers.await(0, who.size());
    return incoming;
  }
}

// [task; suspends; collective] Replaces each element by the combination of the elements of the members up to
// and including this one, or returns that of values. Costs an all_gather for small arrays, otherwise two
// arrays per member each way.
template <array_in_place R, class Combine = std::plus<>>
void inclusive_scan(R&& values, Combine combine = {}, group g = group::job,
                    const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  using element = std::ranges::range_value_t<R>;
  detail::scan(std::as_writable_bytes(detail::elements_of(values)), sizeof(element), nullptr,
               detail::by_element<element>(combine), g);
}
template <class T, class Combine = std::plus<>>
  requires(!array<T>)
T inclusive_scan(const T& value, Combine combine = {}, group g = group::job,
                 const call_site& at = call_site::current()) {
  T result = value;
  collectives::inclusive_scan(std::span<T>(&result, 1), combine, g, at);
  return result;
}

// [task; suspends; collective] Replaces each element by the combination of `identity` and the elements of the
// members before this one, or returns that of values. Costs what inclusive_scan does.
template <array_in_place R, class Combine = std::plus<>>
void exclusive_scan(R&& values, const std::ranges::range_value_t<R>& identity = {}, Combine combine = {},
                    group g = group::job, const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  using element = std::ranges::range_value_t<R>;
  detail::scan(std::as_writable_bytes(detail::elements_of(values)), sizeof(element),
               reinterpret_cast<const std::byte*>(&identity), detail::by_element<element>(combine), g);
}
template <class T, class Combine = std::plus<>>
  requires(!array<T>)
T exclusive_scan(const T& value, std::type_identity_t<T> identity = {}, Combine combine = {},
                 group g = group::job, const call_site& at = call_site::current()) {
  T result = value;
  collectives::exclusive_scan(std::span<T>(&result, 1), identity, combine, g, at);
  return result;
}

// [task; suspends; collective over the job] Returns the sum of the values of the cores before this one, and
// T{} at core 0.
template <class T>
T exclusive_sum(T mine, const call_site& at = call_site::current()) {
  return collectives::exclusive_scan(mine, T{}, std::plus<T>(), group::job, at);
}

// [task; suspends; collective over the job] Returns the status of the first core whose status is not ok, at
// all cores; ok if there is none.
status first_failure(const status& mine, const call_site& at = call_site::current());

// [task; suspends; collective over the locale] Calls make() at the locale's first core, and returns the
// std::shared_ptr that it makes to all cores of the locale, which share the object.
template <class T, class Make>
std::shared_ptr<T> share_on_locale(Make make, const call_site& at = call_site::current()) {
  const collective::entrance entered(collective::here(), at);
  const std::shared_ptr<const void> shared = detail::share_on_locale([&] { return make(); });
  return std::const_pointer_cast<T>(std::static_pointer_cast<const T>(shared));
}

}  // namespace orujo::internal::collectives
