// A completion event: counts work anywhere in the job, and tasks wait until all of it is done.
#pragma once

#include <cstdint>

#include "system/base/call_site.hpp"
#include "system/base/check.hpp"
#include "system/messages/work_ledger.hpp"

namespace orujo::internal::delegates {

using messages::work_ledger, node::work_counts;

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
// Completion costs no message per operation. wait() reads the counts of all cores in waves, until two in a
// row have the same sums for the job. This is the four-counter method of Mattern, "Algorithms for Distributed
// Termination Detection", Distributed Computing 2, 1987, section 4. The event's last completion counts as a
// wave, so one suffices if nothing has been issued since. A wave reads the counts of the node's cores in
// memory, if the event is among the first 16 of its core (node/work_table.hpp). It takes 2 messages for each
// other locale, along a tree. While work is outstanding, the next wave starts after a sixteenth of the time
// waited so far, at most 10 ms.
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
