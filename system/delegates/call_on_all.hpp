// Asks every core at once.
#pragma once

#include <type_traits>

#include "system/delegates/delegate.hpp"

namespace orujo::internal::delegates {

// [task; suspends] Runs ask() on every core, in a message handler, and receive(core, answer) at the calling
// core, also in a handler, as the answers arrive. `ask` has to be able to travel; `receive` may hold
// references. Costs 2 messages per core, all under way at once. Diagnostics print `reason` as what the task
// waits for.
template <class Ask, class Receive>
void call_on_all(const Ask& ask, const Receive& receive, const char* reason = "the answers of all cores") {
  messenger& here = messenger::here();
  const core_id me = here.core();
  const int cores = here.shape().cores();
  tasks::join_counter missing(static_cast<std::size_t>(cores), reason);
  for (core_id c = 0; c < cores; ++c) {
    here.send_seldom(c, [ask, me, c, to = &receive, counter = &missing] {
      messenger::here().send_seldom(me, [answer = ask(), c, to, counter] {
        (*to)(c, answer);
        counter->complete();
      });
    });
  }
  missing.wait();
}

// [task; suspends] The sum of what ask() returns at every core. Runs and costs what call_on_all does.
template <class Ask>
auto sum_of_all(const Ask& ask, const char* reason = "the answers of all cores") {
  std::invoke_result_t<const Ask&> sum{};
  call_on_all(
      ask, [&sum](core_id, const auto& answer) { sum += answer; }, reason);
  return sum;
}

}  // namespace orujo::internal::delegates
