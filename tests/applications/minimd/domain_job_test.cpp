// Domains on the job's locales and cores against the oracle of all pairs, which knows of no lists.
#include "applications/minimd/domain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "applications/minimd/check.hpp"
#include "applications/minimd/simulation.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::minimd {
namespace {

loops::schedule even(std::size_t, neighbour_counts) { return loops::schedule::dynamic(16); }
loops::schedule profiled(std::size_t, neighbour_counts counts) {
  counts.work = 500;
  return loops::schedule::user_defined(std::move(counts), {.steal = true, .profile = true});
}

struct finished {
  outcome of;
  std::vector<final_atom> atoms;  // at core 0
};

// [task; suspends; collective over the job]
finished run_here(const model& m, const run_options& options, const domain::make_schedule& schedule) {
  const auto d = collectives::share_on_locale<domain>(
      [&] { return std::make_shared<domain>(m, my_locales_cores(), schedule); });
  d->start();
  finished f{run(*d, m, options, [](const thermo&) {}), {}};
  std::vector<final_atom> mine;
  for (std::size_t k = 0; leads_locale() && k < d->atoms(); ++k)
    mine.push_back({d->number(k), d->position(k), d->velocity(k), d->force(k)});
  for (const auto& of_core : collectives::gather(mine, 0))
    f.atoms.insert(f.atoms.end(), of_core.begin(), of_core.end());
  return f;
}

TEST(minimd, moves_atoms_as_all_pairs_have_it) {
  for (const auto& [size, temperature] : {std::pair{int3{4, 4, 4}, 1.44}, {int3{6, 4, 5}, 4.0}}) {
    loops::on_all_cores([size = size, temperature = temperature] {
      const model m{.size = size, .temperature = temperature};
      const run_options options{.steps = 24, .rebuild_every = 9};
      const finished a = run_here(m, options, &even), b = run_here(m, options, &profiled);
      EXPECT_GE(a.of.rebuilds, 2u);
      EXPECT_EQ(a.of.states.back().kept, b.of.states.back().kept);
      if (my_core() != 0) return;
      const verdict v = check(m, options, a.of, a.atoms);
      EXPECT_TRUE(v.right) << v.text;
      EXPECT_NE(v.text.find("serial steps"), std::string::npos);
    });
  }
}

// The check must reject each of these runs.
TEST(minimd, check_finds_what_is_wrong) {
  loops::on_all_cores([] {
    const model m{.size = {4, 4, 4}};
    const run_options options{.steps = 12};
    const finished right = run_here(m, options, &even);
    if (my_core() != 0) return;
    const auto finds = [&](const char* what, auto&& spoil) {
      finished wrong = right;
      spoil(wrong);
      EXPECT_FALSE(check(m, options, wrong.of, wrong.atoms).right) << what;
    };
    EXPECT_TRUE(check(m, options, right.of, right.atoms).right);
    finds("an atom that is lost", [](finished& f) { f.atoms.pop_back(); });
    finds("an atom twice", [](finished& f) { f.atoms[3] = f.atoms[4]; });
    finds("an atom elsewhere", [](finished& f) { f.atoms[7].x[1] += 1e-6; });
    finds("no place", [](finished& f) { f.atoms[7].x[1] = std::nan(""); });
    finds("a force that lacks something", [](finished& f) { f.atoms[9].f[2] *= 1 - 1e-6; });
    finds("no force", [](finished& f) { f.atoms[9].f[0] = std::nan(""); });
    finds("momentum", [](finished& f) { f.atoms[0].v[0] += 1e-3; });
    finds("a pair too many", [](finished& f) { f.of.states.back().pairs += 1; });
    finds("another potential", [](finished& f) { f.of.states.back().potential *= 1 + 1e-6; });
    finds("another pressure", [](finished& f) { f.of.states.back().pressure += 1e-3; });
    finds("energy that is not kept", [](finished& f) { f.of.states.back().kept += 1e-2; });
    finds("a run that did not end", [](finished& f) { f.of.lost = true; });
  });
}

// Two places per cell and more locales than cells: images, migration and empty blocks.
TEST(minimd, keeps_every_atom_at_the_locale_of_its_place) {
  loops::on_all_cores([] {
    const model m{.size = {4, 4, 4}, .temperature = 9};
    const auto d = collectives::share_on_locale<domain>(
        [&] { return std::make_shared<domain>(m, my_locales_cores(), &even); });
    d->start();
    const cell_grid grid(m, locales());
    for (int round = 0; round < 3; ++round) {
      energies unused;
      d->compute_forces(unused);
      for (int step = 0; step < 3; ++step) d->move_atoms();
      collectives::barrier();
      ASSERT_TRUE(d->rebuild());
      std::uint64_t here = 0, numbers = 0;
      for (std::size_t k = 0; leads_locale() && k < d->atoms(); ++k) {
        EXPECT_EQ(grid.owner_of(grid.cell_of(d->position(k))), my_locale());
        ++here;
        numbers += d->number(k);
      }
      EXPECT_EQ(collectives::all_reduce(here), m.atoms());
      EXPECT_EQ(collectives::all_reduce(numbers), m.atoms() * (m.atoms() - 1) / 2);
    }
  });
}

}  // namespace
}  // namespace orujo::internal::minimd
