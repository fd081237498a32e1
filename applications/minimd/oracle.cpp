#include "applications/minimd/oracle.hpp"

#include <cmath>
#include <utility>

namespace orujo::internal::minimd {

oracle::oracle(const model& m) : model_(m), box_(m.box()) {
  vec3 mean{0, 0, 0};
  for (std::uint64_t i = 0; i < m.atoms(); ++i) {
    x_.push_back(lattice_position(m, i));
    v_.push_back(drawn_velocity(m, i));
    for (std::size_t d = 0; d < 3; ++d) mean[d] += v_.back()[d] / static_cast<double>(m.atoms());
  }
  double squares = 0;
  for (vec3& v : v_) {
    for (std::size_t d = 0; d < 3; ++d) v[d] -= mean[d], squares += v[d] * v[d];
  }
  // The momentum takes three degrees of freedom.
  const double freedom = 3 * static_cast<double>(m.atoms()) - 3;
  for (vec3& v : v_) {
    for (double& component : v) component *= std::sqrt(m.temperature * freedom / squares);
  }
  compute_forces();
}

oracle::oracle(const model& m, std::vector<vec3> positions)
    : model_(m), box_(m.box()), x_(std::move(positions)), v_(x_.size(), vec3{0, 0, 0}) {
  compute_forces();
}

vec3 oracle::nearest(const vec3& a, const vec3& b) const {
  vec3 r;
  for (std::size_t d = 0; d < 3; ++d) {
    r[d] = a[d] - b[d];
    r[d] -= box_[d] * std::nearbyint(r[d] / box_[d]);
  }
  return r;
}

// As the derivative of the potential 4 (1/r^12 - 1/r^6).
void oracle::compute_forces() {
  f_.assign(x_.size(), vec3{0, 0, 0});
  potential_ = virial_ = 0;
  pairs_ = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const vec3 r = nearest(x_[i], x_[j]);
      const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      if (r2 >= model_.cutoff * model_.cutoff) continue;
      const double r6 = r2 * r2 * r2;
      const double over_r = (48 / (r6 * r6) - 24 / r6) / r2;
      for (std::size_t d = 0; d < 3; ++d) f_[i][d] += over_r * r[d], f_[j][d] -= over_r * r[d];
      potential_ += 4 / (r6 * r6) - 4 / r6;
      virial_ += over_r * r2;
      ++pairs_;
    }
  }
}

void oracle::step() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      v_[i][d] += f_[i][d] * model_.dt / 2;
      x_[i][d] += v_[i][d] * model_.dt;
    }
  }
  compute_forces();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) v_[i][d] += f_[i][d] * model_.dt / 2;
  }
}

double oracle::kinetic() const {
  double sum = 0;
  for (const vec3& v : v_) sum += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  return sum;
}

}  // namespace orujo::internal::minimd
