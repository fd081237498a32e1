#include "system/memory/heap_directory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "system/base/random.hpp"
#include "system/memory/block_cyclic.hpp"

namespace orujo::internal::memory {
namespace {

TEST(heap_directory, begins_small_allocations_at_one_core_after_the_other) {
  heap_directory d(1 << 20, 4);
  const auto first_core = [&](std::uint64_t bytes) {
    return block_cyclic{6, 4}.core_of(*d.allocate(bytes, 6));
  };
  EXPECT_EQ(first_core(8), 0);
  EXPECT_EQ(first_core(64), 1);
  EXPECT_EQ(first_core(65), 2) << "two blocks";
  EXPECT_EQ(first_core(1), 0);
  EXPECT_EQ(first_core(129), 1) << "three blocks";
  EXPECT_EQ(first_core(129), 0) << "they would not fit in the row";
  EXPECT_EQ(first_core(4 * 64), 0) << "a whole row";
}

TEST(heap_directory, takes_the_same_from_every_core) {
  heap_directory d(1024, 3);
  EXPECT_EQ(d.free_bytes(), 3072u);
  ASSERT_TRUE(d.allocate(0, 6));
  EXPECT_EQ(d.free_bytes(), 3 * (1024u - 64)) << "nothing takes a block, too";
  ASSERT_TRUE(d.allocate(4 * 64, 6));
  EXPECT_EQ(d.free_bytes(), 3 * (1024u - 3 * 64));
  EXPECT_FALSE(d.allocate(1, 10)) << "a block of 1024 bytes at an offset that it divides";
  EXPECT_TRUE(d.allocate(3 * 512, 9));
}

TEST(heap_directory, refuses_sizes_that_overflow) {
  heap_directory d(1 << 20, 3);
  EXPECT_FALSE(d.allocate(~std::uint64_t{0}, 3));
  EXPECT_FALSE(d.allocate(~std::uint64_t{0}, 57));
  EXPECT_FALSE(d.allocate(1, 57));
  heap_directory none(0, 3);
  EXPECT_FALSE(none.allocate(1, 3));
}

TEST(heap_directory, retires_only_what_it_allocated) {
  heap_directory d(1 << 20, 3);
  const std::uint64_t before = d.free_bytes();
  const std::uint64_t index = *d.allocate(1000, 6);
  EXPECT_FALSE(d.retire(index + 64, 6));
  EXPECT_FALSE(d.retire(index, 7));
  const auto extent = d.retire(index, 6);
  ASSERT_TRUE(extent);
  EXPECT_FALSE(d.retire(index, 6)) << "twice";
  EXPECT_LT(d.free_bytes(), before) << "not to be used again yet";
  d.reuse(*extent);
  EXPECT_EQ(d.free_bytes(), before);
  EXPECT_EQ(d.allocations(), 0u);
}

// Byte by byte: no two allocations share memory at any core, whatever their blocks.
TEST(heap_directory, keeps_allocations_of_different_blocks_apart) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const int cores = static_cast<int>(1 + random.below(5));
    heap_directory d(4096, cores);
    struct allocation {
      std::uint64_t index, bytes;
      std::uint32_t log_block;
    };
    std::vector<allocation> live;
    std::set<std::pair<core_id, std::uint64_t>> taken;
    const auto visit = [&](const allocation& a, auto f) {
      const block_cyclic layout{a.log_block, static_cast<std::uint32_t>(cores)};
      for (std::uint64_t k = 0; k < a.bytes; ++k) {
        f(std::pair(layout.core_of(a.index + k), layout.place_of(a.index + k).offset));
      }
    };
    for (int step = 0; step < 150; ++step) {
      if (random.below(3)) {
        const std::uint64_t bytes = random.below(700);
        const auto log_block = static_cast<std::uint32_t>(3 + random.below(7));
        const auto index = d.allocate(bytes, log_block);
        if (!index) continue;
        live.push_back({*index, bytes, log_block});
        ASSERT_EQ(*index % (std::uint64_t{1} << log_block), 0u);
        visit(live.back(), [&](auto byte) {
          ASSERT_LT(byte.second, 4096u);
          ASSERT_TRUE(taken.insert(byte).second) << "core " << byte.first << " offset " << byte.second;
        });
      } else if (!live.empty()) {
        const std::size_t k = random.below(live.size());
        visit(live[k], [&](auto byte) { taken.erase(byte); });
        d.reuse(*d.retire(live[k].index, live[k].log_block));
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    EXPECT_EQ(d.allocations(), live.size());
  }
}

}  // namespace
}  // namespace orujo::internal::memory
