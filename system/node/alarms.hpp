// Wake-up flags: the cores of a locale sleep on them while they are idle, and a sender wakes them at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace orujo::internal::node {

// The wake-up flags of a locale's cores, in memory shared with all threads that wake them, also those of
// other processes. The object is a view, and copies wake the same cores. An empty one wakes nobody, and has
// no cores.
//
// No wake-up is missed if both sides keep to an order that is the same for all threads (Dekker's rule):
// * The sender publishes its data by a sequentially consistent read-modify-write, or by any store and a
//   fence. Then it reads the flag.
// * The sleeper sets its flag. Then it looks for data once more, in the same way.
// Waking a core that is awake costs a load.
class alarms {
 public:
  alarms() = default;
  // Bytes for the flags of `cores` cores, aligned to bytes_per_core and all zero before the first use.
  static constexpr std::size_t bytes_per_core = 64;
  static constexpr std::size_t bytes_for(int cores) {
    return (static_cast<std::size_t>(cores) + 1) * bytes_per_core;
  }
  alarms(std::byte* memory, int cores) : memory_(memory), cores_(cores) {}

  explicit operator bool() const { return memory_ != nullptr; }

  // Any thread: wakes this core of the locale if it sleeps.
  void ring(int core) const {
    if (asleep(core).load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake(core);
  }
  // Any thread: wakes one of the sleeping cores, if there is any.
  void ring_one() const {
    if (memory_ && sleepers().load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_one();
  }
  // Wakes a core for data that was published by plain stores: a full fence goes before the read of the flag.
  void ring_one_after_stores() const;
  // The core itself sleeps until it is woken, for at most `most`. It does not sleep if anything() is true.
  template <class F>
  void sleep(int core, std::chrono::nanoseconds most, F anything) const {
    asleep(core).store(1, std::memory_order_seq_cst);
    sleepers().fetch_add(1, std::memory_order_seq_cst);
    if (!anything()) wait(core, most);
    sleepers().fetch_sub(1, std::memory_order_relaxed);
    asleep(core).store(0, std::memory_order_relaxed);
  }

 private:
  using word = std::atomic<std::uint32_t>;
  static_assert(word::is_always_lock_free && sizeof(word) == 4);

  word& sleepers() const { return *reinterpret_cast<word*>(memory_); }
  word& asleep(int core) const {
    return *reinterpret_cast<word*>(memory_ + (static_cast<std::size_t>(core) + 1) * bytes_per_core);
  }
  bool wake(int core) const;
  void wake_one() const;
  void wait(int core, std::chrono::nanoseconds most) const;

  std::byte* memory_ = nullptr;
  int cores_ = 0;
};

}  // namespace orujo::internal::node
