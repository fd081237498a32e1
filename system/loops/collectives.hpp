// Collective operations of tasks: one task on every member of a group takes part, all in the same order.
//
// Values are combined up and down a tree, 2 messages per core and pass of at most 2 KiB. Larger arrays are
// cut into one piece per member, which combines that piece of all arrays and hands on the result: each member
// sends and receives about two arrays, whatever the number of members. What is combined is combined in the
// order of cores; `combine` must be associative, and need not commute. T is trivially copyable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/status.hpp"
#include "system/loops/collective_tree.hpp"
#include "system/loops/exchange.hpp"
#include "system/loops/forall.hpp"

namespace orujo::loops {

// [task; suspends; collective] Returns when every member has called it.
inline void barrier(group g = group::job) {
  collective::here().reduce(g, {}, [](auto, auto) {});
}

namespace detail {

inline constexpr const char* disagree =
    "the members of a collective disagree: all call the same ones in the same order, with arrays of one size";

// An array goes in pieces where each is worth a message of its own. With 4 cores both ways take as long at
// about 4 KiB; from 64 KiB on pieces are 2 to 9 times as fast (all_reduce of 64-bit sums, 2 CPUs).
inline constexpr std::size_t min_piece_bytes = 512;
inline bool worth_pieces(std::size_t bytes, group g) {
  return bytes > collective::max_bytes &&
         bytes / static_cast<std::size_t>(members(g).size()) >= min_piece_bytes;
}

template <class T, class Combine>
void all_reduce_on_tree(std::span<T> values, Combine combine, group g) {
  constexpr std::size_t step = collective::max_bytes / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const auto piece = values.subspan(first, std::min(step, values.size() - first));
    collective::here().reduce(g, std::as_writable_bytes(piece), [&](auto into, auto from) {
      for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, into.data() + at, sizeof(T));
        std::memcpy(&b, from.data() + at, sizeof(T));
        a = combine(a, b);
        std::memcpy(into.data() + at, &a, sizeof(T));
      }
    });
  }
}

// Every member's values, one after the other.
template <class T>
std::vector<T> all_gather_on_tree(std::span<const T> mine, group g) {
  const members who(g);
  std::vector<std::byte> all(static_cast<std::size_t>(who.size()) * mine.size_bytes());
  const std::size_t at = static_cast<std::size_t>(who.me()) * mine.size_bytes();
  if (!mine.empty()) std::memcpy(all.data() + at, mine.data(), mine.size_bytes());
  all_reduce_on_tree(std::span(all), std::bit_or<std::byte>(), g);
  std::vector<T> values(static_cast<std::size_t>(who.size()) * mine.size());
  if (!all.empty()) std::memcpy(values.data(), all.data(), all.size());
  return values;
}

// The k-th of n consecutive pieces.
template <class T>
std::span<T> piece_of(std::span<T> whole, int k, int n) {
  const index_range r = part_of({0, whole.size()}, static_cast<std::size_t>(k), static_cast<std::size_t>(n));
  return whole.subspan(r.first, r.size());
}

// An array of every member, cut into one piece per member. Streams: the members' contributions to this
// member's piece, by member; then what comes back, by piece.
template <class T>
class pieces {
 public:
  // [task; suspends; collective] Brings every member its piece of all members' `values`.
  pieces(std::span<T> values, group g)
      : values_(values),
        who_(g),
        n_(who_.size()),
        mine_(piece_of(values, who_.me(), n_).size()),
        contributions_(static_cast<std::size_t>(n_) * mine_),
        transfers_(who_, 2 * n_, [this](int stream, std::size_t bytes) { return place(stream, bytes); }) {
    for (int k = 1; k <= n_; ++k) {
      const int to = (who_.me() + k) % n_;
      transfers_.send(to, who_.me(), std::as_bytes(piece_of(values_, to, n_)));
    }
    transfers_.await(0, n_);
  }

  int members() const { return n_; }
  // What a member contributed to this member's piece.
  std::span<T> contribution(int member) {
    return std::span(contributions_).subspan(static_cast<std::size_t>(member) * mine_, mine_);
  }
  // All contributions combined.
  template <class Combine>
  std::span<const T> fold(Combine combine) {
    const std::span<T> sum = contribution(0);
    for (int k = 1; k < n_; ++k) {
      const std::span<T> next = contribution(k);
      for (std::size_t i = 0; i < mine_; ++i) sum[i] = combine(sum[i], next[i]);
    }
    return sum;
  }
  // [task; suspends] Puts `result` in place of this member's piece of a member's values.
  void hand_on(std::span<const T> result, int to) {
    transfers_.send(to, n_ + who_.me(), std::as_bytes(result));
  }
  // [task; suspends] Returns when every piece of this member's values has been replaced.
  void await() { transfers_.await(n_, 2 * n_); }

 private:
  // A result never arrives before this member's contribution to it has left.
  std::byte* place(int stream, std::size_t bytes) {
    const std::span<T> at = stream < n_ ? contribution(stream) : piece_of(values_, stream - n_, n_);
    require(bytes == at.size_bytes(), disagree);
    return reinterpret_cast<std::byte*>(at.data());
  }

  const std::span<T> values_;
  const loops::members who_;
  const int n_;
  const std::size_t mine_;        // elements of this member's piece
  std::vector<T> contributions_;  // by member
  exchange transfers_;
};

// Streams by sending member, each into a vector of its own.
template <class T>
class vectors_by_member {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit vectors_by_member(group g)
      : who_(g),
        received_(static_cast<std::size_t>(who_.size())),
        transfers_(who_, who_.size(), [this](int from, std::size_t bytes) {
          std::vector<T>& to = received_[static_cast<std::size_t>(from)];
          to.resize(bytes / sizeof(T));
          return reinterpret_cast<std::byte*>(to.data());
        }) {}

  void send(int to_member, std::span<const T> values) {
    transfers_.send(to_member, who_.me(), std::as_bytes(values));
  }
  // [task; suspends] One vector of every member.
  std::vector<std::vector<T>> receive() {
    transfers_.await(0, who_.size());
    return std::move(received_);
  }

 private:
  const members who_;
  std::vector<std::vector<T>> received_;
  exchange transfers_;
};

// Exclusive with an identity, else inclusive.
template <class T, class Combine>
void scan(std::span<T> values, const std::optional<T>& identity, Combine combine, group g) {
  const members who(g);
  const int own = identity ? 0 : 1;  // a member's value counts for itself
  const auto add = [&](std::span<T> to, std::span<const T> more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = combine(to[i], more[i]);
  };
  if (!worth_pieces(values.size_bytes(), g)) {
    const std::vector<T> all = all_gather_on_tree(std::span<const T>(values), g);
    const std::span<const T> by_member(all);
    if (identity) std::fill(values.begin(), values.end(), *identity);
    if (!identity) std::copy_n(all.begin(), values.size(), values.begin());
    for (int k = own; k < who.me() + own; ++k) {
      add(values, by_member.subspan(static_cast<std::size_t>(k) * values.size(), values.size()));
    }
    return;
  }
  pieces<T> all(values, g);
  const std::span<T> first = all.contribution(0);
  std::vector<T> running(first.begin(), first.end());
  if (identity) std::fill(running.begin(), running.end(), *identity);
  for (int k = 0; k < who.size(); ++k) {
    if (!identity && k > 0) add(running, all.contribution(k));
    all.hand_on(running, k);
    if (identity) add(running, all.contribution(k));
  }
  all.await();
}

}  // namespace detail

// [task; suspends; collective] Replaces every element of `values` by the combination of the members'
// elements: values[i] = combine(values[i] of member 0, of member 1, ...). The same size everywhere.
template <class T, class Combine>
void all_reduce(std::span<T> values, Combine combine, group g = group::job) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= collective::max_bytes);
  if (!detail::worth_pieces(values.size_bytes(), g)) return detail::all_reduce_on_tree(values, combine, g);
  detail::pieces<T> all(values, g);
  const std::span<const T> sum = all.fold(combine);
  for (int to = 0; to < all.members(); ++to) all.hand_on(sum, to);
  all.await();
}

// [task; suspends; collective] The same for one value.
template <class T, class Combine = std::plus<T>>
T all_reduce(T value, Combine combine = {}, group g = group::job) {
  all_reduce(std::span<T>(&value, 1), combine, g);
  return value;
}

// [task; suspends; collective] As all_reduce, but only at core `root`, which must be a member; elsewhere
// `values` may hold anything afterwards.
template <class T, class Combine>
void reduce(std::span<T> values, core_id root, Combine combine, group g = group::job) {
  if (!detail::worth_pieces(values.size_bytes(), g)) return all_reduce(values, combine, g);
  detail::pieces<T> all(values, g);
  all.hand_on(all.fold(combine), members(g).number_of(root));
  if (my_core() == root) all.await();
}
template <class T, class Combine = std::plus<T>>
T reduce(T value, core_id root, Combine combine = {}, group g = group::job) {
  reduce(std::span<T>(&value, 1), root, combine, g);
  return value;
}

// [task; suspends; collective] Replaces `values` by those of core `root`, which must be a member. Large
// arrays leave the root once, in pieces that their receivers hand on to all others.
template <class T>
void broadcast(std::span<T> values, core_id root, group g = group::job) {
  static_assert(std::is_trivially_copyable_v<T>);
  const members who(g);
  const int n = who.size(), from = who.number_of(root), me = who.me();
  const std::span<std::byte> bytes = std::as_writable_bytes(values);
  if (!detail::worth_pieces(bytes.size(), g)) {
    if (me != from) std::fill(bytes.begin(), bytes.end(), std::byte{0});
    return detail::all_reduce_on_tree(bytes, std::bit_or<std::byte>(), g);
  }
  exchange transfers(who, n, [&](int stream, std::size_t size) {
    const std::span<std::byte> at = detail::piece_of(bytes, stream, n);
    require(size == at.size(), detail::disagree);
    return at.data();
  });
  if (me == from) {
    for (int k = 0; k < n; ++k) {
      if (k != me) transfers.send(k, k, detail::piece_of(bytes, k, n));
    }
  } else {
    transfers.await(me, me + 1);
  }
  for (int k = 1; k < n; ++k) {
    const int to = (me + k) % n;
    if (to != from) transfers.send(to, me, detail::piece_of(bytes, me, n));
  }
  if (me != from) transfers.await(0, n);
}
template <class T>
T broadcast(T value, core_id root, group g = group::job) {
  broadcast(std::span<T>(&value, 1), root, g);
  return value;
}

// [task; suspends; collective] Every member's value, by member.
template <class T>
std::vector<T> all_gather(const T& mine, group g = group::job) {
  static_assert(std::is_trivially_copyable_v<T>);
  return detail::all_gather_on_tree(std::span(&mine, 1), g);
}

// [task; suspends; collective] Every member's vector, of whatever size, by member. Each member sends its
// vector to each other one.
template <class T>
std::vector<std::vector<T>> all_gather(const std::vector<T>& mine, group g = group::job) {
  detail::vectors_by_member<T> all(g);
  const members who(g);
  for (int k = 1; k <= who.size(); ++k) all.send((who.me() + k) % who.size(), mine);
  return all.receive();
}

// [task; suspends; collective] Every member's value, by member, at core `root`; nothing elsewhere. Costs an
// all_gather.
template <class T>
std::vector<T> gather(const T& mine, core_id root, group g = group::job) {
  std::vector<T> all = all_gather(mine, g);
  if (my_core() != root) all.clear();
  return all;
}

// [task; suspends; collective] The same for vectors of whatever size, which go straight to the root.
template <class T>
std::vector<std::vector<T>> gather(const std::vector<T>& mine, core_id root, group g = group::job) {
  detail::vectors_by_member<T> all(g);
  all.send(members(g).number_of(root), mine);
  if (my_core() != root) return {};
  return all.receive();
}

// [task; suspends; collective] Sends outgoing[k] to member k and returns what member k sent here at [k]. A
// message per pair at least; beyond the result itself, memory is bounded by what may be under way.
template <class T>
std::vector<std::vector<T>> all_to_all(const std::vector<std::vector<T>>& outgoing, group g = group::job) {
  const members who(g);
  require(outgoing.size() == static_cast<std::size_t>(who.size()), "all_to_all takes one vector per member");
  detail::vectors_by_member<T> all(g);
  for (int k = 1; k <= who.size(); ++k) {
    const int to = (who.me() + k) % who.size();
    all.send(to, outgoing[static_cast<std::size_t>(to)]);
  }
  return all.receive();
}

// [task; suspends; collective] The same for one value each.
template <class T>
std::vector<T> all_to_all(const std::vector<T>& outgoing, group g = group::job) {
  const members who(g);
  require(outgoing.size() == static_cast<std::size_t>(who.size()), "all_to_all takes one value per member");
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

// [task; suspends; collective] Replaces each element by the combination of the elements of the members up to
// this one. Costs an all_gather where the arrays are small, otherwise two arrays per member each way.
template <class T, class Combine>
void inclusive_scan(std::span<T> values, Combine combine, group g = group::job) {
  detail::scan(values, std::optional<T>(), combine, g);
}
template <class T, class Combine = std::plus<T>>
T inclusive_scan(T value, Combine combine = {}, group g = group::job) {
  inclusive_scan(std::span<T>(&value, 1), combine, g);
  return value;
}

// [task; suspends; collective] The same for the members before this one, beginning with `identity`.
template <class T, class Combine>
void exclusive_scan(std::span<T> values, std::type_identity_t<T> identity, Combine combine,
                    group g = group::job) {
  detail::scan(values, std::optional<T>(identity), combine, g);
}
template <class T, class Combine>
T exclusive_scan(T value, std::type_identity_t<T> identity, Combine combine, group g = group::job) {
  exclusive_scan(std::span<T>(&value, 1), identity, combine, g);
  return value;
}

// [task; suspends; collective over the job] The sum of the values of the cores before this one.
template <class T>
T exclusive_sum(T mine) {
  return exclusive_scan(mine, T{}, std::plus<T>());
}

// [task; suspends; collective over the job] Ok if every core's status is; otherwise the first failing core's.
status first_failure(const status& mine);

// [task; suspends; collective over the locale] What the locale's first core makes, shared by its cores.
template <class T, class Make>
std::shared_ptr<T> share_on_locale(Make make) {
  std::shared_ptr<T> made;
  if (leads_locale()) made = make();
  const std::shared_ptr<T>* const place = broadcast(&made, shape().first_core_of(my_locale()), group::locale);
  std::shared_ptr<T> shared = *place;
  barrier(group::locale);  // the first core's copy stays in place until all have theirs
  return shared;
}

}  // namespace orujo::loops
