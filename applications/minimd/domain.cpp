#include "applications/minimd/domain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::minimd {
namespace {

constexpr std::uint32_t elsewhere = ~std::uint32_t{0};

double squared(const vec3& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }
vec3 difference(const vec3& a, const vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
vec3 sum(const vec3& a, const vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// The position in a periodic box, 0 <= place < edge; NaN stays NaN.
double wrapped(double place, double edge) {
  place -= std::floor(place / edge) * edge;
  return place >= edge || place < 0 ? 0 : place;  // only rounding
}

void wait_for_locale() { collectives::barrier(collectives::group::locale); }

}  // namespace

domain::domain(const model& m, int cores, make_schedule schedule)
    : model_(m),
      grid_(m, locales()),
      block_(grid_.block_of(my_locale())),
      make_schedule_(std::move(schedule)),
      counts_(std::make_shared<growing<std::uint64_t>>()),
      cores_(cores) {
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

domain::per_core& domain::mine() { return cores_[my_core_of_locale()]; }

index_range domain::my_atoms() const { return my_part_of_locale({0, number_.size()}); }

void domain::start() {
  const index_range all = part_of({0, model_.atoms()}, my_locale(), locales());
  if (leads_locale()) {
    number_.resize(all.size());
    x_.resize(all.size());
    v_.resize(all.size());
  }
  wait_for_locale();
  const index_range mine = my_atoms();
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
  const index_range mine = my_atoms();
  const auto n = static_cast<double>(model_.atoms());
  for (std::size_t d = 0; d < 3; ++d) {
    exact_sum momentum;
    for (std::size_t k = mine.first; k < mine.last; ++k) momentum.add(v_[k][d]);
    const double mean = collectives::all_reduce(momentum, add).value() / n;
    for (std::size_t k = mine.first; k < mine.last; ++k) v_[k][d] -= mean;
  }
  exact_sum twice_kinetic;
  for (std::size_t k = mine.first; k < mine.last; ++k) twice_kinetic.add(squared(v_[k]));
  const double now = collectives::all_reduce(twice_kinetic, add).value() / (3 * n - 3);
  const double scale = std::sqrt(model_.temperature / now);
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (double& component : v_[k]) component *= scale;
  }
}

void domain::move_atoms() {
  const index_range mine = my_atoms();
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (std::size_t d = 0; d < 3; ++d) {
      v_[k][d] += 0.5 * model_.dt * f_[k][d];
      x_[k][d] += model_.dt * v_[k][d];
    }
  }
}

void domain::finish_velocities() {
  const index_range mine = my_atoms();
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    for (std::size_t d = 0; d < 3; ++d) v_[k][d] += 0.5 * model_.dt * f_[k][d];
  }
}

double domain::farthest_move() {
  const index_range mine = my_atoms();
  double farthest = 0;
  for (std::size_t k = mine.first; k < mine.last; ++k)
    farthest = std::max(farthest, squared(difference(x_[k], x_of_lists_[k])));
  return std::sqrt(collectives::all_reduce(farthest, [](double a, double b) { return std::max(a, b); }));
}

// Images of own cells are copied. The owners of the others send their positions, as pieces in the same order
// as here.
void domain::exchange_positions() {
  const auto copy = [&](const ghost_cell& g, vec3* to) {
    const range& from = cells_[g.number_at_owner];
    for (std::uint32_t k = 0; k < from.count; ++k) to[k] = sum(x_[from.first + k], g.shift);
  };
  for (const ghosts_of_owner& own : ghosts_) {
    if (own.owner != my_locale()) continue;
    const index_range mine = my_part_of_locale({0, own.cells.size()});
    for (std::size_t c = mine.first; c < mine.last; ++c)
      copy(own.cells[c], x_.data() + cells_[own.cells[c].number].first);
  }
  for (images_elsewhere& images : images_) {
    const index_range mine = my_part_of_locale({0, images.cells.size()});
    for (std::size_t c = mine.first; c < mine.last; ++c)
      copy(images.cells[c], images.outgoing.data() + images.firsts[c]);
  }
  wait_for_locale();
  if (locales() == 1) return;
  if (leads_locale()) {
    by_locale<std::uint32_t> first_from(locales());
    for (const ghosts_of_owner& g : ghosts_) first_from[g.owner] = g.first;
    collectives::exchange transfers(
        collectives::members(collectives::group::leaders), locales(),
        [&](int from, std::size_t) { return reinterpret_cast<std::byte*>(x_.data() + first_from[from]); });
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

// Finds the cell of each atom; returns false if a position is not a number.
bool domain::sort_into_cells() {
  if (leads_locale()) {
    cell_.resize(number_.size());
    x_.resize(number_.size());
  }
  wait_for_locale();
  const index_range mine = my_atoms();
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
  const int wrong = collectives::all_reduce(finite ? 0 : 1);
  if (wrong > 0) return false;
  if (leads_locale()) {
    send_leavers();
    place_atoms_in_cells();
  }
  wait_for_locale();
  // Sorts the atoms of a cell, and moves their data.
  const index_range cells = my_part_of_locale({0, own_cells_.size()});
  for (std::size_t c = cells.first; c < cells.last; ++c) {
    const range& r = cells_[own_cells_[c]];
    const auto first = order_.begin() + r.first;
    std::sort(first, first + r.count,
              [&](std::uint32_t a, std::uint32_t b) { return number_[a] < number_[b]; });
    for (std::uint32_t k = r.first; k < r.first + r.count; ++k)
      sorted_[k] = {number_[order_[k]], x_[order_[k]], v_[order_[k]]};
  }
  wait_for_locale();
  const index_range sorted = my_atoms();
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
  const std::vector<atom> arrived = collectives::exchange_by(leaving, owner_of, collectives::group::leaders);
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

// Counts the atoms, and puts those of a cell beside each other, in any order.
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

// [collective over the leaders] Exchanges the number of atoms of each ghost, and the places of images at
// other locales.
void domain::exchange_counts() {
  by_locale<std::vector<std::uint32_t>> outgoing(locales());
  for (images_elsewhere& images : images_) {
    images.firsts.assign(1, 0);
    for (const ghost_cell& cell : images.cells) {
      const std::uint32_t count = cells_[cell.number_at_owner].count;
      outgoing[images.locale].push_back(count);
      images.firsts.push_back(images.firsts.back() + count);
    }
    images.outgoing.resize(images.firsts.back());
  }
  by_locale<std::vector<std::uint32_t>> counts(locales());
  if (locales() > 1) counts = collectives::all_to_all(outgoing, collectives::group::leaders);
  for (const ghosts_of_owner& g : ghosts_) {
    const std::vector<std::uint32_t>& told = counts[g.owner];
    for (std::size_t c = 0; c < g.cells.size(); ++c) {
      cells_[g.cells[c].number].count =
          g.owner == my_locale() ? cells_[g.cells[c].number_at_owner].count : told[c];
    }
  }
}

void domain::add_kinetic(energies& mine) const {
  const index_range atoms = my_atoms();
  for (std::size_t k = atoms.first; k < atoms.last; ++k) mine.kinetic.add(0.5 * squared(v_[k]));
}

}  // namespace orujo::internal::minimd
