#include "framework/steps/found_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace orujo::internal::steps {
namespace {

std::vector<std::size_t> places(index_range range) {
  std::vector<std::size_t> all(range.size());
  std::iota(all.begin(), all.end(), range.first);
  return all;
}

TEST(found_share, its_core_takes_from_the_front) {
  found_share share;
  EXPECT_EQ(share.take(3).size(), 0u);
  share.reset({10, 15});
  EXPECT_EQ(places(share.take(3)), (std::vector<std::size_t>{10, 11, 12}));
  EXPECT_EQ(places(share.take(3)), (std::vector<std::size_t>{13, 14}));
  EXPECT_EQ(share.take(3).size(), 0u);
}

TEST(found_share, others_take_half_from_the_back) {
  found_share share;
  share.reset({100, 200});
  EXPECT_EQ(places(share.steal(1)), places({150, 200}));
  EXPECT_EQ(places(share.steal(40)), places({110, 150}));
  EXPECT_EQ(places(share.steal(40)), places({100, 110}));
  EXPECT_EQ(share.steal(40).size(), 0u);
}

// An owner and thieves, which put what they steal into their own shares, from which others steal again.
TEST(found_share, every_place_is_taken_once) {
  constexpr std::size_t cores = 3, size = 20'000, rounds = 20;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<found_share> shares(cores);
    shares[round % cores].reset({7, 7 + size});
    std::vector<std::vector<std::size_t>> taken(cores);
    const auto work = [&](std::size_t me) {
      for (;;) {
        const index_range mine = shares[me].take(5);
        for (std::size_t place = mine.first; place < mine.last; ++place) taken[me].push_back(place);
        if (mine.size() > 0) continue;
        index_range stolen{};
        for (std::size_t k = 1; k < cores && stolen.size() == 0; ++k)
          stolen = shares[(me + k) % cores].steal(2);
        if (stolen.size() == 0) return;
        shares[me].reset(stolen);
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t me = 0; me < cores; ++me) threads.emplace_back(work, me);
    for (std::thread& t : threads) t.join();
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& some : taken) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, places({7, 7 + size}));
  }
}

}  // namespace
}  // namespace orujo::internal::steps
