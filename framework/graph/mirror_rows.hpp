// The edges from mirrors, by mirror: the other direction of what rows of in-edges have. With them a locale
// that is told of another's vertex finds the neighbours that it owns by itself.
//
// After the slots of Zhu, Chen, Zheng, Ma, "Gemini: A Computation-Centric Distributed Graph Processing
// System", OSDI 2016, section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::graph {

// Of one locale. 8 bytes per mirror and 4 per edge from one.
class mirror_rows {
 public:
  // The own vertices to which edges lead from the m-th mirror, once per edge, in no order. Any thread.
  std::span<const std::uint32_t> of(std::uint32_t m) const {
    return targets_.part(offsets_[m], offsets_[m + 1]);
  }
  // All of them: of mirror m targets()[offsets()[m]] to before targets()[offsets()[m + 1]].
  const std::uint64_t* offsets() const { return offsets_.data(); }
  const std::uint32_t* targets() const { return targets_.data(); }

 private:
  friend std::shared_ptr<const mirror_rows> turn_mirror_rows(const locale_graph& g);
  explicit mirror_rows(const locale_graph& g);
  void make(const locale_graph& g);

  machine::huge_array<std::uint64_t> offsets_;  // one more than there are mirrors
  machine::huge_array<std::uint32_t> targets_;
  bool made_ = false;
};

// [task; suspends; collective over the locale] Of a graph that keeps in_rows. Made once per graph, with which
// they stay.
std::shared_ptr<const mirror_rows> turn_mirror_rows(const locale_graph& g);

}  // namespace orujo::graph
