// Work that completion events count (delegates/completion_event.hpp), in memory that a node's locales share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orujo::internal::node {

// Work of one event at one core, since the job began.
struct work_counts {
  std::uint64_t issued = 0;
  std::uint64_t done = 0;
  bool operator==(const work_counts&) const = default;
  work_counts& operator+=(const work_counts& other) {
    issued += other.issued;
    done += other.done;
    return *this;
  }
};

// The same while the core goes on counting; others may read it.
class live_counts {
 public:
  // [its core]
  void issue(std::uint64_t count) { add(issued_, count); }
  // Takes back some of what was issued and has not become done.
  void retract(std::uint64_t count) { add(issued_, -count); }
  void done(std::uint64_t count) { add(done_, count); }
  std::uint64_t issued() const { return issued_.load(std::memory_order_relaxed); }
  // [any core] A reader that sees work done also sees its effects and the work it has issued.
  work_counts read() const {
    const std::uint64_t done = done_.load(std::memory_order_acquire);
    return {issued_.load(std::memory_order_acquire), done};
  }

 private:
  static void add(std::atomic<std::uint64_t>& to, std::uint64_t more) {  // no other core writes it
    to.store(to.load(std::memory_order_relaxed) + more, std::memory_order_release);
  }
  std::atomic<std::uint64_t> issued_{0}, done_{0};
};

// A view of one core's counts of events that the node's cores have made. The memory begins at a cache line,
// and is all zero at first.
class work_table {
 public:
  // Events of one core that have counts here: those with the lowest slots, which a core uses first.
  static constexpr std::uint32_t slots = 16;
  static constexpr std::size_t bytes_for(int cores_of_node) {
    return static_cast<std::size_t>(cores_of_node) * slots * sizeof(live_counts);
  }

  explicit work_table(std::byte* memory) : counts_(reinterpret_cast<live_counts*>(memory)) {}
  // `creator` counts the cores of the node.
  live_counts& at(int creator, std::uint32_t slot) const {
    return counts_[static_cast<std::size_t>(creator) * slots + slot];
  }

 private:
  live_counts* counts_;
};
static_assert(sizeof(live_counts) == 16 && std::atomic<std::uint64_t>::is_always_lock_free);

// The tables of all cores of a node, in their order. Empty if the node's locales share none.
struct work_tables {
  int first_core = 0;
  std::vector<work_table> of_cores;

  // Adds the tables of a locale. The node's locales come in their order.
  void add(std::byte* memory, int cores_of_locale, int cores_of_node) {
    for (int k = 0; k < cores_of_locale; ++k)
      of_cores.emplace_back(memory + static_cast<std::size_t>(k) * work_table::bytes_for(cores_of_node));
  }
};

}  // namespace orujo::internal::node
