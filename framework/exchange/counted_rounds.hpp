// The rounds of an exchange between cores. A round is complete at a core when as many vertices have arrived
// as were sent to it. Each core gets this number from a reduction, or has it already.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::exchange {

namespace detail {

// The number of vertices that are sent to one core in a round.
using vertex_count = std::uint32_t;

inline void put_counts(std::span<const std::uint64_t> of, std::byte* into) {
  for (std::size_t c = 0; c < of.size(); ++c) {
    const auto one = static_cast<vertex_count>(of[c]);
    std::memcpy(into + c * sizeof(vertex_count), &one, sizeof(vertex_count));
  }
}
inline vertex_count count_at(const std::byte* counts, std::size_t index) {
  vertex_count one;
  std::memcpy(&one, counts + index * sizeof(vertex_count), sizeof(vertex_count));
  return one;
}
inline void add_counts(std::span<std::byte> sums, std::span<const std::byte> more) {
  for (std::size_t at = 0; at < sums.size(); at += sizeof(vertex_count)) {
    vertex_count a, b;
    std::memcpy(&a, sums.data() + at, sizeof(vertex_count));
    std::memcpy(&b, more.data() + at, sizeof(vertex_count));
    a += b;
    std::memcpy(sums.data() + at, &a, sizeof(vertex_count));
  }
}

}  // namespace detail

// [task; suspends; collective over the job] Combines the values of all cores into `value`. `counts` has a
// number for each core, below 2^32 in sum. Returns the sum of all cores' numbers for the calling core. One
// reduction carries all of it in jobs of up to about 480 cores.
template <class T, class Combine>
std::uint64_t reduce_with_counts(T& value, Combine combine, std::span<std::uint64_t> counts) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t most = collectives::collective::max_bytes;
  const std::size_t bytes = sizeof(T) + counts.size() * sizeof(detail::vertex_count);
  collectives::collective& collective = collectives::collective::here();
  if (bytes > most) {
    value = collectives::all_reduce(value, combine);
    return collective.sum_for_me(counts);
  }
  std::array<std::byte, most> all;
  std::memcpy(all.data(), &value, sizeof(T));
  detail::put_counts(counts, all.data() + sizeof(T));
  collective.reduce(collectives::group::job, std::span(all).first(bytes),
                    [&](std::span<std::byte> into, std::span<const std::byte> from) {
                      T a, b;
                      std::memcpy(&a, into.data(), sizeof(T));
                      std::memcpy(&b, from.data(), sizeof(T));
                      a = combine(a, b);
                      std::memcpy(into.data(), &a, sizeof(T));
                      detail::add_counts(into.subspan(sizeof(T)), from.subspan(sizeof(T)));
                    });
  std::memcpy(&value, all.data(), sizeof(T));
  return detail::count_at(all.data() + sizeof(T), static_cast<std::size_t>(my_core()));
}

// One core's part of the rounds of one exchange, and a base class of the exchange. Exchanges that complete
// their rounds together share a wait queue.
class counted_rounds {
 public:
  explicit counted_rounds(std::shared_ptr<tasks::wait_queue> waiting)
      : sent_to_(cores()), waiting_(std::move(waiting)) {}
  counted_rounds(const counted_rounds&) = delete;

  // The number of vertices that this core has sent in the round.
  std::uint64_t sent() const { return std::accumulate(sent_to_.begin(), sent_to_.end(), std::uint64_t{0}); }

  // [task; suspends; collective over the job] Ends a round of each of these exchanges, which share a wait
  // queue and are open(). Returns the values of all cores combined when everything that was sent to this core
  // has arrived.
  template <class Sum, class Combine>
  static Sum complete(std::span<counted_rounds* const> exchanges, const Sum& mine, Combine combine) {
    by_core<std::uint64_t> counts(exchanges[0]->sent_to_.size());
    for (const counted_rounds* one : exchanges)
      std::transform(counts.begin(), counts.end(), one->sent_to_.begin(), counts.begin(), std::plus<>());
    Sum all = mine;
    const std::uint64_t expected = reduce_with_counts(all, combine, counts);
    for (counted_rounds* one : exchanges) one->end_sends();
    const auto received = [&] {
      std::uint64_t sum = 0;
      for (const counted_rounds* one : exchanges) sum += one->received_;
      return sum;
    };
    while (received() < expected) tasks::scheduler::here()->suspend(*exchanges[0]->waiting_, waits_for);
    for (counted_rounds* one : exchanges) one->end_receives();
    return all;
  }

  // [task] Ends the sends of a round whose receivers know how many vertices come to them.
  void end_sends() {
    std::fill(sent_to_.begin(), sent_to_.end(), 0);
    ++sends_;
  }
  // [task; suspends] Ends a round that is open(), when `count` vertices have arrived.
  void await_vertices(std::uint64_t count) {
    while (received_ < count) tasks::scheduler::here()->suspend(*waiting_, waits_for);
    end_receives();
  }

 protected:
  ~counted_rounds() = default;

  // Numbers of rounds, from 0 on, modulo 2^32.
  std::uint32_t round_of_sends() const { return sends_; }
  std::uint32_t round_of_receives() const { return receives_; }
  void count_sent(core_id to, std::uint64_t vertices) { sent_to_[to] += vertices; }
  bool has_sent_to(core_id to) const { return sent_to_[to] > 0; }
  void count_received(std::uint64_t vertices) {
    received_ += vertices;
    tasks::scheduler::here()->wake_all(*waiting_);
  }
  // [task; suspends; collective over the job] Returns all cores' values combined. `expected` becomes the
  // number of vertices that were sent to this core.
  template <class Sum, class Combine>
  Sum end_sends_of_all(const Sum& mine, Combine combine, std::uint64_t& expected) {
    Sum all = mine;
    expected = reduce_with_counts(all, combine, sent_to_);
    end_sends();
    return all;
  }
  // True if messages of the round are written when they arrive.
  bool is_open() const { return open_; }
  void set_open() { open_ = true; }

 private:
  static constexpr const char* waits_for = "news of mirrored vertices";

  void end_receives() {
    received_ = 0;
    open_ = false;
    ++receives_;
  }

  by_core<std::uint64_t> sent_to_;  // vertices in this round
  std::uint64_t received_ = 0;
  std::uint32_t sends_ = 0, receives_ = 0;
  bool open_ = false;
  std::shared_ptr<tasks::wait_queue> waiting_;
};

}  // namespace orujo::internal::exchange
