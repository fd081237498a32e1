// A ring of words that are spread over all cores, each naming the next, for pointer_chasing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "applications/messaging/word_table.hpp"
#include "system/base/scrambler.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::messaging {

// 2^bits words in one cycle, where the next word may be anywhere. The end of a walk can be computed without
// walking. Can travel.
class ring {
 public:
  // [task; suspends]
  static ring create(unsigned bits, std::uint64_t seed) {
    base::scrambler::key keys;
    random_stream random(seed);
    for (std::uint64_t& k : keys) k = random();
    const ring made(word_table::create(std::size_t{1} << bits), base::scrambler(bits, keys));
    made.next_.fill([place = made.place_](std::size_t i) { return place(place.undo(i) + 1); });
    return made;
  }
  // [task; suspends]
  void destroy() const { next_.destroy(); }

  const word_table& words() const { return next_; }
  // The index of the k-th word of the ring, for any k.
  word at(std::uint64_t k) const { return place_(k); }

  // [task; suspends] Returns the word after `hops` hops, each of which waits for a word.
  word walk(word from, std::uint64_t hops) const {
    for (; hops > 0; --hops) from = delegates::read(next_[from]);
    return from;
  }

 private:
  ring(word_table next, base::scrambler place) : next_(next), place_(place) {}

  word_table next_;
  base::scrambler place_;
};

// [task; suspends] Runs `walks` walks at a time, each a task. They start at places that are `apart` from each
// other in the ring, the first of them at `first`. Returns the number of walks with a wrong end.
inline std::uint64_t walk_all(const ring& of, std::size_t walks, std::uint64_t hops, std::uint64_t first,
                              std::uint64_t apart) {
  std::uint64_t astray = 0;
  tasks::join_counter missing(walks, "walks along a ring");
  for (std::size_t k = 0; k < walks; ++k) {
    tasks::spawn([&of, &astray, &missing, hops, start = first + k * apart] {
      astray += of.walk(of.at(start), hops) != of.at(start + hops);
      missing.complete();
    });
  }
  missing.wait();
  return astray;
}

}  // namespace orujo::internal::messaging
