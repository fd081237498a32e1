// Who sent how much to whom: counted per destination where messages become blocks and blocks parcels, and put
// together as a table of the whole job.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/base/shape.hpp"
#include "system/messages/block.hpp"
#include "system/messages/flush_policy.hpp"

namespace orujo::messages {

inline constexpr std::size_t flush_reasons = 5;

// What one core has exchanged with the cores of one locale; counted by the run or by the block.
struct block_traffic {
  std::uint64_t messages_sent = 0, messages_received = 0;
  std::uint64_t bytes_sent = 0;  // of runs
  std::uint64_t blocks_sent[flush_reasons] = {};
  std::uint64_t acknowledgements_sent = 0;  // empty blocks
  std::uint64_t blocks_received = 0;        // empty ones too
  // Handed to the post office for that locale as their next stop: how many, and the sum of the times.
  std::uint64_t posted = 0, posted_ticks = 0;

  block_traffic& operator+=(const block_traffic& other);
};

// A number that one thread at a time changes while others read.
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

// What a locale has exchanged with another in parcels, and what its transport's calls took. Number is tally
// where it is counted.
template <class Number>
struct parcel_traffic_of {
  Number parcels_sent{}, bytes_sent{}, parcels_received{}, bytes_received{};
  Number packed{}, packed_ticks{};  // blocks, and the sum of the times when they were
  // Blocks of other locales that came here to go there, and the sum of the times when they came.
  Number handed_on{}, handed_on_ticks{};
};
template <class Number>
struct transport_time_of {
  Number sends{}, send_ticks{};
  // Calls of poll(), of which some are timed: looking at the clock each time would show in a round trip.
  struct polls {
    Number all{}, timed{}, ticks{};
  };
  polls busy;   // found something, and handed it to its cores
  polls empty;  // did not
};
using parcel_traffic = parcel_traffic_of<std::uint64_t>;
using transport_time = transport_time_of<std::uint64_t>;

// What a locale's post office knows, by peer.
struct post_traffic {
  std::vector<parcel_traffic> peers;
  transport_time transport;
  std::uint64_t now = 0;  // in ticks, as all times here
  double ns_per_tick = 0;
  std::size_t parcel_bytes = 0;  // what a full parcel holds
};

// What the cores of one locale sent to those of one locale, itself or another; parcels and waits on the way
// to it as the next stop, which differs where parcels go by way of others (--routing).
struct pair_traffic {
  std::uint64_t messages = 0, messages_received = 0, bytes = 0;
  std::array<std::uint64_t, flush_reasons> blocks_by_reason{};
  std::uint64_t acknowledgements = 0, blocks_received = 0;
  std::uint64_t parcels = 0, parcel_bytes = 0, parcels_received = 0, parcel_bytes_received = 0;
  double seconds_waited = 0;  // of all blocks, from the core's hands into a parcel
  std::uint64_t blocks_packed = 0;
  double parcel_capacity = 0;

  std::uint64_t blocks() const;
  double block_fill() const;   // average, of the room for runs; 0 without blocks
  double parcel_fill() const;  // the same of parcels
  double mean_wait() const;    // seconds
};

// The whole job's, put together from what its cores and locales counted.
class traffic_table {
 public:
  explicit traffic_table(int locales);

  // By peer locale: what one of `of`'s cores counted, or its post office. The post office last.
  void add_core(locale_id of, std::span<const block_traffic> peers);
  void add_post(locale_id of, const post_traffic& post);

  int locales() const { return locales_; }
  const pair_traffic& between(locale_id from, locale_id to) const { return pairs_[place(from, to)]; }

  // For people: a row per pair of locales; of more than 8 locales the least, the median and the most of all
  // pairs instead. Then the time spent in the transport.
  std::string text() const;
  // The members "traffic" and "transport" of a JSON object (docs/how_to/debugging.md has the keys), in full.
  std::string json_members() const;

 private:
  struct locale_transport {
    transport_time counts;
    double seconds_per_tick = 0;
    double seconds_sending() const { return static_cast<double>(counts.send_ticks) * seconds_per_tick; }
    double seconds_in(const transport_time::polls& p) const;
  };
  std::size_t place(locale_id from, locale_id to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(locales_) + static_cast<std::size_t>(to);
  }

  int locales_;
  std::vector<pair_traffic> pairs_;
  struct handed_over {
    std::uint64_t blocks = 0, ticks = 0;
  };
  std::vector<handed_over> posted_;  // by pair
  std::vector<locale_transport> transports_;
};

}  // namespace orujo::messages
