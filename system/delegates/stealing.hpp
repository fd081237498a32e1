// Public tasks: any core of the job may run them. Idle cores take them from busy ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/check_closure.hpp"
#include "system/tasks/stealable_queue.hpp"

namespace orujo::internal::delegates {

// A closure that can travel and has not begun, with what it takes to run it here or send it elsewhere. Plain
// bytes: it owns the heap copy of a large closure, which leaves by exactly one of bind and ship.
struct public_task {
  static constexpr std::size_t inline_bytes = 40;
  struct operations {
    tasks::task (*bind)(public_task&);       // a task of the calling core
    void (*ship)(public_task&, core_id to);  // into the queue of another core; may run in a handler
  };

  template <class F>
  public_task(const F& f, const char* from);
  public_task() = default;

  const operations* how = nullptr;
  const char* origin = "";
  alignas(8) std::byte closure[inline_bytes];  // or a pointer to it

 private:
  template <class F>
  static constexpr bool in_place = sizeof(F) <= inline_bytes && alignof(F) <= 8;
  // The closure, out of a task that is no more after it.
  template <class F>
  static F take(public_task& t);
};

// One core's public tasks, which any core of the job may run, and its part in moving them. The scheduler
// takes one when the core has no other task. async_spawn_public() adds them.
//
// A core without work takes the older half of the tasks of another core of its locale, chosen at random. When
// there are none it asks two cores of other locales, chosen at random, one after the other. Then it registers
// with its neighbours in other locales (those whose number differs in one bit), and waits until one of them
// sends half of its tasks. So an idle job sends no messages, and a core never sends away its last task.
// Saraswat, Kambadur, Kodali, Grove, Krishnamoorthy: "Lifeline-based Global Load Balancing", PPoPP 2011.
// Taking half: Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work Stealing", SC 2009.
class public_tasks final : public tasks::task_source {
 public:
  // Not for callers: the runtime makes one for each core. With !steals tasks stay where they are (--steal).
  public_tasks(core_id me, const job_shape& shape, bool steals, std::uint64_t chaos_seed);
  public_tasks(const public_tasks&) = delete;
  ~public_tasks();

  static constexpr base::core_part part = base::core_part::public_tasks;
  // [task or handler] The calling core's.
  static public_tasks& here() { return base::part_of_this_core<public_tasks>(); }
  // Not for callers. Before the cores start: all cores of this locale, and where they sleep.
  void connect(std::span<public_tasks* const> locale_mates, node::alarms of_locale);

  // Not for callers: what async_spawn_public does. From a task it may suspend while it hands tasks to cores
  // of other locales that wait for some.
  void add(const public_task& t);

  // Not for callers: tasks::task_source. A refill makes a public task of the locale a private one of this
  // core.
  bool refill() override;
  bool can_refill() override;
  void seek() override;
  void share() override;

  // The number of tasks of other cores that this core has taken.
  std::uint64_t stolen() const { return stolen_; }

 private:
  friend struct public_task;
  static constexpr int random_attempts = 2;
  static constexpr std::size_t largest_shipment = 64;

  bool take_from_locale(public_task& first);
  void ask(core_id victim, bool wait_there);
  void answer(core_id thief, bool wait_here);
  void push(const public_task& t);
  void receive(const public_task& t);
  bool ship_half_to(core_id thief);
  void waits_at(core_id neighbour, bool waits);

  const core_id me_;
  const bool steals_;
  random_stream random_;
  tasks::stealable_queue<public_task> queue_;
  std::vector<public_tasks*> mates_;     // the locale's other cores
  node::alarms alarms_;                  // where they sleep
  std::vector<core_id> strangers_;       // all cores of other locales
  std::vector<core_id> neighbours_;      // cores of these that get a request
  std::vector<bool> waits_at_;           // by neighbour: a request is there
  std::vector<core_id> hungry_;          // cores that left a request here
  std::vector<public_task> taken_;       // scratch
  int attempts_left_ = random_attempts;  // until a task came
  bool asking_ = false;                  // a question is on its way
  std::uint64_t stolen_ = 0;
};

template <class F>
F public_task::take(public_task& t) {
  if constexpr (in_place<F>) {
    return *std::launder(reinterpret_cast<const F*>(t.closure));
  } else {
    F* large;
    std::memcpy(&large, t.closure, sizeof(large));
    const F copy = *large;
    delete large;
    return copy;
  }
}

template <class F>
public_task::public_task(const F& f, const char* from) : origin(from) {
  static constexpr operations of_f = {
      [](public_task& t) { return tasks::task(take<F>(t), t.origin); },
      [](public_task& t, core_id to) {
        messages::messenger::here().send(to, [f = take<F>(t), name = base::offset_in_binary(t.origin)] {
          public_tasks::here().receive(public_task(f, base::at_offset_in_binary(name)));
        });
      }};
  how = &of_f;
  if constexpr (in_place<F>) {
    new (closure) F(f);
  } else {
    F* const large = new F(f);
    std::memcpy(closure, &large, sizeof(large));
  }
}

// [task or handler] Runs f as a task of this core or of another that is idle; complete when the event is. f
// has to be able to travel. It may suspend, and stays at the core where it began.
template <class F>
void async_spawn_public(event_ref event, const F& f, call_site origin = call_site::current()) {
  messages::check_travels<F>();
  tasks::debug_check_closure(f, origin);
  event.issue();
  public_tasks::here().add(public_task(
      [event, f] {
        f();
        event.done();
      },
      origin.function_name()));
}

}  // namespace orujo::internal::delegates
