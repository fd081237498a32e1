// The edges from mirrors, by mirror: the reverse of the rows of in-edges. When the owner of a vertex reports
// it, a locale that mirrors it finds its own neighbours by these rows.
//
// After the slots of Zhu, Chen, Zheng, Ma, "Gemini: A Computation-Centric Distributed Graph Processing
// System", OSDI 2016, section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// The rows of one locale. A target is a vertex, or an arc if weights are required. Costs 8 bytes per mirror,
// and 4 or 8 per edge from one.
template <class Target>
class basic_mirror_rows {
 public:
  // The own vertices to which edges lead from the m-th mirror, once per edge, in no order. Any thread.
  std::span<const Target> of(std::uint32_t m) const { return targets_.part(offsets_[m], offsets_[m + 1]); }
  // All of them: of mirror m targets()[offsets()[m]] to before targets()[offsets()[m + 1]].
  const std::uint64_t* offsets() const { return offsets_.data(); }
  const Target* targets() const { return targets_.data(); }

 protected:
  friend struct mirror_rows_maker;
  explicit basic_mirror_rows(std::uint32_t mirrors) : offsets_(std::size_t{mirrors} + 1) {}

  machine::huge_array<std::uint64_t> offsets_;  // one more than there are mirrors
  machine::huge_array<Target> targets_;
  bool made_ = false;
};

using mirror_rows = basic_mirror_rows<std::uint32_t>;
using weighted_mirror_rows = basic_mirror_rows<arc>;

// [task; suspends; collective over the locale] The graph keeps in_rows in any form, or vectors of in-edges.
// Made once, and kept with the rows of in-edges, or with a graph that has vectors only.
template <class Target = std::uint32_t>
std::shared_ptr<const basic_mirror_rows<Target>> turn_mirror_rows(const locale_graph& g);

// [task; suspends; collective over the locale] The other way round: the own vertices from which edges lead to
// the m-th mirror. The graph keeps out_rows in any form.
std::shared_ptr<const mirror_rows> turn_rows_to_mirrors(const locale_graph& g);

}  // namespace orujo::internal::graph
