// Ends the job in words just before the system would end it for lack of memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "system/base/shape.hpp"

namespace orujo::runtime {

// What a process takes of the memory that is left, look by look. Pure, so that tests can drive it.
class memory_pace {
 public:
  // At a look: bytes that are left, and what the process has taken so far, whatever that is counted from.
  // True where what is left will not last until the look after next if all goes on as it did since the last
  // one. A process that takes little is let alone however little is left: what it needs it has.
  bool runs_out(std::uint64_t left, std::uint64_t taken);
  std::uint64_t grown() const { return grown_; }  // since the look before
  // When to look next: long before a process of so many threads can take what is left.
  static std::chrono::milliseconds until_next_look(std::uint64_t left, int threads);

 private:
  bool looked_ = false;
  std::uint64_t left_ = 0, taken_ = 0, grown_ = 0;
};

// A thread that looks at what the node and the control groups have left, and at --memory_budget_bytes from
// 64 MiB on, which is for what the process takes beyond what it has when this begins. It ends the job with
// no_resource, before the kernel kills the process: whatever the memory is for, stacks, arrays and what
// libraries take included. Nothing under the sanitizers, which take memory of their own. A look costs 0.1 ms
// at most, every millisecond where memory is short and twice a second where there is plenty; before all other
// threads, where the system lets it.
class memory_guard {
 public:
  // `me` is who speaks. Several locales are in one process where they are its threads.
  explicit memory_guard(locale_id me = 0, int locales_of_process = 1);
  ~memory_guard();
  memory_guard(const memory_guard&) = delete;

 private:
  void watch();
  std::uint64_t left(std::uint64_t taken) const;

  const std::uint64_t budget_, at_first_;
  const locale_id me_;
  const int threads_;
  int ending_ = -1;  // an event descriptor
  std::thread thread_;
};

}  // namespace orujo::runtime
