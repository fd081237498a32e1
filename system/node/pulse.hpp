// The pulse of a locale: regular signs of life, by which the others notice when it makes no progress.
#pragma once

#include <atomic>
#include <cstdint>

namespace orujo::internal::node {

// Lies in memory that the processes of a node share, all zero at first. Its own locale's watchdog writes it
// (system/watch/watchdog.hpp), the watchdogs of the others read it.
struct alignas(64) pulse {
  std::atomic<std::uint64_t> beats;     // grows as long as the process runs
  std::atomic<std::uint64_t> rest;      // consecutive beats that found all cores idle
  std::atomic<std::int32_t> process;    // its process id, for people
  std::atomic<std::uint32_t> ended;     // 1: the beats have ended as they should
  std::atomic<std::uint32_t> asks;      // 1: requests the others to report where their tasks are
  std::atomic<std::uint32_t> has_told;  // 1: the report is done
  // 1: a copy of the report of another node's first locale about all of its locales.
  std::atomic<std::uint32_t> distant;
};
static_assert(sizeof(pulse) == 64 && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace orujo::internal::node
