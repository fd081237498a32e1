// A completion event: counts work anywhere in the job, and tasks wait until all of it is done.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/check.hpp"
#include "system/base/growing_array.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/messages/block.hpp"

namespace orujo::internal::delegates {

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

// One core's counts of every event that it has worked for. Counts only ever grow: an event whose work is
// complete has equal sums, and its number can be used again without a word to the other cores.
class work_ledger {
 public:
  explicit work_ledger(core_id me) : me_(me) {}
  work_ledger(const work_ledger&) = delete;

  static constexpr base::core_part part = base::core_part::work_ledger;
  // The calling core's ledger.
  static work_ledger& here() { return base::part_of_this_core<work_ledger>(); }

  // A number is (creating core) << 16 | slot; it is the tag of the messages that count for the event.
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
  live_counts nobodys_;                           // of no_tag
  std::uint32_t last_number_ = messages::no_tag;  // what at() was asked for last; no event has this one
  live_counts* last_ = &nobodys_;
  std::vector<std::uint64_t> complete_;
  std::vector<std::uint16_t> free_slots_;
  std::uint32_t next_slot_ = 0;
};

// A reference to a completion_event, which can travel: delegates and spawns take it, and closures capture it.
// It is valid while the event exists.
class event_ref {
 public:
  // The number that identifies the event in the job.
  explicit event_ref(std::uint32_t number) : number_(number) {}
  std::uint32_t number() const { return number_; }
  // [task or handler] Counts work as issued, at the core that issues it, and as done, at the core that does
  // it. Issue work before it can become done. For work that no delegate counts.
  void issue(std::uint64_t count = 1) const { work_ledger::here().at(number_).issue(count); }
  void done(std::uint64_t count = 1) const { work_ledger::here().at(number_).done(count); }

 private:
  std::uint32_t number_;
};

// Counts asynchronous work anywhere in the job; tasks wait until all of it is done. Pass it to operations
// named async_, which count for it. An event is created and destroyed at the same core, which has at most
// 65,536 at once. It can be used again after wait().
//
// Completion costs no message per operation. wait() asks every locale for its cores' counts until the
// job-wide sums agree in two successive waves (Mattern, "Algorithms for Distributed Termination Detection",
// Distributed Computing 2, 1987, section 4: the four-counter method). The event's last completion counts as a
// wave, so one suffices if nothing has been issued since. A wave costs 2 messages per other locale, along a
// tree, and none within a locale. While work is outstanding, the next wave starts after a sixteenth of the
// time waited so far, at most 10 ms.
class completion_event {
 public:
  explicit completion_event(const call_site& made = call_site::current())
      : made_(made), number_(work_ledger::here().take_number()), waited_for_(issued_here()) {}
  // [task; suspends] Waits if this core has issued work since the last wait(), which in a handler is a
  // misuse.
  ~completion_event() {
    if (waited_for_ != issued_here()) wait_at_its_end();
    work_ledger::here().give_back_number(number_);
  }
  completion_event(const completion_event&) = delete;

  // The reference that operations take; the conversion makes it implicit.
  event_ref ref() const { return event_ref(number_); }
  operator event_ref() const { return ref(); }

  // [task; suspends] Returns when all work issued anywhere for the event is done, including work that such
  // work issues. What the work wrote is visible afterwards.
  void wait(const call_site& at = call_site::current());

 private:
  void wait_at_its_end();
  std::uint64_t issued_here() const { return work_ledger::here().at(number_).issued(); }

  const call_site made_;
  const std::uint32_t number_;
  std::uint64_t waited_for_;
};

// [task; suspends] Calls body(event) and returns when all work issued for the event anywhere is done, as
// X10's finish does: Charles et al., "X10: An Object-Oriented Approach to Non-Uniform Cluster Computing",
// OOPSLA 2005.
template <class Body>
void finish(const Body& body, const call_site& at = call_site::current()) {
  completion_event all(at);
  body(all.ref());
  all.wait(at);
}

// Decides completion from successive waves' sums. Pure, so that tests can drive it.
class wave_detector {
 public:
  wave_detector() = default;
  // Knows sums of counts that were read before the first wave began.
  explicit wave_detector(const work_counts& before) : previous_(before), has_previous_(true) {}
  // Takes the sums of a wave that began after the previous one ended; true when the event is complete.
  bool complete_after(const work_counts& sums) {
    const bool unchanged = has_previous_ && sums == previous_;
    require(!unchanged || sums.done <= sums.issued,
            "a completion event counts more operations done than issued: issue() comes before done(), once "
            "for each");
    const bool complete = unchanged && sums.issued == sums.done;
    previous_ = sums;
    has_previous_ = true;
    return complete;
  }

 private:
  work_counts previous_;
  bool has_previous_ = false;
};

}  // namespace orujo::internal::delegates
