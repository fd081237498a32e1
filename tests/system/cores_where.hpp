// Brings verdicts from all cores to core 0, where assertions belong.
#pragma once

#include <algorithm>

#include "system/containers/global_array.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal {

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

// [task; suspends] The number of elements in [first, size) that are not `value`.
template <class T>
std::size_t elements_other_than(containers::global_array<T> array, T value, std::size_t first = 0) {
  return delegates::sum_of_all([=] {
    std::size_t others = 0;
    const index_range mine = array.range_here();
    for (std::size_t i = std::max(first, mine.first); i < mine.last; ++i) {
      others += array.local()[i - mine.first] != value;
    }
    return others;
  });
}

}  // namespace orujo::internal
