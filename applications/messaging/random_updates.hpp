// Updates of random elements of a table: the kernel of gups and histogram, and the check of its result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "applications/messaging/word_table.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::messaging {

enum class operation { increment, exclusive_or, fetch_add };

// Bytes that make a message longer than necessary.
template <std::size_t Bytes>
struct padding {
  std::array<std::byte, Bytes> bytes{};
};
template <>
struct padding<0> {};

// The updates as they travel, Bytes long.
template <std::size_t Bytes>
struct increment_word {
  word* at;
  [[no_unique_address]] padding<Bytes - sizeof(word*)> rest{};
  void operator()() const { ++*at; }
  void prefetch() const { __builtin_prefetch(at, 1); }
};
template <std::size_t Bytes>
struct exclusive_or_word {
  word* at;
  word value;
  [[no_unique_address]] padding<Bytes - sizeof(word*) - sizeof(word)> rest{};
  void operator()() const { *at ^= value; }
  void prefetch() const { __builtin_prefetch(at, 1); }
};
template <std::size_t Bytes>
struct fetch_and_increment_word {
  word* at;
  [[no_unique_address]] padding<Bytes - sizeof(word*)> rest{};
  word operator()() const { return (*at)++; }
};

// An increment by one sends the word's offset at the owner.
inline constexpr std::size_t smallest_increment = sizeof(std::uint32_t);

// Number of updates after which a sending core handles arrived messages.
inline constexpr std::size_t updates_between_polls = 1024;

// [task; suspends] Sends this core's share of updates: start(place, drawn) for each number drawn.
template <class Start>
void send_updates(word_table table, const draws& d, const Start& start) {
  random_stream random = d.stream_of(my_core());
  for (std::size_t left = d.count_of(my_core()); left > 0;) {
    const std::size_t updates = std::min(left, updates_between_polls);
    for (std::size_t k = 0; k < updates; ++k) {
      const word drawn = random();
      start(place_of(drawn, table.size()), drawn);
    }
    left -= updates;
    tasks::yield();
  }
}

// [task; suspends] This core's share of asynchronous updates, each one message of Bytes bytes.
template <std::size_t Bytes>
void send_increments(delegates::event_ref event, word_table table, const draws& d) {
  send_updates(table, d, [event, table](std::size_t place, word) {
    if constexpr (Bytes == smallest_increment) {
      delegates::async_increment(event, table.at(place));
    } else {
      const auto at = table[place];
      delegates::async_call(event, at.core(), increment_word<Bytes>{at.local()});
    }
  });
}
template <std::size_t Bytes>
void send_exclusive_ors(delegates::event_ref event, word_table table, const draws& d) {
  send_updates(table, d, [event, table](std::size_t place, word drawn) {
    const auto at = table[place];
    delegates::async_call(event, at.core(), exclusive_or_word<Bytes>{at.local(), drawn});
  });
}

// [task; suspends] Increments the words at the given places: histogram's kernel.
inline void count(delegates::event_ref event, word_table table, std::span<const word> places) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    delegates::async_increment(event, table.at(places[k]));
    if ((k + 1) % updates_between_polls == 0) tasks::yield();
  }
}

// [task; suspends] This core's share of increments that return the value before, by `tasks` tasks that each
// wait for the reply. Returns the sum of the replies, modulo 2^64.
template <std::size_t Bytes>
word fetch_and_increment(word_table table, const draws& d, std::size_t tasks) {
  random_stream random = d.stream_of(my_core());
  std::size_t left = d.count_of(my_core());
  word sum = 0;
  tasks::join_counter ended(tasks);
  for (std::size_t k = 0; k < tasks; ++k) {
    tasks::spawn([&, table] {
      while (left > 0) {
        --left;
        const auto at = table[place_of(random(), table.size())];
        const word before = delegates::call(at.core(), fetch_and_increment_word<Bytes>{at.local()});
        sum += before;
      }
      ended.complete();
    });
  }
  ended.wait();
  return sum;
}

// The check. Word i starts as i; then d's updates are done.
struct update_check {
  word changed = 0;               // change of all words: the sum, or the exclusive or of all
  word expected_change = 0;       // of the numbers drawn
  word returned = 0;              // by the updates: fetch_add only
  word expected_return = 0;       // computed from the final words
  std::uint64_t wrong_words = 0;  // after all updates have been undone

  bool agrees() const {
    return changed == expected_change && returned == expected_return && wrong_words == 0;
  }
  std::string describe() const;  // one line
};

// [task; suspends] Undoes d's updates and compares the words with the start. Every owner draws all cores'
// numbers again and undoes those of its words, without a message, so the code path differs from that of the
// updates. That takes each core a few ns per update of the whole job. `returned` is over all cores.
update_check check_by_undoing(word_table table, operation op, const draws& d, word returned = 0);

// A part of it, for a core's own words: the sum that the updates from `start` to `now` must have returned, of
// start, start + 1, ...
constexpr word returned_by(word start, word now) {
  const word n = now - start;
  return n * start + (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n);
}

}  // namespace orujo::internal::messaging
