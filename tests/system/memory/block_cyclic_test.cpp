#include "system/memory/block_cyclic.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::memory {
namespace {

struct place {
  core_id core;
  std::uint64_t offset;
};

// Deals blocks to the cores one byte at a time.
std::vector<place> deal(std::uint64_t bytes, const block_cyclic& layout) {
  std::vector<place> places;
  std::vector<std::uint64_t> held(layout.cores.value());
  core_id at = 0;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (i && i % layout.block_bytes() == 0) at = (at + 1) % static_cast<core_id>(layout.cores.value());
    places.push_back({at, held[static_cast<std::size_t>(at)]++});
  }
  return places;
}

TEST(block_cyclic, deals_as_drawn) {
  //   index    0 1 | 2 3 | 4 5 | 6 7 |        blocks of 2, 3 cores
  const block_cyclic layout{1, 3};
  EXPECT_EQ(layout.core_of(1), 0);
  EXPECT_EQ(layout.core_of(4), 2);
  EXPECT_EQ(layout.core_of(7), 0);
  EXPECT_EQ(layout.place_of(7).offset, 3u);
  EXPECT_EQ(layout.index_of(0, 3), 7u);
}

TEST(block_cyclic, agrees_with_dealing_byte_by_byte) {
  random_stream random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const block_cyclic layout{static_cast<std::uint32_t>(random.below(8)),
                              static_cast<std::uint32_t>(1 + random.below(17))};
    const std::uint64_t bytes = 1 + random.below(4000);
    SCOPED_TRACE(testing::Message() << layout.block_bytes() << " bytes, " << layout.cores.value()
                                    << " cores");
    const std::vector<place> places = deal(bytes, layout);
    std::vector<std::uint64_t> held(layout.cores.value());
    for (std::uint64_t i = 0; i < bytes; ++i) {
      ASSERT_EQ(layout.core_of(i), places[i].core) << i;
      ASSERT_EQ(layout.place_of(i).offset, places[i].offset) << i;
      ASSERT_EQ(layout.index_of(places[i].core, places[i].offset), i);
      for (core_id c = 0; c < static_cast<core_id>(layout.cores.value()); ++c) {
        ASSERT_EQ(layout.held_before(c, i), held[static_cast<std::size_t>(c)]) << i << " core " << c;
      }
      ++held[static_cast<std::size_t>(places[i].core)];
    }
  }
}

TEST(block_cyclic, holds_for_the_largest_indices) {
  const std::uint64_t last = (std::uint64_t{1} << 58) - 1;
  for (std::uint32_t log_block : {3u, 6u, 20u, 57u}) {
    for (std::uint32_t cores : {1u, 7u, 65536u}) {
      const block_cyclic layout{log_block, cores};
      EXPECT_EQ(layout.index_of(layout.core_of(last), layout.place_of(last).offset), last);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::memory
