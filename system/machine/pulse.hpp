// What a locale lets the others know of itself all the time, so that they notice when it stands still.
#pragma once

#include <atomic>
#include <cstdint>

namespace orujo::machine {

// Lies in memory that the processes of a node share, all zero at first. Its own locale's watchdog writes it
// (system/runtime/watchdog.hpp), those of the others read it.
struct alignas(64) pulse {
  std::atomic<std::uint64_t> beats;     // grows as long as the process runs
  std::atomic<std::uint64_t> rest;      // beats in a row that found all cores without anything to do
  std::atomic<std::int32_t> process;    // its number, for people
  std::atomic<std::uint32_t> ended;     // 1: it does not beat any more, and need not
  std::atomic<std::uint32_t> asks;      // 1: the others are to say where their tasks are
  std::atomic<std::uint32_t> has_told;  // 1: it has done so
  // 1: a copy of what the first locale of another node says of all of them.
  std::atomic<std::uint32_t> distant;
};
static_assert(sizeof(pulse) == 64 && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace orujo::machine
