// The edges between locales as each end needs them so that a vertex is told to a locale once, however many of
// its neighbours are there: where a vertex is mirrored, and which own vertices a mirror leads to.
//
// After the signals and slots of Zhu, Chen, Zheng, Ma, "Gemini: A Computation-Centric Distributed Graph
// Processing System", OSDI 2016, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::graph {

// Of one locale. 8 bytes per own vertex, per mirror of it and per mirror here, and 4 per edge from a mirror.
class mirror_links {
 public:
  // Where a vertex is mirrored: the mirror's place among the mirrors there.
  struct place {
    locale_id locale;
    std::uint32_t mirror;
  };

  // Of an own vertex; ascending by locale. Any thread.
  std::span<const place> places_of(std::uint32_t own_vertex) const {
    return places_.part(first_place_[own_vertex], first_place_[own_vertex + 1]);
  }
  // The own vertices to which edges lead from the m-th mirror, once per edge, in no order. Any thread.
  std::span<const std::uint32_t> targets_of(std::uint32_t m) const {
    return targets_.part(first_target_[m], first_target_[m + 1]);
  }

  // All of them: of mirror m targets()[first_target()[m]] to before targets()[first_target()[m + 1]].
  const std::uint64_t* first_target() const { return first_target_.data(); }
  const std::uint32_t* targets() const { return targets_.data(); }

 private:
  friend std::shared_ptr<const mirror_links> link_mirrors(const locale_graph& g);
  explicit mirror_links(const locale_graph& g);
  void make(const locale_graph& g);
  void find_places(const locale_graph& g);
  void turn_rows(const locale_graph& g);

  machine::huge_array<std::uint64_t> first_place_, first_target_;  // one more than there are
  machine::huge_array<place> places_;
  machine::huge_array<std::uint32_t> targets_;
  std::vector<std::uint64_t> places_by_core_;
  bool made_ = false;
};

// [task; suspends; collective over the locale] Of a graph that keeps in_rows. Made once per graph, with which
// they stay.
std::shared_ptr<const mirror_links> link_mirrors(const locale_graph& g);

}  // namespace orujo::graph
