#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "framework/algorithms/local_components.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::algorithms {
namespace {

// Two threads meet before each round.
class meeting {
 public:
  void wait() {
    const int round = round_.load();
    if (waiting_.fetch_add(1) + 1 == 2) {
      waiting_.store(0);
      round_.store(round + 1);
    } else {
      while (round_.load() == round) std::this_thread::yield();
    }
  }

 private:
  std::atomic<int> waiting_{0}, round_{0};
};

// Each thread sets the parents of its half of a path for good, while the other walks over them.
TEST(forest, keeps_parents_that_are_set_while_others_look_for_roots) {
  constexpr std::uint32_t vertices = 512;
  constexpr int rounds = sanitized ? 2'000 : 20'000;
  std::vector<std::uint32_t> parents(vertices);
  const forest trees(parents);
  meeting meets;
  std::uint64_t wrong = 0;
  const auto compress = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t v = first; v < last; ++v) trees.set_parent(v, trees.root(v));
  };
  std::thread other([&] {
    for (int k = 0; k < rounds; ++k) {
      meets.wait();
      compress(vertices / 2, vertices);
      meets.wait();
    }
  });
  for (int k = 0; k < rounds; ++k) {
    for (std::uint32_t v = 0; v < vertices; ++v) parents[v] = v > 0 ? v - 1 : 0;
    meets.wait();
    compress(0, vertices / 2);
    meets.wait();
    for (const std::uint32_t parent : parents) wrong += parent != 0;
  }
  other.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace orujo::internal::algorithms
