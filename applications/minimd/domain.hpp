// One locale's part of the box, which its cores share. It has atoms, images of those around it, and lists of
// neighbours.
//
// The lists are full: each pair is in the lists of both atoms, so every force is written by one core alone. A
// list has its neighbours in the order of the cells, and those of a cell in the order of their numbers, at
// any owner. A force is therefore summed in the same order, and equal to the bit, on any number of locales
// and cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "applications/minimd/cell_grid.hpp"
#include "applications/minimd/exact_sum.hpp"
#include "applications/minimd/model.hpp"
#include "system/loops/schedule.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::minimd {

template <class T>
using growing = std::vector<T, memory::allocator_with_room<T>>;

// Everything that moves with an atom to another locale.
struct atom {
  std::uint64_t number;
  vec3 x, v;
};

// Sums over atoms; each pair counts half at each of its atoms.
struct energies {
  exact_sum kinetic, potential;
  exact_sum virial;  // of r * force
  exact_sum pairs;   // within the cutoff
  void operator+=(const energies& other) {
    kinetic += other.kinetic;
    potential += other.potential;
    virial += other.virial;
    pairs += other.pairs;
  }
};

// The policy of usersched and usersched_profiled. An atom's work is its number of neighbours. Chunks have
// about the same work, or a fixed number of atoms.
struct neighbour_counts {
  std::shared_ptr<const growing<std::uint64_t>> before;  // by atom, one more: neighbours of all atoms before
  std::size_t atoms = 0;                                 // in a chunk, or 0 for about this work:
  std::uint64_t work = 1;

  loops::inspected inspect(std::size_t first, std::size_t last) const;
};

class domain {
 public:
  // Makes the schedule of the loop over the forces, once its lists are known; on one core.
  using make_schedule = std::function<loops::schedule(std::size_t atoms, neighbour_counts counts)>;

  // [task, one core of the locale] Creates the domain of this locale.
  domain(const model& m, int cores, make_schedule schedule);

  // Members below are [task; suspends; collective over the job] unless they say otherwise. Each core of the
  // locale does its share. When a member returns, all cores have finished.

  // Makes the atoms with their velocities, and the lists.
  void start();

  // The two halves of a step (Swope et al., Journal of Chemical Physics 76, 1982). The first advances
  // velocities by half a step, and positions by a step. The second advances velocities by the other half,
  // with the new forces. Not collective, because no core touches another core's atoms.
  void move_atoms();
  void finish_velocities();
  // The farthest move of any atom of the job since the lists were made.
  double farthest_move();

  // Sends the images the positions of their atoms.
  void exchange_positions();
  // Moves each atom to the locale that owns its position, and makes new lists. Returns false if a position is
  // not a number.
  bool rebuild();
  // Runs the loop by the schedule. With energies, adds those of the calling core's share, except the kinetic
  // one.
  void compute_forces();
  void compute_forces(energies& mine);
  // [any task] Adds the kinetic energy of the calling core's atoms.
  void add_kinetic(energies& mine) const;

  std::size_t atoms() const { return number_.size(); }
  std::size_t images() const { return x_.size() - number_.size(); }
  std::uint64_t neighbours() const { return counts_ ? counts_->back() : 0; }
  // The neighbours of the atoms that each of the locale's cores begins with in the loop over the forces. Call
  // it after the loop. It is empty if free cores take chunks.
  std::vector<double> dealt_neighbours() const;
  // Values of atom k of this locale.
  std::uint64_t number(std::size_t k) const { return number_[k]; }
  const vec3& position(std::size_t k) const { return x_[k]; }
  const vec3& velocity(std::size_t k) const { return v_[k]; }
  const vec3& force(std::size_t k) const { return f_[k]; }
  // The calling core's processor time in the loop over the forces, since the last call, in seconds.
  double take_force_seconds();

 private:
  struct range {
    std::uint32_t first = 0, count = 0;
  };
  struct list {
    const std::uint32_t* first = nullptr;
    std::uint32_t count = 0;
  };
  // Images of a locale's cells, here. They are contiguous in memory.
  struct ghosts_of_owner {
    int owner;
    std::vector<ghost_cell> cells;
    std::uint32_t first = 0, count = 0;  // atoms
  };
  // Cells of this locale that have images at another one.
  struct images_elsewhere {
    int locale;
    std::vector<ghost_cell> cells;
    std::vector<std::uint32_t> firsts;  // by cell, one more: in `outgoing`
    growing<vec3> outgoing;
  };
  struct alignas(64) per_core {
    growing<std::uint32_t> neighbours;
    growing<double> x, y, z;  // candidates of a cell
    growing<std::uint32_t> candidates;
    double force_seconds = 0;
    bool lost = false;
  };

  void draw_velocities();
  bool sort_into_cells();
  void send_leavers();
  void place_atoms_in_cells();
  void lay_out_ghosts();
  void exchange_counts();
  void make_lists();
  void list_of_cell(std::size_t own_cell, per_core& mine);
  void gather_candidates(const int3& cell, per_core& mine) const;
  void make_loop();
  template <bool WithEnergies>
  void force_loop(energies* mine);
  index_range my_atoms() const;
  per_core& mine();

  const model model_;
  const cell_grid grid_;
  const block block_;
  const make_schedule make_schedule_;

  std::vector<ghosts_of_owner> ghosts_;
  std::vector<images_elsewhere> images_;
  std::vector<std::uint32_t> own_cells_;  // numbers, ascending
  std::vector<int3> coordinates_;         // of own cells
  growing<range> cells_;                  // by number, ghosts too: where the atoms are

  // By atom of this locale, in the order of the cells; x_ also has the images.
  growing<std::uint64_t> number_;
  growing<vec3> x_, v_, f_, x_of_lists_;
  growing<list> lists_;
  growing<std::uint32_t> cell_, order_;  // while atoms are sorted; by atom
  growing<atom> sorted_;
  std::shared_ptr<growing<std::uint64_t>> counts_;
  by_core<per_core> cores_;
  std::unique_ptr<loops::shared_loop> loop_;
};

}  // namespace orujo::internal::minimd
