// The active vertices of a superstep that goes along their out-edges, as lists that a locale's cores share.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/steps/dealer.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::gas::detail {

// What one core contributes.
struct alignas(64) core_frontier {
  std::vector<std::uint32_t> active;   // vertices with out-edges
  engine::dealer dealer;               // of them
  std::vector<std::uint32_t> touched;  // vertices to apply to, by this core

  void clear() {
    active.clear();
    dealer.reset();
  }
};

// [task; suspends] Calls visit(vertex) for this core's share of the active vertices of all cores of the
// locale; it begins with its own.
template <class Visit>
void take_active(std::vector<core_frontier>& of_core, Visit visit) {
  constexpr std::size_t batch = 64;
  engine::deal_shares(of_core, [&](core_frontier& list) {
    list.dealer.deal(list.active.size(), batch, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) visit(list.active[i]);
      tasks::yield();
    });
  });
}

}  // namespace orujo::gas::detail
