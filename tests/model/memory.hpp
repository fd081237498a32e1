// The threads' knowledge of memory: writers of values, and whether the writes happened before.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace orujo::internal::model {

inline constexpr int most_threads = 6;  // the first is the one that sets up, before all others

struct vector_clock {
  std::array<std::uint32_t, most_threads> time{};
  void join(const vector_clock& other) {
    for (int k = 0; k < most_threads; ++k) time[k] = std::max(time[k], other.time[k]);
  }
};

struct stored {
  std::uint64_t value;
  int thread;
  std::uint32_t time;
  vector_clock releases;  // what who acquires it knows then
};

// A thread knew at this time that what it reads is not older than this store.
struct look {
  std::uint32_t time;
  std::size_t index;
};

// An atomic.
struct place {
  std::vector<stored> stores;
  // None older is read sequentially consistently, or after a sequentially consistent fence, from now on.
  std::size_t sequential = 0;
  std::array<std::vector<look>, most_threads> looks;
};

inline bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST ||
         order == __ATOMIC_CONSUME;
}
inline bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// Memory of one run.
class memory {
 public:
  vector_clock clocks[most_threads];

  // The atomic there, whose value is `now` if nobody has been here, or somebody who does not come here.
  place& at(const void* address, std::uint64_t now, int thread);
  // Number of the newest stores that the thread may read.
  std::size_t readable(const place& p, int order, int thread) const;
  std::uint64_t read(place& p, std::size_t age, int order, int thread);
  // `continues`: as a read-modify-write.
  void write(place& p, std::uint64_t value, int order, int thread, bool continues);
  void fence(int order, int thread);

  // Empty, or what it races with: what is no atomic with all, atomics with what is none.
  std::string touch_atomic(std::uintptr_t at, std::size_t bytes, int thread, bool writes);
  std::string read_plain(std::uintptr_t at, std::size_t bytes, int thread);
  std::string write_plain(std::uintptr_t at, std::size_t bytes, int thread);
  // The memory is somebody else's from now on.
  void forget(std::uintptr_t at, std::size_t bytes);

 private:
  struct touch {
    std::uint32_t time = 0;
    std::uint8_t bytes = 0;  // a bit each
  };
  // Eight bytes.
  struct cell {
    touch written;
    int writer = 0;
    bool has_atomics = false;
    std::array<touch, most_threads> read{}, atomic_read{}, atomic_written{};
  };
  template <class F>
  static std::string each_cell(std::uintptr_t at, std::size_t bytes, F f);
  // The oldest store that the thread may still read.
  std::size_t oldest(const place& p, int thread) const;
  std::string race_with(const std::array<touch, most_threads>& touches, std::uint8_t mask, int thread,
                        const char* doing) const;
  std::string race_with_writer(const cell& c, std::uint8_t mask, int thread, const char* doing) const;

  std::unordered_map<std::uintptr_t, place> places_;
  std::unordered_map<std::uintptr_t, cell> cells_;
  // Effects of a fence on relaxed loads and stores around it.
  std::array<vector_clock, most_threads> to_acquire_, to_release_;
};

}  // namespace orujo::internal::model
