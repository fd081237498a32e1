// Puts vertices of a superstep in the order of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/graph/bit_set.hpp"

namespace orujo::internal::steps {

// Sorts vertices by local index, so that a step reads their rows in the order in which they lie in memory. A
// push finds vertices in the order of its edges, and rows in that order are read at random. It has a bit for
// each own vertex of a locale, from the first add() on. One core at a time.
class row_order {
 public:
  explicit row_order(std::size_t vertices) : vertices_(vertices) {}

  // True if sorting so many vertices takes less time than it saves. It reads the whole mask, so there has to
  // be a vertex for every four words.
  bool pays(std::size_t vertices) const { return vertices * 4 >= graph::bit_set::words_for(vertices_); }

  // Sorts vertices if it pays. Repeated ones occur once then.
  void sort(std::vector<std::uint32_t>& vertices) {
    if (!pays(vertices.size())) return;
    for (const std::uint32_t v : vertices) add(v);
    vertices.clear();
    take([&](std::uint32_t v) { vertices.push_back(v); });
  }

  void add(std::uint32_t vertex) {
    if (mask_.size_in_words() == 0) mask_ = graph::bit_set(vertices_);
    mask_.set(vertex);
  }
  // Calls visit(vertex) for all that have been added, each once and ascending, and forgets them.
  template <class Visit>
  void take(Visit visit) {
    mask_.for_each(0, mask_.size_in_words(), [&](std::size_t v) { visit(static_cast<std::uint32_t>(v)); });
    mask_.clear(0, mask_.size_in_words());
  }

 private:
  std::size_t vertices_;
  graph::bit_set mask_;
};

}  // namespace orujo::internal::steps
