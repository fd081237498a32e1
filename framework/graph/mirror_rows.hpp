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

// Of one locale. A target is a vertex, or an arc where weights are wanted, too. 8 bytes per mirror, and 4 or
// 8 per edge from one.
template <class Target>
class basic_mirror_rows {
 public:
  // The own vertices to which edges lead from the m-th mirror, once per edge, in no order. Any thread.
  std::span<const Target> of(std::uint32_t m) const { return targets_.part(offsets_[m], offsets_[m + 1]); }
  // All of them: of mirror m targets()[offsets()[m]] to before targets()[offsets()[m + 1]].
  const std::uint64_t* offsets() const { return offsets_.data(); }
  const Target* targets() const { return targets_.data(); }

 private:
  template <class T>
  friend std::shared_ptr<const basic_mirror_rows<T>> turn_mirror_rows(const locale_graph& g);
  explicit basic_mirror_rows(const locale_graph& g) : offsets_(std::size_t{g.mirrors} + 1) {}
  void make(const locale_graph& g);

  machine::huge_array<std::uint64_t> offsets_;  // one more than there are mirrors
  machine::huge_array<Target> targets_;
  bool made_ = false;
};

using mirror_rows = basic_mirror_rows<std::uint32_t>;
using weighted_mirror_rows = basic_mirror_rows<arc>;

// [task; suspends; collective over the locale] The graph keeps in_rows, in any form. Made
// once per graph, with which they stay.
template <class Target = std::uint32_t>
std::shared_ptr<const basic_mirror_rows<Target>> turn_mirror_rows(const locale_graph& g);

}  // namespace orujo::graph
