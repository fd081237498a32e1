// Finds the mirrors of a vertex at other locales: the way from owners to mirrors, vertex by vertex.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::exchange {

// Data of one locale: 8 bytes and 1 bit per own vertex, and 8 bytes per mirror of one. Any thread.
class mirror_places {
 public:
  // The core that receives there, the same for all senders, and the local index.
  struct place {
    core_id core;
    std::uint32_t index;
  };

  explicit mirror_places(const graph::locale_graph& g);

  // True if an own vertex has mirrors. It has bits of its own, which are smaller than the rest: on a mesh few
  // are set.
  bool has(std::uint32_t v) const { return (any_[v / 64] >> v % 64 & 1) != 0; }
  // The mirrors of an own vertex, ascending by locale.
  std::span<const place> of(std::uint32_t v) const {
    return std::span(places_).subspan(offsets_[v], offsets_[v + 1] - offsets_[v]);
  }
  // Calls visit(vertex, place) for the places of all these vertices, which are fetched ahead.
  template <class Visit>
  void for_each_of(std::span<const std::uint32_t> vertices, Visit visit) const {
    constexpr std::size_t ahead = 12;
    const auto soon = [&](std::size_t k) { return vertices[std::min(k, vertices.size() - 1)]; };
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      __builtin_prefetch(&offsets_[soon(k + 2 * ahead)]);
      __builtin_prefetch(places_.data() + offsets_[soon(k + ahead)]);
      for (const place& there : of(vertices[k])) visit(vertices[k], there);
    }
  }
  // For prefetches.
  const std::uint64_t* offsets() const { return offsets_.data(); }
  const place* data() const { return places_.data(); }

 private:
  std::vector<std::uint64_t> offsets_;  // of own vertex v: offsets_[v] .. offsets_[v + 1] - 1
  std::vector<place> places_;
  std::vector<std::uint64_t> any_;
};

// [task; suspends; collective over the locale] Requires several locales. The first call computes the places,
// which stay with the graph.
std::shared_ptr<const mirror_places> find_mirror_places(const graph::locale_graph& g);

}  // namespace orujo::internal::exchange
