// The division of the box into cells, and of these into blocks of the locales. Nothing here communicates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "applications/minimd/model.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::minimd {

// The reach of an atom's neighbours, in cells. A cell has at least half the lists' reach.
inline constexpr int cells_of_reach = 2;

// A locale's cells, and around them the ghost cells that its atoms reach. Cells have the coordinates of the
// box. Those of ghosts, images of atoms at other locales or at the box's other end, also lie outside of it.
struct block {
  std::array<index_range, 3> own;

  bool empty() const;
  // Extent and number of own cells and ghosts.
  int3 extent() const;
  std::size_t cells() const;
  // The index of the cell among these. Its coordinates may lie outside of the box.
  std::size_t number_of(const int3& cell) const;
};

// A cell of a block that is the image of another cell.
struct ghost_cell {
  int owner;                    // the locale that has the cell
  std::size_t number;           // of the ghost in the block
  std::size_t number_at_owner;  // of the cell in its owner's block
  vec3 shift;                   // from the cell to the ghost
};

class cell_grid {
 public:
  // The box has at least twice the lists' reach in every direction.
  cell_grid(const model& m, int locales);

  const vec3& box() const { return box_; }
  const int3& cells() const { return cells_; }
  const int3& locales() const { return locales_; }

  // [any thread] x within the box: 0 <= x < box().
  int3 cell_of(const vec3& x) const;
  int owner_of(const int3& cell) const;
  // With more locales than cells some blocks are empty.
  block block_of(int locale) const;
  // In the order of their numbers.
  std::vector<ghost_cell> ghosts_of(int locale) const;

 private:
  vec3 box_;
  int3 cells_, locales_;
  vec3 cells_per_length_;
  std::array<std::vector<int>, 3> place_of_cell_;  // by dimension: the locales' coordinate
};

// The grid of `locales` locales with the smallest surface of a block.
int3 locale_grid(const int3& cells, int locales);

}  // namespace orujo::internal::minimd
