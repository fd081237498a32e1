// Graphs in which some vertices have very many edges, of which sums of floating-point numbers are easily
// wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/framework/test_graphs.hpp"

namespace orujo::internal::test_graphs {

inline constexpr std::uint64_t hub_edges = sanitized ? 3000 : 20'000;

//   1, 2, ... -> 0
inline test_graph star(std::uint64_t leaves) {
  test_graph made{"star of " + std::to_string(leaves), {}, {}};
  for (std::uint64_t v = 1; v <= leaves; ++v) made.list.edges.push_back({v, 0});
  return made;
}

//   leaves -> middle vertices 1, 2, ... -> 0
inline test_graph star_of_stars(std::uint64_t stars, std::uint64_t leaves) {
  test_graph made{std::to_string(stars) + " stars of " + std::to_string(leaves), {}, {}};
  std::uint64_t leaf = stars + 1;
  for (std::uint64_t middle = 1; middle <= stars; ++middle) {
    made.list.edges.push_back({middle, 0});
    for (std::uint64_t k = 0; k < leaves; ++k) made.list.edges.push_back({leaf++, middle});
  }
  return made;
}

inline std::vector<test_graph> hubs() {
  // Two hubs beside each other and random edges: chunks end within one, and begin within the other.
  test_graph among_others{"hubs among others", random_edges(8, 2000, 3000, false), {}};
  for (std::uint64_t v = 0; v < hub_edges; ++v) {
    among_others.list.edges.push_back({v, 700});
    among_others.list.edges.push_back({v, 701});
  }
  return {star(hub_edges), star_of_stars(20, hub_edges / 20), star_of_stars(hub_edges / 33, 32),
          among_others};
}

}  // namespace orujo::internal::test_graphs
