// The simulated system: atoms that attract and repel each other by the Lennard-Jones potential, in a periodic
// box. Units are reduced: mass, energy and length of the potential are 1.
//
// It follows Mantevo's miniMD (Heroux et al., "Improving Performance via Mini-applications", Sandia report
// SAND2009-5574, 2009), in its standard problem: a face-centred cubic crystal that melts.
#pragma once

#include <array>
#include <cstdint>

namespace orujo::internal::minimd {

using vec3 = std::array<double, 3>;
using int3 = std::array<int, 3>;

struct model {
  int3 size{10, 10, 10};  // unit cells of 4 atoms
  double density = 0.8442;
  double temperature = 1.44;  // at the start
  double cutoff = 2.5;        // atoms further apart exert no force
  double skin = 0.3;          // additional reach of the lists of neighbours
  double dt = 0.005;
  std::uint64_t seed = 1;  // of the velocities

  std::uint64_t atoms() const {
    return 4 * static_cast<std::uint64_t>(size[0]) * static_cast<std::uint64_t>(size[1]) *
           static_cast<std::uint64_t>(size[2]);
  }
  double unit_cell() const;  // its edge
  vec3 box() const;          // its edges; a corner is at 0
  double reach() const { return cutoff + skin; }
};

// The potential of two atoms, by their squared distance.
inline double potential(double r2) {
  const double s2 = 1 / r2, s6 = s2 * s2 * s2;
  return 4 * s6 * (s6 - 1);
}

// The position of atom 0 .. atoms() - 1 at the start, within the box.
vec3 lattice_position(const model& m, std::uint64_t atom);

// The sampled velocity of the atom, each component uniform between -0.5 and 0.5. Afterwards all are shifted
// to a momentum of 0 and scaled to the temperature.
vec3 drawn_velocity(const model& m, std::uint64_t atom);

}  // namespace orujo::internal::minimd
