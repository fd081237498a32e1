#include "applications/minimd/model.hpp"

#include <cmath>

#include "system/base/random.hpp"

namespace orujo::internal::minimd {

double model::unit_cell() const { return std::cbrt(4 / density); }

vec3 model::box() const { return {size[0] * unit_cell(), size[1] * unit_cell(), size[2] * unit_cell()}; }

vec3 lattice_position(const model& m, std::uint64_t atom) {
  static constexpr double corners[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const double* corner = corners[atom % 4];
  std::uint64_t cell = atom / 4;
  vec3 x;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto n = static_cast<std::uint64_t>(m.size[d]);
    x[d] = (static_cast<double>(cell % n) + corner[d]) * m.unit_cell();
    cell /= n;
  }
  return x;
}

vec3 drawn_velocity(const model& m, std::uint64_t atom) {
  random_stream random(m.seed, atom);
  vec3 v;
  for (double& component : v) component = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
  return v;
}

}  // namespace orujo::internal::minimd
