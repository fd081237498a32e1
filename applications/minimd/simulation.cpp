#include "applications/minimd/simulation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::minimd {
namespace {

// Assigns the time since the last call to a phase.
class stopwatch {
 public:
  explicit stopwatch(std::array<double, 4>& seconds) : seconds_(seconds) {}
  void end_of(phase p) {
    const std::uint64_t now = base::now_ns();
    seconds_[static_cast<std::size_t>(p)] += 1e-9 * static_cast<double>(now - std::exchange(begun_, now));
  }

 private:
  std::array<double, 4>& seconds_;
  std::uint64_t begun_ = base::now_ns();
};

// The energies are the calling core's share.
thermo state_of(energies mine, const model& m, int step) {
  const energies all = collectives::all_reduce(mine, [](energies a, const energies& b) {
    a += b;
    return a;
  });
  const auto n = static_cast<double>(m.atoms());
  const vec3 box = m.box();
  const double volume = box[0] * box[1] * box[2], freedom = 3 * n - 3;
  thermo t;
  t.step = step;
  t.temperature = 2 * all.kinetic.value() / freedom;
  t.potential = all.potential.value() / n;
  t.total = t.potential + all.kinetic.value() / n;
  t.pressure = (t.temperature * freedom + all.virial.value()) / (3 * volume);
  t.pairs = all.pairs.value();
  t.kept = t.total - potential(m.cutoff * m.cutoff) * t.pairs / n;
  return t;
}

bool is_lost(const thermo& t) { return !(t.total - t.total == 0 && t.pressure - t.pressure == 0); }

}  // namespace

double outcome::all_seconds() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

outcome run(domain& d, const model& m, const run_options& options,
            const std::function<void(const thermo&)>& tell) {
  outcome o;
  const auto keep = [&](const energies& mine, int step) {
    o.states.push_back(state_of(mine, m, step));
    o.lost = is_lost(o.states.back());
    if (my_core() == 0) tell(o.states.back());
  };
  energies at_start;
  d.compute_forces(at_start);
  d.add_kinetic(at_start);
  keep(at_start, 0);
  d.take_force_seconds();
  collectives::barrier();
  stopwatch watch(o.seconds);
  for (int step = 1, last_lists = 0; step <= options.steps && !o.lost; ++step) {
    d.move_atoms();
    const bool due = step - last_lists == options.rebuild_every;
    double moved = 0;
    if (due || options.rebuild_when_moved) {
      moved = d.farthest_move();
      o.farthest_move = std::max(o.farthest_move, moved);
    } else {
      collectives::barrier(collectives::group::locale);
    }
    watch.end_of(phase::other);
    if (due || (options.rebuild_when_moved && !(moved < m.skin / 2))) {
      o.lost = !d.rebuild();
      ++o.rebuilds;
      last_lists = step;
      watch.end_of(phase::neighbours);
      if (o.lost) break;
    } else {
      d.exchange_positions();
      watch.end_of(phase::communication);
    }
    if (step == options.steps || (options.thermo_every > 0 && step % options.thermo_every == 0)) {
      energies mine;
      d.compute_forces(mine);
      watch.end_of(phase::force);
      d.finish_velocities();
      d.add_kinetic(mine);
      keep(mine, step);
    } else {
      d.compute_forces();
      watch.end_of(phase::force);
      d.finish_velocities();
    }
    watch.end_of(phase::other);
  }
  collectives::barrier();
  watch.end_of(phase::other);
  o.force_seconds = collectives::all_gather(d.take_force_seconds());
  for (const auto& of_locale :
       collectives::all_gather(leads_locale() ? d.dealt_neighbours() : std::vector<double>()))
    o.dealt.insert(o.dealt.end(), of_locale.begin(), of_locale.end());
  if (o.dealt.size() < o.force_seconds.size()) o.dealt.clear();
  const auto leading = [](std::uint64_t count) { return leads_locale() ? count : 0; };
  o.neighbours = collectives::all_reduce(leading(d.neighbours()));
  o.images = collectives::all_reduce(leading(d.images()));
  return o;
}

}  // namespace orujo::internal::minimd
