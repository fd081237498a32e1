// The active vertices of a superstep that goes along their out-edges, as lists that a locale's cores share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/identity.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::gas::detail {

// What one core contributes.
struct alignas(64) core_frontier {
  std::vector<std::uint32_t> active;   // vertices with out-edges
  std::atomic<std::size_t> taken = 0;  // of them, by the cores of the locale
  std::vector<std::uint32_t> touched;  // vertices to apply to, by this core
};

// [task; suspends] Calls visit(vertex) for this core's share of the active vertices of all cores of the
// locale; it begins with its own.
template <class Visit>
void take_active(std::vector<core_frontier>& of_core, Visit visit) {
  constexpr std::size_t batch = 64;
  for (std::size_t k = 0; k < of_core.size(); ++k) {
    core_frontier& list = of_core[(static_cast<std::size_t>(my_core_of_locale()) + k) % of_core.size()];
    for (;;) {
      const std::size_t first = list.taken.fetch_add(batch, std::memory_order_relaxed);
      if (first >= list.active.size()) break;
      const std::size_t last = std::min(first + batch, list.active.size());
      for (std::size_t i = first; i < last; ++i) visit(list.active[i]);
      tasks::yield();
    }
  }
}

}  // namespace orujo::gas::detail
