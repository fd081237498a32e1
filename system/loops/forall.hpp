// Loops over the whole job and over one core's part.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "system/base/binary.hpp"
#include "system/base/call_site.hpp"
#include "system/messages/identity.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::loops {

struct index_range {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

// The k-th of n nearly equal consecutive parts.
constexpr index_range part_of(index_range whole, std::size_t k, std::size_t n) {
  const std::size_t size = whole.last - whole.first, quotient = size / n, rest = size % n;
  const std::size_t first = whole.first + k * quotient + std::min(k, rest);
  return {first, first + quotient + (k < rest ? 1 : 0)};
}

struct loop_options {
  // true: iterations may suspend; they run as tasks of `grain` consecutive ones. false: a plain loop.
  bool may_suspend = true;
  std::size_t grain = 0;  // 0: chosen so that a core has about 256 tasks
};

namespace detail {
template <class F>
void on_cores(core_id first, core_id last, const F& f, call_site origin) {
  const core_id me = my_core();
  tasks::join_counter missing(static_cast<std::size_t>(last - first));
  for (core_id c = first; c < last; ++c) {
    messages::messenger::here().send(
        c, [f, me, counter = &missing, name = offset_in_binary(origin.function_name())] {
          tasks::scheduler::here()->spawn(tasks::task(
              [f, me, counter] {
                f();
                messages::messenger::here().send(me, [counter] { counter->complete(); });
              },
              at_offset_in_binary(name)));
        });
  }
  missing.wait();
}
}  // namespace detail

// [task; suspends] Runs f once on every core as a task, and waits for all. f must be able to travel.
template <class F>
void on_all_cores(const F& f, call_site origin = call_site::current()) {
  detail::on_cores(0, cores(), f, origin);
}

// [task; suspends] The same on the cores of this locale: f may hold references.
template <class F>
void on_locale(const F& f, call_site origin = call_site::current()) {
  const core_id first = shape().first_core_of(my_locale());
  detail::on_cores(first, first + my_locales_cores(), f, origin);
}

// [task; suspends] Runs body(i) for this core's indices [first, last).
template <class Body>
void forall_here(index_range range, const Body& body, loop_options options = {}) {
  if (!options.may_suspend) {
    for (std::size_t i = range.first; i < range.last; ++i) body(i);
    return;
  }
  const std::size_t grain = options.grain ? options.grain : std::max<std::size_t>(1, range.size() / 256);
  tasks::join_counter missing((range.size() + grain - 1) / grain);
  for (std::size_t first = range.first; first < range.last; first += grain) {
    tasks::spawn([&body, &missing, first, last = std::min(first + grain, range.last)] {
      for (std::size_t i = first; i < last; ++i) body(i);
      missing.complete();
    });
  }
  missing.wait();
}

// [task; suspends] Runs body(i) for all i of [first, last), each core a consecutive part, and waits for all.
// The body travels: capture values and global addresses, no references. What it starts asynchronously is its
// event's business.
template <class Body>
void forall(index_range range, const Body& body, loop_options options = {}) {
  on_all_cores([range, body, options] {
    forall_here(part_of(range, static_cast<std::size_t>(my_core()), static_cast<std::size_t>(cores())), body,
                options);
  });
}

}  // namespace orujo::loops
