// Map and reduce: pairs of keys and values go to the cores that own the keys, which combine the values.
//
// Dean, Ghemawat: "MapReduce: Simplified Data Processing on Large Clusters", OSDI 2004. It is built of
// delegate operations on a hash table, as in Nelson, Holt, Myers, Briggs, Ceze, Kahan, Oskin:
// "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015, section 4.1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/tables/mapreduce/global_groups.hpp"
#include "framework/tables/mapreduce/in_flight.hpp"
#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::mapreduce {

// How map_reduce() combines pairs before it sends them.
struct map_options {
  // Largest number of keys in the table where pairs for another core wait. Values of equal keys are combined
  // there, and a full table is sent. So a frequent key is sent once per table. 0: every pair is sent.
  std::size_t combined_keys = std::size_t{1} << 20;
};

// The figures of map_reduce(): pairs, bytes and times of all cores.
struct map_summary {
  std::uint64_t pairs = 0;                       // emitted
  std::uint64_t crossing_pairs = 0;              // of keys that another core owns,
  std::uint64_t crossing_bytes = 0;              // and what these would take in messages
  std::uint64_t sent_pairs = 0, sent_bytes = 0;  // what went instead
  // A core's mean time in map() itself, in combining what came, and in sending and waiting.
  double map_seconds = 0, reduce_seconds = 0, network_seconds = 0;

  std::uint64_t saved_bytes() const { return crossing_bytes - sent_bytes; }
  void operator+=(const map_summary& other) {
    pairs += other.pairs;
    crossing_pairs += other.crossing_pairs;
    crossing_bytes += other.crossing_bytes;
    sent_pairs += other.sent_pairs;
    sent_bytes += other.sent_bytes;
    map_seconds += other.map_seconds;
    reduce_seconds += other.reduce_seconds;
    network_seconds += other.network_seconds;
  }
};

namespace detail {

template <class Combine, class Table, class Hashed, class V>
void fold(Table& into, const Hashed& key, const V& value) {
  const auto [place, is_new] = into.find_or_insert(key);
  *place = is_new ? value : static_cast<V>(Combine()(*place, value));
}

// Packed pairs at the core that owns their keys. Can travel.
template <class Groups, class Combine>
struct receive_pairs {
  Groups groups;
  void operator()(std::span<const std::byte> payload) const {
    using hashed = typename Groups::hashed;
    using V = typename Groups::value;
    const std::uint64_t begun = base::ticks();
    using table = typename Groups::table;
    table& into = groups.local();
    const auto take = [](table& to, const hashed& key, const V& value) { fold<Combine>(to, key, value); };
    in_flight<table, hashed, V> on_their_way;
    std::span<const char> left(reinterpret_cast<const char*>(payload.data()), payload.size());
    while (!left.empty()) {
      const hashed key(Groups::traits::take(left));
      on_their_way.put(into, key, take_value<V>(left), take);
    }
    on_their_way.take_all(take);
    groups.reduce_ticks() += base::ticks() - begun;
  }
};

}  // namespace detail

// The argument of a mapper: emit(key, value). Belongs to one task.
template <class Groups, class Combine>
class emitter {
  using traits = typename Groups::traits;
  using Key = typename Groups::key;
  using hashed = typename Groups::hashed;
  using table = typename Groups::table;
  using V = typename Groups::value;
  using receive = detail::receive_pairs<Groups, Combine>;

 public:
  emitter(Groups into, const map_options& options)
      : into_(into),
        mine_(into.local()),
        combined_keys_(options.combined_keys),
        begun_(base::ticks()),
        reduced_before_(into.reduce_ticks()),
        packets_(cores()) {}
  emitter(const emitter&) = delete;

  // [task] May suspend where much is under way. Texts are copied.
  void operator()(const Key& key, const V& value) {
    const hashed its_key(key);
    const core_id owner = owner_of(its_key);
    // Half of the pairs or more are for others, in no order that a branch predictor could know: the way is
    // the same for all.
    const auto crosses = static_cast<std::uint64_t>(owner != my_core_);
    ++sum_.pairs;
    sum_.crossing_pairs += crosses;
    sum_.crossing_bytes += crosses * (traits::bytes(key) + sizeof(V));
    if (combined_keys_ == 0 && owner != my_core_) return pack(owner, key, value);
    on_their_way_.put(crosses ? waiting_ : mine_, its_key, value, taking());
  }

  // [task; suspends; collective over the job] Returns when all pairs of all cores have been combined.
  map_summary finish() {
    on_their_way_.take_all(taking());
    send_waiting();
    waiting_for([&] {
      for (core_id c = 0; c < cores(); ++c) send(c);
      sent_.wait();
      long_keys_.clear();
      collectives::barrier();
    });
    const std::uint64_t reduced = into_.reduce_ticks() - reduced_before_;
    const double second = 1e-9 * base::ns_per_tick() / cores();  // of the mean, in a tick
    sum_.reduce_seconds = second * static_cast<double>(reduced);
    sum_.network_seconds = second * static_cast<double>(waited_ - reduced_while_waiting_);
    sum_.map_seconds =
        second * static_cast<double>(base::ticks() - begun_ - waited_ - (reduced - reduced_while_waiting_));
    map_summary all;
    for (const map_summary& of_core : collectives::all_gather(sum_)) all += of_core;
    return all;
  }

 private:
  static constexpr std::size_t most_packed = delegates::messenger::max_payload_bytes(sizeof(receive));

  core_id owner_of(const hashed& key) const { return Groups::owner_of_hash(key.hash, cores_); }
  auto taking() {
    return [this](table& into, const hashed& key, const V& value) {
      detail::fold<Combine>(into, key, value);
      if (waiting_.size() >= combined_keys_ && waiting_.size() > 0) send_waiting();
    };
  }

  // A packet holds whole pairs.
  void pack(core_id to, const Key& key, const V& value) {
    std::vector<char>& packet = packets_[to];
    const std::size_t bytes = traits::bytes(key) + sizeof(V);
    ++sum_.sent_pairs;
    sum_.sent_bytes += bytes;
    if constexpr (std::is_same_v<Key, std::string_view>) {
      if (bytes > most_packed) return waiting_for([&] { send_long(to, key, value); });
    }
    if (packet.size() + bytes > most_packed) waiting_for([&] { send(to); });
    traits::append(packet, key);
    append_value(packet, value);
  }

  void send(core_id to) {
    std::vector<char>& packet = packets_[to];
    if (packet.empty()) return;
    delegates::async_call(sent_, to, receive{into_}, std::as_bytes(std::span(packet)));
    packet.clear();
  }

  // The owner fetches a text for which a message has no room.
  void send_long(core_id to, std::string_view key, const V& value) {
    long_keys_.emplace_back(key);
    const memory::global_address<const char> from(my_core_, long_keys_.back().data());
    delegates::async_spawn(sent_, to, [groups = into_, from, size = key.size(), value] {
      std::string text(size, '\0');
      delegates::get(from, std::span(text));
      detail::fold<Combine>(groups.local(), hashed(text), value);
    });
  }

  void send_waiting() {
    waiting_.visit([&](const Key& key, const V& value) { pack(owner_of(hashed(key)), key, value); });
    waiting_.clear();
  }

  // Times what may suspend.
  template <class Wait>
  void waiting_for(const Wait& wait) {
    const std::uint64_t since = base::ticks(), reduced = into_.reduce_ticks();
    wait();
    reduced_while_waiting_ += into_.reduce_ticks() - reduced;
    waited_ += base::ticks() - since;
  }

  const Groups into_;
  table& mine_;
  const core_id my_core_ = my_core(), cores_ = cores();
  const std::size_t combined_keys_;
  const std::uint64_t begun_, reduced_before_;
  in_flight<table, hashed, V> on_their_way_;
  std::uint64_t waited_ = 0, reduced_while_waiting_ = 0;
  table waiting_;
  by_core<std::vector<char>> packets_;
  std::list<std::string> long_keys_;  // until they have been fetched
  delegates::completion_event sent_;
  map_summary sum_;
};

// [task; suspends; collective over the job] Every core runs map(emit), which calls emit(key, value) any
// number of times. For each key `into` then has combine(its old value, all emitted values of the key).
// Combine: associative and commutative, constructed wherever it is called. The mapper reads the core's
// own input, such as array.local(), my_part_of_job(range), or its part of files
// (framework/tables/mapreduce/input_files.hpp). Values are combined in any order, so sums of floating point
// differ in their last bits from run to run.
template <class Combine = std::plus<>, class Groups, class Map>
map_summary map_reduce(Groups into, const Map& map, const map_options& options = {}) {
  static_assert(std::is_empty_v<Combine>,
                "the combination of values is a type without members, as std::plus<>");
  emitter<Groups, Combine> emit(into, options);
  map(emit);
  return emit.finish();
}

}  // namespace orujo::internal::mapreduce
