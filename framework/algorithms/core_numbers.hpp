// The core number of every vertex of an undirected graph: the largest k such that the vertex belongs to a
// subgraph in which all have k neighbours or more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/gas/run.hpp"

namespace orujo::algorithms {

// Lu, Zhou, Zhang, Stanley, "The H-index of a network node and its relation to degree and coreness", Nature
// Communications 7, 2016: beginning with the degrees, every vertex takes the h-index of its neighbours'
// estimates (the largest h such that h of them are at least h) until none changes. Estimates only fall, and
// the core numbers are where they stop, in whatever order; no rounds of peeling, and no vertex waits for
// another. A loop counts as one neighbour. For graphs made with --symmetrize.
struct core_numbers {
  using value = std::uint32_t;
  using aggregate = gas::nothing;

  // cores: the locale's, by own vertex.
  explicit core_numbers(std::span<std::uint32_t> cores) : cores_(cores.data()) {}

  value start(const gas::vertex& v, aggregate&) { return cores_[v.local] = v.out_degree; }

  value collect(const gas::vertex&, value own, const gas::neighbours<value>& all) {
    // Nearly always enough neighbours are left.
    value enough = 0;
    for (const auto& [estimate, weight] : all) enough += estimate >= own ? 1 : 0;
    if (enough >= own) return own;
    count_.assign(std::size_t{own} + 1, 0);  // by estimate; the last: that or more
    for (const auto& [estimate, weight] : all) ++count_[std::min(estimate, own)];
    value h = own;
    for (std::uint64_t at_least = count_[h]; at_least < h; at_least += count_[h]) --h;
    return h;
  }

  bool apply(const gas::vertex& v, value total, value& shown, aggregate&) {
    const bool changed = total != shown;
    cores_[v.local] = shown = total;
    return changed;
  }

 private:
  value* const cores_;
  std::vector<value> count_;
};

}  // namespace orujo::algorithms
