// Brings every core's verdict to core 0, where assertions belong.
#pragma once

#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo {

// [task; suspends] Runs f() as a task on every core and returns how many returned true.
template <class F>
int cores_where(F f) {
  auto answers = containers::global_array<int>::create(static_cast<std::size_t>(cores()));
  loops::on_all_cores([=] { answers.local()[0] = f() ? 1 : 0; });
  int sum = 0;
  for (std::size_t c = 0; c < answers.size(); ++c) sum += delegates::read(answers[c]);
  answers.destroy();
  return sum;
}

}  // namespace orujo
