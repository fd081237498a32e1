#include "applications/minimd/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "applications/minimd/oracle.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::minimd {
namespace {

// About two seconds. Rounding differences grow to the bound in a time of 2.
constexpr double most_pairs = 1e9;
constexpr double longest_time = 1;

double norm(const vec3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// The larger, or what is no number.
double worse(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// The relative difference, as a part of the larger; NaN if either is not a number.
double apart(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

}  // namespace

verdict check(const model& m, const run_options& options, const outcome& o,
              const std::vector<final_atom>& atoms, const bounds& allowed) {
  const auto n = static_cast<double>(m.atoms());
  std::vector<bool> seen(m.atoms());
  for (const final_atom& a : atoms) {
    if (a.number >= m.atoms() || seen[a.number])
      return {false, fmt::format("atom {} occurs twice, or is not one of the {}", a.number, m.atoms())};
    seen[a.number] = true;
  }
  if (atoms.size() != m.atoms())
    return {false, fmt::format("{} of {} left", atoms.size(), base::counted(m.atoms(), "atom"))};
  if (o.lost || o.states.size() < 2) return {false, "the run did not come to its end"};
  const thermo& first = o.states.front();
  const thermo& last = o.states.back();

  std::vector<vec3> places(m.atoms());
  vec3 momentum{0, 0, 0};
  for (const final_atom& a : atoms) {
    places[a.number] = a.x;
    for (std::size_t d = 0; d < 3; ++d) momentum[d] += a.v[d];
  }
  const oracle there(m, places);
  double largest = 1, off = 0;
  for (const vec3& f : there.forces()) largest = std::max(largest, norm(f));
  for (const final_atom& a : atoms) {
    const vec3& f = there.forces()[a.number];
    const double by = norm({a.f[0] - f[0], a.f[1] - f[1], a.f[2] - f[2]}) / largest;
    off = worse(off, by);
  }
  const double volume = m.box()[0] * m.box()[1] * m.box()[2];
  const double virial = last.pressure * 3 * volume - last.temperature * (3 * n - 3);
  off = worse(off, worse(apart(last.potential * n, there.potential()), apart(virial, there.virial())));
  bool right = off <= allowed.force && last.pairs == static_cast<double>(there.pairs());
  std::string text =
      fmt::format("forces, potential and virial differ by {:.1e} of those of all pairs, {} of {} of them",
                  off, last.pairs, there.pairs());

  if (n * n / 2 * options.steps <= most_pairs && options.steps * m.dt <= longest_time) {
    oracle follows(m);
    for (int step = 0; step < options.steps; ++step) follows.step();
    double farthest = 0;
    for (const final_atom& a : atoms) {
      const double by = norm(follows.nearest(a.x, follows.positions()[a.number]));
      farthest = worse(farthest, by);
    }
    right = right && farthest <= allowed.place &&
            apart(last.total * n, follows.kinetic() + follows.potential()) <= allowed.place;
    text += fmt::format("; places by {:.1e} from where serial steps lead", farthest);
  }

  const auto grows = [](double ratio) { return std::max(1.0, ratio * ratio); };
  const double drift = std::abs(last.kept - first.kept) / grows(m.dt / 0.005) / grows(m.temperature / 1.44);
  const double impulse = norm(momentum) / n;
  right = right && drift <= allowed.energy && impulse <= allowed.momentum;
  text +=
      fmt::format("; energy kept up to {:.1e}, momentum {:.1e} per atom", last.kept - first.kept, impulse);
  return {right, text};
}

}  // namespace orujo::internal::minimd
