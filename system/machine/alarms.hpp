// Where the cores of a locale sleep while they have nothing to do, and what wakes them at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace orujo::machine {

// The alarms of a locale's cores, in memory that whoever rings them shares, other processes, too. A view:
// copies ring the same alarms. An empty one rings nothing, and has no cores.
//
// Nothing is rung in vain and no ring is missed where both sides keep to an order that is the same for all
// threads: who brings something publishes it by a sequentially consistent read-modify-write, or by any store
// and a fence, and then looks who sleeps; who goes to sleep says so first and then looks once more, in the
// same way, for what has been brought (Dekker's rule). To ring somebody who is awake costs a load.
class alarms {
 public:
  alarms() = default;
  // Memory for so many cores, aligned to bytes_per_core and all zero before the first use.
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
  // Any thread: wakes one of the cores that sleep, if any does.
  void ring_one() const {
    if (memory_ && sleepers().load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake_one();
  }
  // The same, where what was brought is no more than stored: a full fence goes before the look.
  void ring_one_after_stores() const;
  // The core itself: sleeps until it is rung, at most so long; not at all if there is something after all.
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

}  // namespace orujo::machine
