// An exchange that sends every element to the core that a function of the element names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::collectives {

namespace detail {

using counts_by_member = base::by_id<std::size_t>;

inline counts_by_member sums_before(const counts_by_member& sizes) {
  counts_by_member sums(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), sums.begin(), std::size_t{0});
  return sums;
}

// Elements in the order of members.
template <class T>
struct grouped {
  std::vector<T> elements;
  counts_by_member sizes, firsts;

  std::span<const T> of(int member) const {
    return std::span(elements).subspan(firsts[member], sizes[member]);
  }
};

// The member that each element goes to, and the number of elements for each member.
struct destinations {
  std::vector<int> member_of;  // by element
  counts_by_member sizes;
};

template <class T, class OwnerOf>
destinations find_destinations(std::span<const T> elements, const OwnerOf& owner_of, const members& who,
                               const call_site& at) {
  destinations found{std::vector<int>(elements.size()), counts_by_member(who.size())};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto core = static_cast<core_id>(owner_of(elements[i]));
    const bool is_core = core >= 0 && core < cores();
    const int member = is_core ? who.number_of(core) : -1;
    require(member >= 0 && member < who.size() && who.core(member) == core,
            "owner_of names a core that does not take part in the exchange: the members of the group do, of "
            "group::job the cores 0 to cores() - 1",
            at);
    found.member_of[i] = member;
    ++found.sizes[member];
  }
  return found;
}

template <class T>
grouped<T> group_by(std::span<const T> elements, destinations to) {
  grouped<T> made{std::vector<T>(elements.size()), std::move(to.sizes), {}};
  made.firsts = sums_before(made.sizes);
  counts_by_member next = made.firsts;
  for (std::size_t i = 0; i < elements.size(); ++i) made.elements[next[to.member_of[i]]++] = elements[i];
  return made;
}

// [task; suspends; collective] Sends each member its elements.
template <class T>
std::vector<T> exchange_plain(const grouped<T>& out, const members& who) {
  const counts_by_member sizes = all_to_all(out.sizes, who.kind());
  const counts_by_member firsts = sums_before(sizes);
  std::vector<T> received(firsts.back() + sizes.back());
  exchange transfers(who, who.size(), [&](int from, std::size_t) {
    return reinterpret_cast<std::byte*>(received.data() + firsts[from]);
  });
  for (int k = 1; k <= who.size(); ++k) {
    const int to = (who.me() + k) % who.size();
    transfers.send(to, who.me(), std::as_bytes(out.of(to)));
  }
  transfers.await(0, who.size());
  return received;
}
// [task; suspends; collective] As above. The member's own elements are copied, the others packed once.
template <class T>
std::vector<T> exchange_packed(std::span<const T> elements, const destinations& to, const members& who) {
  const int me = who.me();
  base::by_id<std::vector<std::byte>> bytes(who.size());
  {
    base::by_id<messages::packer> packers(who.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (to.member_of[i] != me) packers[to.member_of[i]](elements[i]);
    }
    for (int k = 0; k < who.size(); ++k) bytes[k] = packers[k].take();
  }
  const counts_by_member sizes = all_to_all(to.sizes, who.kind());
  bytes = all_to_all(bytes, who.kind());
  std::vector<T> received;
  received.reserve(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  for (int k = 0; k < who.size(); ++k) {
    if (k == me) {
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (to.member_of[i] == me) received.push_back(elements[i]);
      }
      continue;
    }
    const std::vector<std::byte> from_member = std::exchange(bytes[k], {});
    messages::unpacker packed(from_member);
    for (std::size_t missing = sizes[k]; missing > 0; --missing) packed(received.emplace_back());
    packed.require_end();
  }
  return received;
}

}  // namespace detail

// [task; suspends; collective] Sends each element of `mine`, an array of any size, to the core that
// owner_of(element) names, a member of the group, and returns those that arrived here: in the order of
// members, and those of one member in its order. A core that is no member is a misuse. Costs an all_to_all of
// sizes, then a message per pair and 4,000 bytes. Meanwhile it takes the memory of another copy of `mine`,
// and of a second one of the result if elements are packed.
template <detail::contiguous_array R, class OwnerOf>
auto exchange_by(const R& mine, const OwnerOf& owner_of, group g = group::job,
                 const call_site& at = call_site::current()) {
  using value = std::ranges::range_value_t<R>;
  const collective::entrance entered(collective::here(), at);
  if constexpr (!detail::packed_value<value>) detail::check_carries<value>();
  const members who(g);
  const std::span<const value> elements(std::ranges::data(mine), std::ranges::size(mine));
  detail::destinations to = detail::find_destinations(elements, owner_of, who, at);
  if constexpr (detail::packed_value<value>) {
    return detail::exchange_packed(elements, to, who);
  } else {
    return detail::exchange_plain(detail::group_by(elements, std::move(to)), who);
  }
}

}  // namespace orujo::internal::collectives
