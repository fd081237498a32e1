// A run: steps, rebuilding of lists in between, times of the phases.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "applications/minimd/domain.hpp"

namespace orujo::internal::minimd {

struct run_options {
  int steps = 100;
  int rebuild_every = 20;
  // Rebuilds also as soon as an atom has moved by half the skin, so that no list lacks a pair.
  bool rebuild_when_moved = true;
  int thermo_every = 0;  // 0: at the first and the last step only
};

// The state after a step, all in reduced units; energies per atom.
struct thermo {
  int step = 0;
  double temperature = 0, potential = 0, total = 0, pressure = 0;
  // The total with a potential that is 0 at the cutoff, which such forces conserve.
  double kept = 0;
  double pairs = 0;  // within the cutoff
};

enum class phase { force, neighbours, communication, other };
inline constexpr std::array<const char*, 4> phase_names = {"force", "neighbours", "communication", "other"};

// The result of a run. It is the same at every core except for the times, which are core 0's.
struct outcome {
  std::vector<thermo> states;  // of the first and the last step and those asked for
  std::array<double, 4> seconds{};
  std::uint64_t rebuilds = 0;
  double farthest_move = 0;                  // between two rebuilds
  std::uint64_t neighbours = 0, images = 0;  // of all atoms, with the last lists
  std::vector<double> force_seconds;         // processor time in the loop over the forces, by core
  // Neighbours of the atoms that each core begins with, of the last lists; empty if free cores take chunks.
  std::vector<double> dealt;
  bool lost = false;  // some energy or position is not a number

  double all_seconds() const;
};

// [task; suspends; collective over the job] Runs a domain that has been started. tell(state) is called at
// core 0.
outcome run(domain& d, const model& m, const run_options& options,
            const std::function<void(const thermo&)>& tell);

}  // namespace orujo::internal::minimd
