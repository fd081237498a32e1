// The next level of community detection: each part of a level becomes a vertex.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/algorithms/community_level.hpp"
#include "framework/algorithms/community_moves.hpp"

namespace orujo::internal::algorithms {

// Numbers by own vertex, which the cores of a locale share.
using shared_numbers = std::shared_ptr<std::vector<std::uint64_t>>;

struct coarser_level {
  // Null at a core that has no part of it.
  std::shared_ptr<community_level> level;
  shared_numbers start;      // its vertices' communities: those of their members
  shared_numbers number_of;  // by own vertex of the finer level: its part's number in the coarser one
  std::uint64_t vertices = 0;
};

// [task; suspends; collective over the level] Makes a graph of the parts. An edge has the sum of the weights
// between two parts, in single precision. Parts have the order of their numbers, and a part belongs to the
// core that owns the vertex of its number. A level of up to `most_alone` vertices and edges goes to core 0.
//
// Takes 12 bytes per edge of the new level, and 40 per vertex of the old one. Between locales it costs 24
// bytes per edge that a locale finds of other locales' parts, and 16 per part and locale.
coarser_level coarsen(const community_level& level, communities& groups, communities& parts,
                      std::uint64_t most_alone);

// [task; suspends; collective over the finer level] Values of a coarser level's vertices, by own vertex of
// the finer one.
shared_numbers spread(const community_level& finer, const coarser_level& coarser,
                      const shared_numbers& values);

}  // namespace orujo::internal::algorithms
