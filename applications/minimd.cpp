// Molecular dynamics after Mantevo's miniMD: a crystal of Lennard-Jones atoms that melts. It measures how the
// cores of a locale share loops whose iterations differ, under every schedule, and the exchange of halos
// between locales.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/balance.hpp"
#include "applications/harness/harness.hpp"
#include "applications/minimd/check.hpp"
#include "applications/minimd/domain.hpp"
#include "applications/minimd/simulation.hpp"
#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule_flags.hpp"
#include "system/memory/global_address.hpp"
#include "system/runtime/runtime.hpp"

DECLARE_string(schedule);
DEFINE_string(size, "10",
              "size in unit cells of 4 atoms: a number for all directions, or three such as 20x20x40");
DEFINE_int32(steps, 100, "number of time steps");
DEFINE_double(dt, 0.005, "length of a time step, in reduced units");
DEFINE_double(density, 0.8442, "initial density, in atoms per unit volume");
DEFINE_double(temperature, 1.44, "initial temperature, in reduced units");
DEFINE_double(cutoff, 2.5, "distance beyond which atoms exert no force");
DEFINE_double(skin, 0.3, "distance beyond the cutoff that neighbour lists include");
DEFINE_int32(rebuild_every, 20, "steps between rebuilds of the neighbour lists");
DEFINE_bool(rebuild_when_moved, true,
            "rebuild neighbour lists also when an atom has moved by half the skin, so that no list lacks a "
            "pair; miniMD does not check");
DEFINE_int32(thermo_every, 0, "steps between printed states; 0: only the first and the last");
DEFINE_uint64(chunk_atoms, 0, "atoms per chunk of the force loop; 0: about 32 chunks per core");
DEFINE_uint64(seed, 1, "seed of the initial velocities; each trial has another");

namespace orujo::internal {
namespace {

using minimd::final_atom, minimd::int3, minimd::model, minimd::outcome, minimd::thermo;

constexpr int longest = 10'000;  // unit cells in a direction

// None if --size has another form.
std::optional<int3> size_from_flags() {
  std::string_view text = FLAGS_size;
  int3 size{0, 0, 0};
  std::size_t given = 0;
  while (given < size.size()) {
    size[given] = base::take_number<int>(text).value_or(0);
    if (size[given] < 1 || size[given] > longest) return std::nullopt;
    ++given;
    if (text.empty()) break;
    if (text.front() != 'x') return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty() || given == 2) return std::nullopt;
  if (given == 1) size = {size[0], size[0], size[0]};
  return size;
}

const flag_rule size_rule(
    "size", [] { return size_from_flags().has_value(); },
    "a number from 1 to 10000, or three of them such as 20x20x40");
const flag_rule steps_rule(
    "steps", [] { return FLAGS_steps >= 1; }, "at least 1");
const flag_rule dt_rule(
    "dt", [] { return FLAGS_dt > 0 && FLAGS_dt <= 1; }, "above 0, and at most 1");
const flag_rule density_rule(
    "density", [] { return FLAGS_density >= 0.01 && FLAGS_density <= 2; }, "from 0.01 to 2");
const flag_rule temperature_rule(
    "temperature", [] { return FLAGS_temperature > 0 && FLAGS_temperature <= 1000; },
    "above 0, and at most 1000");
const flag_rule cutoff_rule(
    "cutoff", [] { return FLAGS_cutoff >= 1 && FLAGS_cutoff <= 10; }, "from 1 to 10");
const flag_rule skin_rule(
    "skin", [] { return FLAGS_skin >= 0.01 && FLAGS_skin <= 5; }, "from 0.01 to 5");
const flag_rule rebuild_rule(
    "rebuild_every", [] { return FLAGS_rebuild_every >= 1; }, "at least 1");
const flag_rule thermo_rule(
    "thermo_every", [] { return FLAGS_thermo_every >= 0; }, "at least 0");

model model_from_flags() {
  return {*size_from_flags(), FLAGS_density, FLAGS_temperature, FLAGS_cutoff,
          FLAGS_skin,         FLAGS_dt,      FLAGS_seed};
}

minimd::run_options options_from_flags() {
  return {FLAGS_steps, FLAGS_rebuild_every, FLAGS_rebuild_when_moved, FLAGS_thermo_every};
}

// Checks conditions on several flags.
status check_flags(const model& m) {
  const minimd::vec3 box = m.box();
  const double edge = *std::min_element(box.begin(), box.end());
  if (edge < 2 * m.reach())
    return {exit_status::usage,
            fmt::format(
                "--size={}: the box's shortest edge is {:.2f}; expected at least {:.2f}, twice --cutoff and "
                "--skin, so at least {} unit cells",
                FLAGS_size, edge, 2 * m.reach(), std::ceil(2 * m.reach() / m.unit_cell()))};
  if (m.atoms() / static_cast<std::uint64_t>(locales()) > std::uint64_t{1} << 29)
    return {exit_status::usage, fmt::format("--size={}: {} atoms; at most 2^29 a locale", FLAGS_size,
                                            harness::grouped(m.atoms()))};
  if (!harness::verify()) return {};
  if (m.atoms() > minimd::most_checked_atoms)
    return {exit_status::usage,
            fmt::format("--verify examines every pair of {} atoms: use a smaller --size, of at most {} atoms",
                        harness::grouped(m.atoms()), harness::grouped(minimd::most_checked_atoms))};
  if (!FLAGS_rebuild_when_moved)
    return {exit_status::usage,
            "--verify and --norebuild_when_moved exclude each other: without checking moves, lists may lack "
            "pairs"};
  return {};
}

// As many chunks as keep the cores even, of at most this many atoms, some 0.5 ms.
constexpr std::size_t chunks_per_core = 32, most_atoms = 1024;

loops::schedule make_schedule(std::size_t atoms, minimd::neighbour_counts counts) {
  const std::size_t even = atoms / (chunks_per_core * static_cast<std::size_t>(my_locales_cores()));
  const std::size_t chunk =
      FLAGS_chunk_atoms > 0 ? FLAGS_chunk_atoms : std::clamp<std::size_t>(even, 1, most_atoms);
  counts.atoms = FLAGS_chunk_atoms;
  counts.work = std::max<std::uint64_t>(1, counts.before->back() / std::max<std::size_t>(1, atoms) * chunk);
  return loops::schedule_from_flags(chunk, std::move(counts), loops::schedule_kind::profiled);
}

// The results that core 0 collects, in the main task's memory.
struct heard {
  outcome of;
  std::vector<final_atom> atoms;  // to be verified
};

void print_state(const thermo& t) {
  harness::print("{:>8} {:>12.6f} {:>14.6f} {:>14.6f} {:>12.6f}\n", t.step, t.temperature, t.potential,
                 t.total, t.pressure);
}

heard run_trial(const model& m) {
  heard h;
  const memory::global_address<heard> to(my_core(), &h);
  const bool wanted = harness::verify();
  loops::on_all_cores([m, to, wanted] {
    const auto domain = collectives::share_on_locale<minimd::domain>(
        [&] { return std::make_shared<minimd::domain>(m, my_locales_cores(), &make_schedule); });
    domain->start();
    outcome o = minimd::run(*domain, m, options_from_flags(), print_state);
    std::vector<final_atom> atoms;
    for (std::size_t k = 0; wanted && leads_locale() && k < domain->atoms(); ++k)
      atoms.push_back({domain->number(k), domain->position(k), domain->velocity(k), domain->force(k)});
    auto all = collectives::gather(atoms, to.core());
    if (my_core() != to.core()) return;
    to.local()->of = std::move(o);
    for (const auto& of_core : all)
      to.local()->atoms.insert(to.local()->atoms.end(), of_core.begin(), of_core.end());
  });
  return h;
}

base::json told(const model& m, const outcome& o) {
  const thermo& t = o.states.back();
  const double seconds = o.all_seconds(), n = static_cast<double>(m.atoms());
  base::json trial = {{"seconds", seconds},
                      {"steps", FLAGS_steps},
                      {"atom_steps_per_second", n * FLAGS_steps / seconds},
                      {"temperature", t.temperature},
                      {"potential", t.potential},
                      {"total", t.total},
                      {"pressure", t.pressure},
                      {"energy_drift", t.kept - o.states.front().kept}};
  for (std::size_t p = 0; p < minimd::phase_names.size(); ++p)
    trial[fmt::format("{}_seconds", minimd::phase_names[p])] = o.seconds[p];
  trial["rebuilds"] = o.rebuilds;
  trial["farthest_move"] = o.farthest_move;
  trial["neighbours_per_atom"] = static_cast<double>(o.neighbours) / n;
  trial["images"] = o.images;
  trial["force_cpu_seconds"] = o.force_seconds;
  trial["imbalance"] = harness::imbalance(o.force_seconds);
  trial["dealt_imbalance"] = o.dealt.empty() ? base::json() : base::json(harness::imbalance(o.dealt));
  return trial;
}

void print_trial(const model& m, const outcome& o) {
  const double seconds = o.all_seconds(), n = static_cast<double>(m.atoms());
  harness::print("minimd: {} in {:.4f} s: {:.3f} ms each, {} atom-steps/s;",
                 harness::counted(FLAGS_steps, "step"), seconds, 1e3 * seconds / FLAGS_steps,
                 harness::engineering(n * FLAGS_steps / seconds));
  for (std::size_t p = 0; p < minimd::phase_names.size(); ++p)
    harness::print("{} {} {:.4f} s", p > 0 ? "," : "", minimd::phase_names[p], o.seconds[p]);
  harness::print(
      "\n        lists made {}, {:.1f} neighbours per atom; force loop by {}: the busiest core had "
      "{:.1f} % "
      "more processor time than the mean{}\n",
      harness::counted(static_cast<std::uint64_t>(o.rebuilds), "time"), static_cast<double>(o.neighbours) / n,
      FLAGS_schedule == "auto" ? "usersched_profiled" : FLAGS_schedule,
      100 * harness::imbalance(o.force_seconds),
      o.dealt.empty()
          ? ""
          : fmt::format(", and began with {:.1f} % more neighbours", 100 * harness::imbalance(o.dealt)));
}

status run_trials(const model& given, harness::stats& stats) {
  model m = given;
  for (int trial = 0; trial < harness::trials(); ++trial, ++m.seed) {
    harness::print("\n{:>8} {:>12} {:>14} {:>14} {:>12}\n", "step", "temperature", "potential", "total",
                   "pressure");
    const heard h = run_trial(m);
    if (h.of.lost)
      return {exit_status::usage,
              fmt::format("--dt={}: the atoms flew apart before step {}, their energies are not numbers; use "
                          "a shorter --dt or a lower --temperature or --density",
                          FLAGS_dt, FLAGS_steps)};
    print_trial(m, h.of);
    stats.trials.push_back(told(m, h.of));
    if (!harness::verify()) continue;
    const minimd::verdict v = minimd::check(m, options_from_flags(), h.of, h.atoms);
    stats.verified = v.right && stats.verified != false;
    harness::print("{}: {}\n", v.right ? "verified" : "NOT VERIFIED", v.text);
  }
  return {};
}

status main_task() {
  const model m = model_from_flags();
  if (status s = check_flags(m); !s.ok()) return s;
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const minimd::cell_grid grid(m, locales());
  const int3 by = grid.locales();
  const minimd::vec3 box = m.box();
  harness::print("atoms: {}, box {:.2f} x {:.2f} x {:.2f}, locales {} x {} x {} ({})\n",
                 harness::grouped(m.atoms()), box[0], box[1], box[2], by[0], by[1], by[2],
                 harness::job_shape_text());
  harness::stats stats{"minimd", "atoms", {{"size", FLAGS_size}, {"atoms", m.atoms()}, {"seed", FLAGS_seed}}};
  stats.further["schedule"] = FLAGS_schedule;
  if (status s = run_trials(m, stats); !s.ok()) return s;
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false)
    return {exit_status::failed,
            "the atoms did not move as the serial oracle and the laws of conservation have it"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "minimd: molecular dynamics of Lennard-Jones atoms, after Mantevo's miniMD.\n\n"
      "  bin/orujo run minimd --size=20\n"
      "  bin/orujo run -n 2 minimd --size=6 --verify\n"
      "  bin/orujo run -c 2 minimd --size=20 --schedule=static --trials=5 --stats_json=stats.json",
      &orujo::internal::main_task);
}
