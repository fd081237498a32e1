#include "applications/minimd/cell_grid.hpp"

#include <algorithm>
#include <cmath>

namespace orujo::internal::minimd {
namespace {

index_range part(int whole, int k, int parts) {
  return part_of({0, static_cast<std::size_t>(whole)}, k, parts);
}

// The locale's coordinates in the grid of locales.
int3 place_of(int locale, const int3& locales) {
  return {locale % locales[0], locale / locales[0] % locales[1], locale / locales[0] / locales[1]};
}

}  // namespace

bool block::empty() const {
  return std::any_of(own.begin(), own.end(), [](const index_range& r) { return r.size() == 0; });
}

int3 block::extent() const {
  if (empty()) return {0, 0, 0};
  int3 n;
  for (std::size_t d = 0; d < 3; ++d) n[d] = static_cast<int>(own[d].size()) + 2 * cells_of_reach;
  return n;
}

std::size_t block::cells() const {
  const int3 n = extent();
  return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

std::size_t block::number_of(const int3& cell) const {
  const int3 n = extent();
  std::size_t number = 0;
  for (std::size_t d = 3; d-- > 0;) {
    const int at = cell[d] - static_cast<int>(own[d].first) + cells_of_reach;
    number = number * static_cast<std::size_t>(n[d]) + static_cast<std::size_t>(at);
  }
  return number;
}

int3 locale_grid(const int3& cells, int locales) {
  int3 best{1, 1, locales};
  double least = -1;
  for (int x = 1; x <= locales; ++x) {
    for (int y = 1; locales % x == 0 && y <= locales / x; ++y) {
      if (locales / x % y != 0) continue;
      const int3 grid{x, y, locales / x / y};
      vec3 edge;
      for (std::size_t d = 0; d < 3; ++d) edge[d] = std::ceil(static_cast<double>(cells[d]) / grid[d]);
      const double surface = edge[0] * edge[1] + edge[1] * edge[2] + edge[2] * edge[0];
      if (least >= 0 && surface >= least) continue;
      least = surface;
      best = grid;
    }
  }
  return best;
}

cell_grid::cell_grid(const model& m, int locales) : box_(m.box()) {
  for (std::size_t d = 0; d < 3; ++d) {
    cells_[d] = std::max(1, static_cast<int>(box_[d] * cells_of_reach / m.reach()));
    cells_per_length_[d] = cells_[d] / box_[d];
  }
  locales_ = locale_grid(cells_, locales);
  for (std::size_t d = 0; d < 3; ++d) {
    for (int k = 0; k < locales_[d]; ++k) place_of_cell_[d].resize(part(cells_[d], k, locales_[d]).last, k);
  }
}

int3 cell_grid::cell_of(const vec3& x) const {
  int3 cell;
  for (std::size_t d = 0; d < 3; ++d)
    cell[d] = std::min(static_cast<int>(x[d] * cells_per_length_[d]), cells_[d] - 1);
  return cell;
}

int cell_grid::owner_of(const int3& cell) const {
  int owner = 0;
  for (std::size_t d = 3; d-- > 0;)
    owner = owner * locales_[d] + place_of_cell_[d][static_cast<std::size_t>(cell[d])];
  return owner;
}

block cell_grid::block_of(int locale) const {
  const int3 at = place_of(locale, locales_);
  block b;
  for (std::size_t d = 0; d < 3; ++d) b.own[d] = part(cells_[d], at[d], locales_[d]);
  return b;
}

std::vector<ghost_cell> cell_grid::ghosts_of(int locale) const {
  const block b = block_of(locale);
  const int3 n = b.extent();
  std::vector<ghost_cell> ghosts;
  int3 at;
  for (at[2] = 0; at[2] < n[2]; ++at[2]) {
    for (at[1] = 0; at[1] < n[1]; ++at[1]) {
      for (at[0] = 0; at[0] < n[0]; ++at[0]) {
        int3 cell;
        vec3 shift{0, 0, 0};
        bool own = true;
        for (std::size_t d = 0; d < 3; ++d) {
          cell[d] = at[d] + static_cast<int>(b.own[d].first) - cells_of_reach;
          own = own && at[d] >= cells_of_reach && at[d] < n[d] - cells_of_reach;
        }
        if (own) continue;
        const std::size_t number = b.number_of(cell);
        for (std::size_t d = 0; d < 3; ++d) {
          if (cell[d] < 0) cell[d] += cells_[d], shift[d] = -box_[d];
          if (cell[d] >= cells_[d]) cell[d] -= cells_[d], shift[d] = box_[d];
        }
        const int owner = owner_of(cell);
        ghosts.push_back({owner, number, block_of(owner).number_of(cell), shift});
      }
    }
  }
  return ghosts;
}

}  // namespace orujo::internal::minimd
