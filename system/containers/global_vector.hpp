// One logical sequence whose elements are spread over the cores: a stack, a queue, or both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "system/base/check.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/combiner.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

// A sequence that is a stack, a queue, or both. Operations are linearizable: the master core decides their
// order. Elements stay at the core that pushed them. The master keeps the order of their segments and hands
// out parts of segments, which the taker then fetches. Grows as needed. T is trivially copyable. The object
// is a handle, which can travel.
//
// The operations of a core's tasks are combined. All that wait at a time cost one message to the master and
// one back, and a push and a pop among them need none (Holt et al., PGAS 2013). Taking costs two more
// messages per segment.
template <class T>
class global_vector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "elements are trivially copyable and default-constructible, as they travel in messages");

 public:
  // [task; suspends] Makes an empty sequence; `master` is the core that orders its operations.
  static global_vector create(core_id master = my_core()) {
    const global_vector made(symmetric<part>::reserve(), master);
    loops::on_all_cores([made] { made.parts_.emplace_here(made); });
    return made;
  }
  // [task; suspends] Frees the sequence. No operation on it may be under way.
  void destroy() const { parts_.destroy(); }

  // [task; suspends] Appends a value at the end. The two are one operation under two names.
  void push(const T& value) const {
    parts_.here().operations.perform([&](batch& all) { all.pushed.push_back(value); });
  }
  void enqueue(const T& value) const { push(value); }
  // [task or handler] Appends a value at the end; complete when the event is.
  void async_push(delegates::event_ref event, const T& value) const {
    parts_.here().operations.async_perform(event, [&](batch& all) { all.pushed.push_back(value); });
  }
  // [task; suspends] Takes the last element, or none if there was a moment when the sequence was empty.
  std::optional<T> pop() const { return take(&batch::pops); }
  // [task; suspends] Takes the first element, or none if there was a moment when the sequence was empty.
  std::optional<T> dequeue() const { return take(&batch::dequeues); }

  // [task; suspends unless this is the master] The number of elements. Costs a message each way.
  std::size_t size() const {
    return delegates::call(master_, [parts = parts_] { return parts.here().size; });
  }
  // [task; suspends] Removes all elements. No operation may be under way.
  void clear() const {
    loops::on_all_cores([parts = parts_] {
      part& mine = parts.here();
      mine.stored.clear();
      mine.order.clear();
      mine.size = 0;
    });
  }

  // [task] Runs `f(std::span<T>)` for the runs of elements at the calling core. No operation may be under
  // way.
  template <class F>
  void visit_local(const F& f) const {
    for (auto& [id, s] : parts_.here().stored) f(std::span<T>(s.values).subspan(s.dequeued, s.left()));
  }

  // [task; suspends] Runs body(T&) for every element at the calling core, in no particular order; forall()
  // calls it at every core. No operation may be under way.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    visit_local([&](std::span<T> run) { loops::forall_here(run, body, options); });
  }

  // [task; suspends; collective over the job] Calls f(first, std::span<T>) for the runs of elements at the
  // calling core, where `first` is the index of the run's first element. For checkpoints. No operation may be
  // under way.
  template <class F>
  void visit_in_order(const F& f) const {
    std::vector<segment> order;
    if (my_core() == master_) order.assign(parts_.here().order.begin(), parts_.here().order.end());
    order.resize(collectives::broadcast(order.size(), master_));
    collectives::broadcast(std::span(order), master_);
    std::size_t first = 0;
    for (const segment& s : order) {
      if (s.core == my_core())
        f(first, std::span<T>(parts_.here().stored.at(s.id).values).subspan(s.first, s.count));
      first += s.count;
    }
  }
  // [task; suspends; collective over the job] Replaces the sequence by one of `count` elements, of which
  // `mine` are the calling core's, and returns these for the caller to write. The cores' ranges follow each
  // other in the order of cores. For checkpoints.
  std::span<T> replace(std::size_t count, index_range mine) const {
    part& here = parts_.here();
    here.stored.clear();
    here.order.clear();
    here.size = my_core() == master_ ? count : 0;
    const std::uint64_t id = here.next_id++;
    const auto segments =
        collectives::all_gather(segment{id, my_core(), 0, static_cast<std::uint32_t>(mine.size())});
    if (my_core() == master_) {
      std::copy_if(segments.begin(), segments.end(), std::back_inserter(here.order),
                   [](const segment& s) { return s.count > 0; });
    }
    if (mine.size() == 0) return {};
    std::vector<T>& values = here.stored[id].values;
    values.resize(mine.size());
    return values;
  }

 private:
  // Elements that one batch pushed, at their core. Fetched from both ends, in whatever order.
  struct stored_segment {
    std::vector<T> values;
    std::size_t popped = 0, dequeued = 0;
    std::size_t left() const { return values.size() - popped - dequeued; }
  };
  // Elements of one segment that are still in the sequence, or that the master handed out.
  struct segment {
    std::uint64_t id;
    core_id core;
    std::uint32_t first, count;
  };
  struct taking {  // from one end
    std::size_t wanted = 0;
    std::vector<T> values;  // may be fewer in the end
  };
  struct batch {
    std::vector<T> pushed;
    taking pops, dequeues;
  };
  struct part {
    explicit part(global_vector whole) : operations([whole](batch& all) { whole.run(all); }) {}
    std::unordered_map<std::uint64_t, stored_segment> stored;  // by id
    std::uint64_t next_id = 0;
    delegates::combiner<batch> operations;
    // At the master only.
    std::deque<segment> order;
    std::size_t size = 0;
  };
  // The master's answer: first segments to pop, then those to dequeue.
  struct granted {
    std::vector<segment> segments;
    std::size_t pops = 0;  // segments
    bool more = false;     // the answer is full, there may be more
    tasks::join_counter missing{1, "the answer of a global_vector"};
  };
  struct request {
    segment pushed;  // count may be 0
    std::size_t pops, dequeues;
  };

  global_vector(symmetric<part> parts, core_id master) : parts_(parts), master_(master) {}

  std::optional<T> take(taking batch::*end) const {
    std::size_t ticket = 0;
    const auto all = parts_.here().operations.perform([&](batch& b) { ticket = (b.*end).wanted++; });
    const std::vector<T>& values = ((*all).*end).values;
    return ticket < values.size() ? std::optional<T>(values[ticket]) : std::nullopt;
  }

  // [task; suspends] Performs the operations of a batch.
  void run(batch& all) const {
    // A push and a pop that wait together make a pair: as if one came right after the other.
    while (!all.pushed.empty() && all.pops.values.size() < all.pops.wanted) {
      all.pops.values.push_back(all.pushed.back());
      all.pushed.pop_back();
    }
    part& mine = parts_.here();
    request next{{mine.next_id, my_core(), 0, static_cast<std::uint32_t>(all.pushed.size())}, 0, 0};
    if (next.pushed.count > 0) mine.stored[mine.next_id++].values = std::move(all.pushed);
    bool more = true;
    while (more) {
      next.pops = all.pops.wanted - all.pops.values.size();
      next.dequeues = all.dequeues.wanted - all.dequeues.values.size();
      if (next.pushed.count + next.pops + next.dequeues == 0) return;
      granted answer;
      ask_master(next, answer);
      fetch(answer, all);
      more = answer.more;
      next.pushed.count = 0;
    }
  }

  // A closure that travels back to the asking core.
  struct deliver_segments {
    granted* to;
    std::uint32_t pops;
    bool more;
    void operator()(std::span<const std::byte> bytes) const {
      to->segments.resize(bytes.size() / sizeof(segment));
      if (!bytes.empty()) std::memcpy(to->segments.data(), bytes.data(), bytes.size());
      to->pops = pops;
      to->more = more;
      to->missing.complete();
    }
  };
  static constexpr std::size_t max_segments =
      delegates::messenger::max_payload_bytes(sizeof(deliver_segments)) / sizeof(segment);

  void ask_master(const request& next, granted& answer) const {
    delegates::messenger::here().send(master_, [parts = parts_, next, me = my_core(), to = &answer] {
      part& master = parts.here();
      if (next.pushed.count > 0) master.order.push_back(next.pushed);
      master.size += next.pushed.count;
      std::vector<segment> segments;
      hand_out(master, next.pops, true, segments);
      const auto pops = static_cast<std::uint32_t>(segments.size());
      hand_out(master, next.dequeues, false, segments);
      const bool full = segments.size() == max_segments;
      delegates::messenger::here().send_with_payload(me, deliver_segments{to, pops, full},
                                                     std::as_bytes(std::span(segments)));
    });
    answer.missing.wait();
  }

  // At the master: takes up to `wanted` elements off one end, as far as the answer has room.
  static void hand_out(part& master, std::size_t wanted, bool from_back, std::vector<segment>& to) {
    while (wanted > 0 && !master.order.empty() && to.size() < max_segments) {
      segment& end = from_back ? master.order.back() : master.order.front();
      const auto count = static_cast<std::uint32_t>(std::min({wanted, std::size_t{end.count}, max_values}));
      to.push_back({end.id, end.core, from_back ? end.first + end.count - count : end.first, count});
      if (!from_back) end.first += count;
      end.count -= count;
      wanted -= count;
      master.size -= count;
      if (end.count > 0) continue;
      if (from_back) {
        master.order.pop_back();
      } else {
        master.order.pop_front();
      }
    }
  }

  // A closure that travels back with the values of a segment.
  struct deliver_values {
    T* to;
    tasks::join_counter* missing;
    void operator()(std::span<const std::byte> bytes) const {
      std::memcpy(to, bytes.data(), bytes.size());
      missing->complete();
    }
  };
  static constexpr std::size_t max_values =
      delegates::messenger::max_payload_bytes(sizeof(deliver_values)) / sizeof(T);
  static_assert(max_values > 0, "elements of a global_vector are smaller than a block");

  // [task; suspends] Brings the values of all segments of an answer here.
  void fetch(const granted& answer, batch& all) const {
    std::size_t pops = 0, dequeues = 0;
    for (std::size_t k = 0; k < answer.segments.size(); ++k) {
      (k < answer.pops ? pops : dequeues) += answer.segments[k].count;
    }
    all.pops.values.resize(all.pops.values.size() + pops);
    all.dequeues.values.resize(all.dequeues.values.size() + dequeues);
    T* to_pops = all.pops.values.data() + all.pops.values.size() - pops;
    T* to_dequeues = all.dequeues.values.data() + all.dequeues.values.size() - dequeues;
    tasks::join_counter missing(answer.segments.size(), "elements of a global_vector");
    for (std::size_t k = 0; k < answer.segments.size(); ++k) {
      const segment& s = answer.segments[k];
      const bool from_back = k < answer.pops;
      T*& to = from_back ? to_pops : to_dequeues;
      delegates::messenger::here().send(
          s.core, [parts = parts_, s, from_back, me = my_core(), deliver = deliver_values{to, &missing}] {
            send_values(parts.here(), s, from_back, me, deliver);
          });
      to += s.count;
    }
    missing.wait();
  }

  // At the core of a segment: sends a part of it to the core that takes it, and erases it with its last
  // element.
  static void send_values(part& mine, const segment& s, bool from_back, core_id to,
                          const deliver_values& deliver) {
    const auto found = mine.stored.find(s.id);
    require(found != mine.stored.end(),
            "elements of a global_vector that are not there: cleared before what was pushed or read was "
            "complete");
    stored_segment& from = found->second;
    const auto values = std::span<const T>(from.values).subspan(s.first, s.count);
    delegates::messenger::here().send_with_payload(to, deliver, std::as_bytes(values));
    (from_back ? from.popped : from.dequeued) += s.count;
    if (from.left() == 0) mine.stored.erase(found);
  }

  symmetric<part> parts_;
  core_id master_;
};

}  // namespace orujo::internal::containers
