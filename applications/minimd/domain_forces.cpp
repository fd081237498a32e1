// The domain's lists of neighbours, and the loop over the forces.
#include <algorithm>
#include <utility>

#include "applications/harness/balance.hpp"
#include "applications/minimd/domain.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::minimd {

loops::inspected neighbour_counts::inspect(std::size_t first, std::size_t last) const {
  const growing<std::uint64_t>& sums = *before;
  std::size_t end = last;
  if (atoms > 0) {
    end = last - first > atoms ? first + atoms : last;
  } else {
    const auto from = sums.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = sums.begin() + static_cast<std::ptrdiff_t>(last);
    end = static_cast<std::size_t>(std::upper_bound(from + 1, to, *from + work) - sums.begin());
  }
  // An atom without neighbours is some work, too.
  return {end, static_cast<double>(sums[end] - sums[first] + (end - first))};
}
// Gathers all atoms of the cell and of those around it, in the lists' order.
void domain::gather_candidates(const int3& cell, per_core& to) const {
  to.x.clear();
  to.y.clear();
  to.z.clear();
  to.candidates.clear();
  int3 at;
  constexpr int reach = cells_of_reach;
  for (at[2] = cell[2] - reach; at[2] <= cell[2] + reach; ++at[2]) {
    for (at[1] = cell[1] - reach; at[1] <= cell[1] + reach; ++at[1]) {
      for (at[0] = cell[0] - reach; at[0] <= cell[0] + reach; ++at[0]) {
        const range& r = cells_[block_.number_of(at)];
        for (std::uint32_t j = r.first; j < r.first + r.count; ++j) {
          to.x.push_back(x_[j][0]);
          to.y.push_back(x_[j][1]);
          to.z.push_back(x_[j][2]);
          to.candidates.push_back(j);
        }
      }
    }
  }
}

// Leaves the begins of lists as counts, because their memory still moves.
void domain::list_of_cell(std::size_t own_cell, per_core& to) {
  const range& r = cells_[own_cells_[own_cell]];
  if (r.count == 0) return;
  gather_candidates(coordinates_[own_cell], to);
  const double most = model_.reach() * model_.reach();
  const std::size_t n = to.candidates.size();
  for (std::uint32_t i = r.first; i < r.first + r.count; ++i) {
    const vec3 x = x_[i];
    const std::size_t before = to.neighbours.size();
    to.neighbours.resize(before + n);
    std::uint32_t* const found = to.neighbours.data() + before;
    std::size_t count = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double dx = x[0] - to.x[k], dy = x[1] - to.y[k], dz = x[2] - to.z[k];
      found[count] = to.candidates[k];
      count += dx * dx + dy * dy + dz * dz <= most && to.candidates[k] != i ? 1 : 0;
    }
    to.neighbours.resize(before + count);
    lists_[i].count = static_cast<std::uint32_t>(count);
  }
}

void domain::make_lists() {
  per_core& mine = this->mine();
  mine.neighbours.clear();
  const index_range cells = my_part_of_locale({0, own_cells_.size()});
  for (std::size_t c = cells.first; c < cells.last; ++c) {
    list_of_cell(c, mine);
    if (c % 256 == 0) tasks::yield();
  }
  const std::uint32_t* next = mine.neighbours.data();
  for (std::size_t c = cells.first; c < cells.last; ++c) {
    const range& r = cells_[own_cells_[c]];
    for (std::uint32_t i = r.first; i < r.first + r.count; ++i) {
      lists_[i].first = next;
      next += lists_[i].count;
    }
  }
  collectives::barrier(collectives::group::locale);
}

void domain::make_loop() {
  if (leads_locale()) {
    const std::size_t n = number_.size();
    // The previous lists' schedule may still refer to their counts.
    counts_ = std::make_shared<growing<std::uint64_t>>(n + 1);
    for (std::size_t i = 0; i < n; ++i) (*counts_)[i + 1] = (*counts_)[i] + lists_[i].count;
    loop_ = std::make_unique<loops::shared_loop>(index_range{0, n}, my_locales_cores(),
                                                 make_schedule_(n, {counts_}));
  }
  collectives::barrier(collectives::group::locale);
}

template <bool WithEnergies>
void domain::force_loop(energies* mine) {
  const double most = model_.cutoff * model_.cutoff;
  const vec3* const places = x_.data();
  const double begun = loops::detail::thread_cpu_ns();
  loops::run_share(*loop_, my_core_of_locale(), [&](std::size_t i) {
    const vec3 x = places[i];
    const list neighbours = lists_[i];
    double fx = 0, fy = 0, fz = 0, potential = 0, virial = 0, pairs = 0;
    for (std::uint32_t k = 0; k < neighbours.count; ++k) {
      const vec3& other = places[neighbours.first[k]];
      const double dx = x[0] - other[0], dy = x[1] - other[1], dz = x[2] - other[2];
      const double r2 = dx * dx + dy * dy + dz * dz;
      // A branch would be mispredicted for many pairs; without it the loop is 1.4 times as fast.
      const double within = r2 < most ? 1 : 0;
      const double s2 = 1 / r2, s6 = s2 * s2 * s2;
      const double force = within * (48 * s6 * (s6 - 0.5) * s2);  // over the distance
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
      if constexpr (WithEnergies) {
        potential += within * (4 * s6 * (s6 - 1));
        virial += r2 * force;
        pairs += within;
      }
    }
    f_[i] = {fx, fy, fz};
    if constexpr (WithEnergies) {
      mine->potential.add(0.5 * potential);
      mine->virial.add(0.5 * virial);
      mine->pairs.add(0.5 * pairs);
    }
  });
  this->mine().force_seconds += 1e-9 * (loops::detail::thread_cpu_ns() - begun);
  collectives::barrier(collectives::group::locale);
}

void domain::compute_forces() { force_loop<false>(nullptr); }
void domain::compute_forces(energies& mine) { force_loop<true>(&mine); }

std::vector<double> domain::dealt_neighbours() const {
  return harness::dealt_loads(*loop_, [this](std::size_t i) { return (*counts_)[i]; });
}

double domain::take_force_seconds() { return std::exchange(mine().force_seconds, 0); }

}  // namespace orujo::internal::minimd
