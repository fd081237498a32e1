// The work of completion events (delegates/completion_event.hpp), as each core counts it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/base/growing_array.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/messages/block.hpp"

namespace orujo::internal::messages {

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

// The same while the core goes on counting; others of its locale may read it.
class live_counts {
 public:
  // [its core]
  void issue(std::uint64_t count) { add(issued_, count); }
  // Takes back some of what was issued and has not become done.
  void retract(std::uint64_t count) { add(issued_, -count); }
  void done(std::uint64_t count) { add(done_, count); }
  std::uint64_t issued() const { return issued_.load(std::memory_order_relaxed); }
  // [any core of the locale] A reader that sees work done also sees its effects and the work it has issued.
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

// One core's counts of every event that it has worked for, by the event's number, which is the tag of its
// messages. Messages are counted by the run: a run counts as many as fit when it begins, and takes back what
// it lacks when it ends, before its block leaves. So at no time are fewer issued than were sent. An event
// whose work is complete has equal sums, and its number can be used again without a word to the other cores.
class work_ledger {
 public:
  explicit work_ledger(core_id me) : me_(me) {}
  work_ledger(const work_ledger&) = delete;

  static constexpr base::core_part part = base::core_part::work_ledger;
  // The calling core's ledger.
  static work_ledger& here() { return base::part_of_this_core<work_ledger>(); }

  // A number is (creating core) << 16 | slot.
  std::uint32_t take_number();
  void give_back_number(std::uint32_t number);

  // The operations of one of this core's numbers, in the whole job, when it was last found complete: what
  // earlier events of the number had.
  std::uint64_t& complete(std::uint32_t number) {
    const std::uint32_t slot = number & 0xffff;
    if (slot >= complete_.size()) complete_.resize(slot + 1);
    return complete_[slot];
  }

  // Before the cores start: those of this locale, this one among them.
  void connect(std::vector<const work_ledger*> mates) { mates_ = std::move(mates); }
  // Sum of the counts of all cores of this locale. It reads the memory of each and sends no message.
  work_counts of_locale(std::uint32_t number) const;

  live_counts& at(std::uint32_t number) {
    if (number != last_number_) [[unlikely]] {
      last_ = &find(number);
      last_number_ = number;
    }
    return *last_;
  }

 private:
  live_counts& find(std::uint32_t number);

  core_id me_;
  base::growing_array<base::growing_array<live_counts>> counts_;  // by creator, slot
  std::vector<const work_ledger*> mates_;
  live_counts nobodys_;                 // of no_tag
  std::uint32_t last_number_ = no_tag;  // what at() was asked for last; no event has this one
  live_counts* last_ = &nobodys_;
  std::vector<std::uint64_t> complete_;
  std::vector<std::uint16_t> free_slots_;
  std::uint32_t next_slot_ = 0;
};

}  // namespace orujo::internal::messages
