// The same physics serially: every pair of atoms, at its nearest images, without lists. Shares only the
// model's first positions and sampled velocities with the domains.
#pragma once

#include <cstdint>
#include <vector>

#include "applications/minimd/model.hpp"

namespace orujo::internal::minimd {

class oracle {
 public:
  // Creates the state at the start. The box must have at least twice the cutoff in every direction. O(n^2),
  // as each step.
  explicit oracle(const model& m);
  // Starts at these positions instead, by atom, with velocities of 0.
  oracle(const model& m, std::vector<vec3> positions);

  void step();

  const std::vector<vec3>& positions() const { return x_; }  // not wrapped into the box
  const std::vector<vec3>& forces() const { return f_; }
  double kinetic() const;
  double potential() const { return potential_; }
  double virial() const { return virial_; }
  std::uint64_t pairs() const { return pairs_; }  // within the cutoff

  // From b to a by the shortest way.
  vec3 nearest(const vec3& a, const vec3& b) const;

 private:
  void compute_forces();

  const model model_;
  const vec3 box_;
  std::vector<vec3> x_, v_, f_;
  double potential_ = 0, virial_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace orujo::internal::minimd
