// What threads know of memory: who has written what, and whether it happened before.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace orujo::model {

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

// An atomic.
struct place {
  std::vector<stored> stores;
  std::size_t last_sequential = 0;
  std::array<std::size_t, most_threads> seen{};  // what a thread has read or written last
};

inline bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST ||
         order == __ATOMIC_CONSUME;
}
inline bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// Of one run.
class memory {
 public:
  vector_clock clocks[most_threads];

  // The atomic there, whose value is `now` if nobody has been here, or somebody who does not come here.
  place& at(const void* address, std::uint64_t now, int thread);
  // How many of the newest stores the thread may read.
  std::size_t readable(const place& p, int order, int thread) const;
  std::uint64_t read(place& p, std::size_t age, int order, int thread);
  // `continues`: as a read-modify-write.
  void write(place& p, std::uint64_t value, int order, int thread, bool continues);

  // What is no atomic. Empty, or what it races with.
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
    std::array<touch, most_threads> read{};
  };
  template <class F>
  static std::string each_cell(std::uintptr_t at, std::size_t bytes, F f);

  std::unordered_map<std::uintptr_t, place> places_;
  std::unordered_map<std::uintptr_t, cell> cells_;
};

}  // namespace orujo::model
