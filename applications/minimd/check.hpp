// Checks the outcome of a run against the oracle and the laws of conservation.
#pragma once

#include <string>
#include <vector>

#include "applications/minimd/simulation.hpp"

namespace orujo::internal::minimd {

// An atom after the last step.
struct final_atom {
  std::uint64_t number;
  vec3 x, v, f;
};

// Bounds, all in reduced units.
struct bounds {
  double force = 1e-9;  // of a force, relative to the largest one, and of the potential and the virial
  double place = 1e-7;  // of a position after the steps that the oracle follows; differences grow with time
  double momentum = 1e-11;  // per atom
  // Kept energy per atom, at a time step of 0.005 and a temperature of 1.44; grows with the squares of both.
  double energy = 3e-3;
};

struct verdict {
  bool right = false;
  std::string text;  // the compared values, and their errors
};

// Compares forces, potential, virial and the pairs within the cutoff with those of the oracle at the same
// positions. Runs of few pairs and steps are also compared with the positions that the oracle itself reaches.
// The momentum is compared with 0, and the energy with that of the start. All atoms are checked. Costs O(n^2)
// once, or O(n^2 steps).
verdict check(const model& m, const run_options& options, const outcome& o,
              const std::vector<final_atom>& atoms, const bounds& allowed = {});

// A check of this many atoms takes a second or two.
inline constexpr std::uint64_t most_checked_atoms = 100'000;

}  // namespace orujo::internal::minimd
