// The parts of minimd that need no job: sums, the oracle's forces, cells and their images, the policy.
#include "applications/minimd/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <tuple>

#include "applications/minimd/cell_grid.hpp"
#include "applications/minimd/domain.hpp"
#include "applications/minimd/exact_sum.hpp"
#include "applications/minimd/oracle.hpp"

namespace orujo::internal::minimd {
namespace {

TEST(minimd_exact_sum, does_not_depend_on_the_order) {
  exact_sum up, down;
  for (int k = 0; k < 1000; ++k) up.add(std::sin(k) * k);
  for (int k = 999; k >= 0; --k) down.add(std::sin(k) * k);
  EXPECT_EQ(up.value(), down.value());
  up.add(-5.5);
  EXPECT_NEAR(up.value(), down.value() - 5.5, 1e-9);
  for (const double wrong : {std::nan(""), HUGE_VAL, -0x1p31}) {
    exact_sum lost;
    lost.add(wrong);
    EXPECT_TRUE(lost.lost() && std::isnan(lost.value())) << wrong;
  }
}

// Force and energy of two atoms, computed by hand. At a distance of 2^(1/6) the force is 0 and the potential
// -1. At 1 they are 24 and 0.
TEST(minimd_oracle, has_the_forces_of_lennard_and_jones) {
  const model m{.size = {4, 4, 4}};
  const double edge = m.box()[0];
  const auto pair = [&](double distance) {
    return oracle(m, {{0.1, 1, 1}, {edge + 0.1 - distance, 1, 1}});  // across the box's end
  };
  EXPECT_NEAR(pair(std::pow(2, 1.0 / 6)).potential(), -1, 1e-12);
  EXPECT_NEAR(pair(std::pow(2, 1.0 / 6)).forces()[0][0], 0, 1e-11);
  EXPECT_NEAR(pair(1).forces()[0][0], 24, 1e-11);
  EXPECT_NEAR(pair(1).forces()[1][0], -24, 1e-11);
  EXPECT_NEAR(pair(1).virial(), 24, 1e-11);
  EXPECT_EQ(pair(2.499).pairs(), 1u);
  EXPECT_EQ(pair(2.501).pairs(), 0u);
  // As LAMMPS has it for this crystal.
  EXPECT_NEAR(oracle(m).potential() / 256, -6.7733681, 1e-7);
}

// Every ghost is the image of a cell of its owner, and own cells and ghosts are all that are within reach.
TEST(minimd_cell_grid, has_all_images_within_reach) {
  for (const int locales : {1, 2, 3, 4, 6, 7, 12, 100}) {
    const model m{.size = {4, 5, 7}};
    const cell_grid grid(m, locales);
    std::size_t own = 0;
    for (int l = 0; l < locales; ++l) {
      const block b = grid.block_of(l);
      const auto ghosts = grid.ghosts_of(l);
      if (b.empty()) {
        EXPECT_TRUE(ghosts.empty());
        continue;
      }
      std::size_t mine = 1;
      for (const index_range& r : b.own) mine *= r.size();
      own += mine;
      std::set<std::size_t> numbers;
      for (const ghost_cell& g : ghosts) {
        numbers.insert(g.number);
        EXPECT_LT(g.number_at_owner, grid.block_of(g.owner).cells());
      }
      EXPECT_EQ(numbers.size(), ghosts.size());
      EXPECT_EQ(mine + ghosts.size(), b.cells());
    }
    EXPECT_EQ(own, static_cast<std::size_t>(grid.cells()[0] * grid.cells()[1] * grid.cells()[2])) << locales;
    for (std::size_t d = 0; d < 3; ++d) EXPECT_GE(m.box()[d] / grid.cells()[d] * cells_of_reach, m.reach());
  }
  EXPECT_EQ(locale_grid({10, 10, 10}, 8), (int3{2, 2, 2}));
  EXPECT_EQ(locale_grid({40, 4, 4}, 4), (int3{4, 1, 1}));
}

TEST(minimd_neighbour_counts, cut_chunks_of_about_the_same_work) {
  auto sums = std::make_shared<growing<std::uint64_t>>();
  for (const std::uint64_t sum : {0, 5, 5, 9, 30, 31, 32}) sums->push_back(sum);  // of 6 atoms
  const neighbour_counts by_work{sums, 0, 9}, by_atoms{sums, 4, 1};
  const auto is = [](loops::inspected got, std::size_t end, double load) {
    EXPECT_EQ(std::tuple(got.end, got.load), std::tuple(end, load));
  };
  is(by_work.inspect(0, 6), 4, 34);  // the atom with which 9 are exceeded is still in it
  is(by_work.inspect(4, 6), 6, 4);
  is(by_work.inspect(0, 1), 1, 6);
  is(by_atoms.inspect(0, 6), 4, 34);
  is(by_atoms.inspect(4, 6), 6, 4);
}

}  // namespace
}  // namespace orujo::internal::minimd
