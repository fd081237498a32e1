// The active vertices of a superstep that goes along their out-edges, as lists that a locale's cores share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/steps/row_push.hpp"

namespace orujo::internal::gas::detail {

// One core's contribution.
struct alignas(64) core_frontier {
  std::vector<std::uint32_t> active;   // vertices with out-edges
  std::uint64_t out_edges = 0;         // of all active vertices, at a superstep's end
  std::vector<std::uint32_t> touched;  // vertices to apply to, by this core

  void clear() { active.clear(); }
};

// State that the cores of a locale share in a push.
struct shared_frontier {
  explicit shared_frontier(int cores) : of_core(cores), shares(cores) {}

  // [any core, after the barrier of the locale that follows the last change]
  std::vector<std::span<const std::uint32_t>> active() const {
    std::vector<std::span<const std::uint32_t>> all;
    for (const core_frontier& c : of_core) all.emplace_back(c.active);
    return all;
  }
  std::uint64_t out_edges() const {
    std::uint64_t all = 0;
    for (const core_frontier& c : of_core) all += c.out_edges;
    return all;
  }

  by_core<core_frontier> of_core;
  by_core<steps::push_share> shares;
};

}  // namespace orujo::internal::gas::detail
