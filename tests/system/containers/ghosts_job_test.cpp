#include "system/containers/ghosts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "system/base/random.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::containers {
namespace {

using word = std::uint64_t;

word value_in(std::size_t round, std::size_t i) { return 1'000'000 * round + i; }

// Any elements of the array, some of them often.
std::vector<std::uint32_t> drawn(std::size_t count, std::size_t n) {
  random_stream random(7, static_cast<word>(my_core()));
  std::vector<std::uint32_t> indices(count);
  for (auto& i : indices) i = static_cast<std::uint32_t>(random.below(random.below(2) ? n : 1 + n / 100));
  return indices;
}

template <class T>
void write(const global_array<T>& array, std::size_t round) {
  std::size_t i = array.range_here().first;
  for (T& value : array.local()) value = static_cast<T>(value_in(round, i++));
}

// Returns the number of copies that differ from what the elements were.
template <class T>
std::size_t wrong(const ghosts<T>& copies, const std::vector<std::uint32_t>& indices, std::size_t round) {
  std::size_t count = copies.size() == indices.size() ? 0 : 1;
  for (std::size_t k = 0; k < indices.size(); ++k)
    count += copies[k] != static_cast<T>(value_in(round, indices[k]));
  return count;
}

// Elements change as soon as an update returns, so that a late read of one would show.
template <class T>
std::size_t wrong_after_updates(const global_array<T>& array, std::size_t count) {
  const std::vector<std::uint32_t> indices = drawn(array.size() == 0 ? 0 : count, array.size());
  ghosts<T> copies(array, indices);
  std::size_t found = 0;
  for (std::size_t round = 1; round <= 5; ++round) {
    write(array, round);
    copies.update();
    write(array, round + 100);
    if (round % 2) tasks::yield();
    found += wrong(copies, indices, round);
  }
  return found;
}

template <class T>
std::size_t wrong_at_all_cores(std::size_t n, std::size_t count) {
  const auto array = global_array<T>::create(n);
  const auto found = symmetric<std::size_t>::create(0);
  loops::on_all_cores([=] { found.here() = wrong_after_updates(array, count); });
  const std::size_t sum = delegates::sum_of_all([=] { return found.here(); });
  found.destroy();
  array.destroy();
  return sum;
}

TEST(ghosts, hold_what_the_elements_were_at_each_update) {
  for (const std::size_t n : {1, 2, 100, 20'000}) {
    EXPECT_EQ(wrong_at_all_cores<word>(n, 3000), 0u) << n;
    EXPECT_EQ(wrong_at_all_cores<std::uint8_t>(n, 3000), 0u) << n;
  }
}

TEST(ghosts, may_be_of_no_element_at_some_cores_or_at_all) {
  EXPECT_EQ(wrong_at_all_cores<word>(0, 10), 0u);
  EXPECT_EQ(wrong_at_all_cores<word>(10, 0), 0u);
  const auto array = global_array<word>::create(50);
  loops::on_all_cores([=] {
    const std::vector<int> last(my_core() == 0 ? 3 : 0, 49);
    ghosts<word> copies(array, last);
    write(array, 2);
    copies.update();
    for (std::size_t k = 0; k < copies.size(); ++k) EXPECT_EQ(copies[k], value_in(2, 49));
  });
  array.destroy();
}

TEST(ghosts, move_with_their_plan) {
  const auto array = global_array<word>::create(300);
  loops::on_all_cores([=] {
    std::vector<ghosts<word>> several;
    const std::vector<std::uint32_t> indices = drawn(100, 300);
    for (int k = 0; k < 3; ++k) several.emplace_back(array, indices);
    write(array, 3);
    for (auto& copies : several) {
      copies.update();
      EXPECT_EQ(wrong(copies, indices, 3), 0u);
    }
  });
  array.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
