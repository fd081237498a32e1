// Traffic between cores. It is counted per destination, where messages are put into blocks and blocks into
// parcels. A table of the whole job is assembled from that.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "system/base/by_core.hpp"
#include "system/base/shape.hpp"
#include "system/messages/block.hpp"
#include "system/messages/flush_policy.hpp"

namespace orujo::internal::messages {

inline constexpr std::size_t flush_reasons = 5;

// One core's traffic with the cores of one locale, counted by the run or by the block.
struct block_traffic {
  std::uint64_t messages_sent = 0, messages_received = 0;
  std::uint64_t bytes_sent = 0;  // of runs
  std::uint64_t blocks_sent[flush_reasons] = {};
  std::uint64_t acknowledgements_sent = 0;  // empty blocks
  std::uint64_t blocks_received = 0;        // empty ones too
  // Blocks given to the post office for that locale: number, and sum of the times.
  std::uint64_t posted = 0, posted_ticks = 0;

  block_traffic& operator+=(const block_traffic& other);
};

// A number that one thread at a time changes while others read it.
class tally {
 public:
  void add(std::uint64_t more) {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  void reset() { value_.store(0, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// A locale's traffic with another in parcels, and the time of its transport's calls. Number is `tally` while
// it is counted.
template <class Number>
struct parcel_traffic_of {
  Number parcels_sent{}, bytes_sent{}, parcels_received{}, bytes_received{};
  Number packed{}, packed_ticks{};  // blocks, and the sum of their packing times
};
template <class Number>
struct transport_time_of {
  Number sends{}, send_ticks{};
  // Calls of poll(). Some of them are timed, because reading the clock each time would show in a round trip.
  struct polls {
    Number all{}, timed{}, ticks{};
  };
  polls busy;   // these found something, and handed it to its cores
  polls empty;  // these did not
};
using parcel_traffic = parcel_traffic_of<std::uint64_t>;
using transport_time = transport_time_of<std::uint64_t>;

// The counts of a locale's post office, by peer.
struct post_traffic {
  by_locale<parcel_traffic> peers;
  transport_time transport;
  std::uint64_t now = 0;  // in ticks, as all times here
  double ns_per_tick = 0;
  std::size_t parcel_bytes = 0;  // capacity of a parcel
};

// Messages from the cores of one locale to those of one locale, itself or another.
struct pair_traffic {
  std::uint64_t messages = 0, messages_received = 0, bytes = 0;
  std::array<std::uint64_t, flush_reasons> blocks_by_reason{};
  std::uint64_t acknowledgements = 0, blocks_received = 0;
  std::uint64_t parcels = 0, parcel_bytes = 0, parcels_received = 0, parcel_bytes_received = 0;
  double seconds_waited = 0;  // of all blocks, from leaving the core to being packed
  std::uint64_t blocks_packed = 0;
  double parcel_capacity = 0;

  std::uint64_t blocks() const;
  double block_fill() const;   // average, of the room for runs; 0 without blocks
  double parcel_fill() const;  // of parcels
  double mean_wait() const;    // seconds
};

// The traffic of the whole job, assembled from the counts of its cores and locales.
class traffic_table {
 public:
  explicit traffic_table(int locales);

  // Adds the counts of a core of `of`, or of its post office, by peer locale. The post office comes last.
  void add_core(locale_id of, const by_locale<block_traffic>& peers);
  void add_post(locale_id of, const post_traffic& post);

  int locales() const { return locales_; }
  const pair_traffic& between(locale_id from, locale_id to) const { return pairs_[place(from, to)]; }

  // A table for people, with a row per pair of locales, followed by the time spent in the transport. With
  // more than 8 locales it has the least, the median and the most of all pairs instead.
  std::string text() const;
  // The members "traffic" and "transport" of a JSON object (docs/reference/metrics.md has the keys), in full.
  std::string json_members() const;

 private:
  struct locale_transport {
    transport_time counts;
    double seconds_per_tick = 0;
    double seconds_sending() const { return static_cast<double>(counts.send_ticks) * seconds_per_tick; }
    double seconds_in(const transport_time::polls& p) const;
  };
  int place(locale_id from, locale_id to) const { return from * locales_ + to; }

  int locales_;
  by_locale<pair_traffic> pairs_;  // by sender and receiver
  struct handed_over {
    std::uint64_t blocks = 0, ticks = 0;
  };
  by_locale<handed_over> posted_;  // likewise
  by_locale<locale_transport> transports_;
};

}  // namespace orujo::internal::messages
