#include "applications/minimd/domain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "applications/harness/balance.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/exchange.hpp"
#include "system/loops/exchange_by.hpp"

namespace orujo::minimd {
namespace {

constexpr std::uint32_t elsewhere = ~std::uint32_t{0};

double squared(const vec3& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }
vec3 difference(const vec3& a, const vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
vec3 sum(const vec3& a, const vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// The place in a box that repeats itself, 0 <= place < edge; no number stays none.
double wrapped(double place, double edge) {
  place -= std::floor(place / edge) * edge;
  return place >= edge || place < 0 ? 0 : place;  // only rounding
}

void wait_for_locale() { loops::barrier(loops::group::locale); }

}  // namespace

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

domain::domain(const model& m, int cores, make_schedule schedule)
    : model_(m),
      grid_(m, locales()),
      block_(grid_.block_of(my_locale())),
      make_schedule_(std::move(schedule)),
      counts_(std::make_shared<growing<std::uint64_t>>()),
      cores_(static_cast<std::size_t>(cores)) {
  std::map<int, std::vector<ghost_cell>> by_owner;
  for (const ghost_cell& g : grid_.ghosts_of(my_locale())) by_owner[g.owner].push_back(g);
  for (auto& [owner, cells] : by_owner) ghosts_.push_back({owner, std::move(cells)});
  for (int l = 0; l < locales(); ++l) {
    if (l == my_locale()) continue;
    images_elsewhere images{l, {}, {}, {}};
    for (const ghost_cell& g : grid_.ghosts_of(l)) {
      if (g.owner == my_locale()) images.cells.push_back(g);
    }
    if (!images.cells.empty()) images_.push_back(std::move(images));
  }
  cells_.resize(block_.cells());
  int3 at;
  const auto edge = [&](std::size_t d) { return static_cast<int>(block_.own[d].last); };
  const auto begin = [&](std::size_t d) { return static_cast<int>(block_.own[d].first); };
  if (block_.empty()) return;
  for (at[2] = begin(2); at[2] < edge(2); ++at[2]) {
    for (at[1] = begin(1); at[1] < edge(1); ++at[1]) {
      for (at[0] = begin(0); at[0] < edge(0); ++at[0]) {
        own_cells_.push_back(static_cast<std::uint32_t>(block_.number_of(at)));
        coordinates_.push_back(at);
      }
    }
  }
}

domain::per_core& domain::mine() { return cores_[static_cast<std::size_t>(my_core_of_locale())]; }

loops::index_range domain::my_atoms() const { return loops::my_part_of_locale({0, number_.size()}); }

void domain::start() {
  const loops::index_range all = loops::part_of({0, model_.atoms()}, static_cast<std::size_t>(my_locale()),
                                                static_cast<std::size_t>(locales()));
  if (leads_locale()) {
    number_.resize(all.size());
    x_.resize(all.size());
    v_.resize(all.size());
  }
  wait_for_locale();
  const loops::index_range mine = my_atoms();
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    number_[k] = all.first + k;
    x_[k] = lattice_position(model_, number_[k]);
    v_[k] = drawn_velocity(model_, number_[k]);
  }
  draw_velocities();
  wait_for_locale();
  rebuild();
}

void domain::draw_velocities() {
  const auto add = [](auto a, const auto& b) {
    a += b;
    return a;
  };
  const loops::index_range mine = my_atoms();
  const auto n = static_cast<double>(model_.atoms());
  for (std::size_t d = 0; d < 3; ++d) {
    exact_sum momentum;
    for (std::size_t k = mine.first; k < mine.last; ++k) momentum.add(v_[k][d]);
    const double mean = loops::all_reduce(momentum, add).value() / n;
    for (std::size_t k = mine.first; k < mine.last; ++k) v_[k][d] -= mean;
  }
  exact_sum twice_kinetic;
  for (std::size_t k = mine.first; k < mine.last; ++k) twice_kinetic.add(squared(v_[k]));
  const double now = loops::all_reduce(twice_kinetic, add).value() / (3 * n - 3);
  const double scale = std::sqrt(model_.temperature / now);
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (double& component : v_[k]) component *= scale;
  }
}

void domain::move_atoms() {
  const loops::index_range mine = my_atoms();
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (std::size_t d = 0; d < 3; ++d) {
      v_[k][d] += 0.5 * model_.dt * f_[k][d];
      x_[k][d] += model_.dt * v_[k][d];
    }
  }
}

void domain::finish_velocities() {
  const loops::index_range mine = my_atoms();
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (std::size_t d = 0; d < 3; ++d) v_[k][d] += 0.5 * model_.dt * f_[k][d];
  }
}

double domain::farthest_move() {
  const loops::index_range mine = my_atoms();
  double farthest = 0;
  for (std::size_t k = mine.first; k < mine.last; ++k)
    farthest = std::max(farthest, squared(difference(x_[k], x_of_lists_[k])));
  return std::sqrt(loops::all_reduce(farthest, [](double a, double b) { return std::max(a, b); }));
}

// Images of own cells are copied; of others their owners tell, in pieces that lie here as they do there.
void domain::exchange_positions() {
  const auto copy = [&](const ghost_cell& g, vec3* to) {
    const range& from = cells_[g.number_at_owner];
    for (std::uint32_t k = 0; k < from.count; ++k) to[k] = sum(x_[from.first + k], g.shift);
  };
  for (const ghosts_of_owner& own : ghosts_) {
    if (own.owner != my_locale()) continue;
    const loops::index_range mine = loops::my_part_of_locale({0, own.cells.size()});
    for (std::size_t c = mine.first; c < mine.last; ++c)
      copy(own.cells[c], x_.data() + cells_[own.cells[c].number].first);
  }
  for (images_elsewhere& images : images_) {
    const loops::index_range mine = loops::my_part_of_locale({0, images.cells.size()});
    for (std::size_t c = mine.first; c < mine.last; ++c)
      copy(images.cells[c], images.outgoing.data() + images.firsts[c]);
  }
  wait_for_locale();
  if (locales() == 1) return;
  if (leads_locale()) {
    std::vector<std::uint32_t> first_from(static_cast<std::size_t>(locales()));
    for (const ghosts_of_owner& g : ghosts_) first_from[static_cast<std::size_t>(g.owner)] = g.first;
    loops::exchange transfers(loops::members(loops::group::leaders), locales(), [&](int from, std::size_t) {
      return reinterpret_cast<std::byte*>(x_.data() + first_from[static_cast<std::size_t>(from)]);
    });
    for (const images_elsewhere& images : images_) {
      if (!images.outgoing.empty())
        transfers.send(images.locale, my_locale(), std::as_bytes(std::span(images.outgoing)));
    }
    for (const ghosts_of_owner& g : ghosts_) {
      if (g.owner != my_locale() && g.count > 0) transfers.await(g.owner, g.owner + 1);
    }
  }
  wait_for_locale();
}

bool domain::rebuild() {
  if (!sort_into_cells()) return false;
  lay_out_ghosts();
  exchange_positions();
  make_lists();
  make_loop();
  return true;
}

// Where each atom belongs; false where that cannot be told.
bool domain::sort_into_cells() {
  if (leads_locale()) {
    cell_.resize(number_.size());
    x_.resize(number_.size());
  }
  wait_for_locale();
  const loops::index_range mine = my_atoms();
  bool finite = true;
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (std::size_t d = 0; d < 3; ++d) {
      finite = finite && std::isfinite(x_[k][d]);
      x_[k][d] = std::isfinite(x_[k][d]) ? wrapped(x_[k][d], grid_.box()[d]) : 0;
    }
    const int3 cell = grid_.cell_of(x_[k]);
    cell_[k] =
        grid_.owner_of(cell) == my_locale() ? static_cast<std::uint32_t>(block_.number_of(cell)) : elsewhere;
  }
  const int wrong = loops::all_reduce(finite ? 0 : 1);
  if (wrong > 0) return false;
  if (leads_locale()) {
    send_leavers();
    place_atoms_in_cells();
  }
  wait_for_locale();
  // The order within a cell, and all that belongs to an atom in it.
  const loops::index_range cells = loops::my_part_of_locale({0, own_cells_.size()});
  for (std::size_t c = cells.first; c < cells.last; ++c) {
    const range& r = cells_[own_cells_[c]];
    const auto first = order_.begin() + r.first;
    std::sort(first, first + r.count,
              [&](std::uint32_t a, std::uint32_t b) { return number_[a] < number_[b]; });
    for (std::uint32_t k = r.first; k < r.first + r.count; ++k)
      sorted_[k] = {number_[order_[k]], x_[order_[k]], v_[order_[k]]};
  }
  wait_for_locale();
  const loops::index_range sorted = my_atoms();
  for (std::size_t k = sorted.first; k < sorted.last; ++k) {
    number_[k] = sorted_[k].number;
    x_[k] = x_of_lists_[k] = sorted_[k].x;
    v_[k] = sorted_[k].v;
  }
  wait_for_locale();
  return true;
}

// [collective over the leaders]
void domain::send_leavers() {
  if (locales() == 1) return;
  std::vector<atom> leaving;
  std::size_t stays = 0;
  for (std::size_t k = 0; k < number_.size(); ++k) {
    if (cell_[k] == elsewhere) {
      leaving.push_back({number_[k], x_[k], v_[k]});
      continue;
    }
    number_[stays] = number_[k];
    x_[stays] = x_[k];
    v_[stays] = v_[k];
    cell_[stays++] = cell_[k];
  }
  const auto owner_of = [&](const atom& a) {
    return shape().first_core_of(grid_.owner_of(grid_.cell_of(a.x)));
  };
  const std::vector<atom> arrived = loops::exchange_by(leaving, owner_of, loops::group::leaders);
  const std::size_t all = stays + arrived.size();
  number_.resize(all);
  x_.resize(all);
  v_.resize(all);
  cell_.resize(all);
  for (const atom& a : arrived) {
    number_[stays] = a.number;
    x_[stays] = a.x;
    v_[stays] = a.v;
    cell_[stays++] = static_cast<std::uint32_t>(block_.number_of(grid_.cell_of(a.x)));
  }
}

// Counts, and puts the atoms of a cell beside each other, in any order.
void domain::place_atoms_in_cells() {
  const std::size_t n = number_.size();
  std::fill(cells_.begin(), cells_.end(), range());
  for (const std::uint32_t c : cell_) ++cells_[c].count;
  std::uint32_t first = 0;
  for (const std::uint32_t c : own_cells_) {
    cells_[c].first = first;
    first += std::exchange(cells_[c].count, 0);
  }
  order_.resize(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    range& r = cells_[cell_[k]];
    order_[r.first + r.count++] = k;
  }
  sorted_.resize(n);
  x_of_lists_.resize(n);
  f_.resize(n);
  lists_.resize(n);
}

void domain::lay_out_ghosts() {
  if (leads_locale()) {
    exchange_counts();
    auto first = static_cast<std::uint32_t>(number_.size());
    for (ghosts_of_owner& g : ghosts_) {
      g.first = first;
      for (const ghost_cell& cell : g.cells) {
        cells_[cell.number].first = first;
        first += cells_[cell.number].count;
      }
      g.count = first - g.first;
    }
    x_.resize(first);
  }
  wait_for_locale();
}

// [collective over the leaders] How many atoms each ghost has; and where those of the images elsewhere go.
void domain::exchange_counts() {
  std::vector<std::vector<std::uint32_t>> outgoing(static_cast<std::size_t>(locales()));
  for (images_elsewhere& images : images_) {
    images.firsts.assign(1, 0);
    for (const ghost_cell& cell : images.cells) {
      const std::uint32_t count = cells_[cell.number_at_owner].count;
      outgoing[static_cast<std::size_t>(images.locale)].push_back(count);
      images.firsts.push_back(images.firsts.back() + count);
    }
    images.outgoing.resize(images.firsts.back());
  }
  std::vector<std::vector<std::uint32_t>> counts(outgoing.size());
  if (locales() > 1) counts = loops::all_to_all(outgoing, loops::group::leaders);
  for (const ghosts_of_owner& g : ghosts_) {
    const std::vector<std::uint32_t>& told = counts[static_cast<std::size_t>(g.owner)];
    for (std::size_t c = 0; c < g.cells.size(); ++c) {
      cells_[g.cells[c].number].count =
          g.owner == my_locale() ? cells_[g.cells[c].number_at_owner].count : told[c];
    }
  }
}

// All atoms of the cell and of those around it, in the lists' order.
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

// Leaves where the lists begin as a count: their memory still moves.
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
  const loops::index_range cells = loops::my_part_of_locale({0, own_cells_.size()});
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
  wait_for_locale();
}

void domain::make_loop() {
  if (leads_locale()) {
    const std::size_t n = number_.size();
    // The schedule of the lists before may still name their counts.
    counts_ = std::make_shared<growing<std::uint64_t>>(n + 1);
    for (std::size_t i = 0; i < n; ++i) (*counts_)[i + 1] = (*counts_)[i] + lists_[i].count;
    loop_ = std::make_unique<loops::shared_loop>(loops::index_range{0, n}, my_locales_cores(),
                                                 make_schedule_(n, {counts_}));
  }
  wait_for_locale();
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
      // Without a branch, which is predicted wrongly for many pairs: 1.4 times as fast.
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
  wait_for_locale();
}

void domain::compute_forces() { force_loop<false>(nullptr); }
void domain::compute_forces(energies& mine) { force_loop<true>(&mine); }

void domain::add_kinetic(energies& mine) const {
  const loops::index_range atoms = my_atoms();
  for (std::size_t k = atoms.first; k < atoms.last; ++k) mine.kinetic.add(0.5 * squared(v_[k]));
}

std::vector<double> domain::dealt_neighbours() const {
  return harness::dealt_loads(*loop_, [this](std::size_t i) { return (*counts_)[i]; });
}

double domain::take_force_seconds() { return std::exchange(mine().force_seconds, 0); }

}  // namespace orujo::minimd
