#include "system/delegates/chase.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/call_on_all.hpp"

namespace orujo::internal::delegates {
namespace {

// Each element names a smaller one, or itself: a forest.
std::uint32_t parent_of(std::size_t i) { return static_cast<std::uint32_t>(i % 10 == 0 ? i : mix64(i) % i); }
std::uint32_t root_of(std::size_t i) {
  while (parent_of(i) != i) i = parent_of(i);
  return static_cast<std::uint32_t>(i);
}

TEST(chase, finds_the_roots_of_a_forest_from_all_cores) {
  constexpr std::size_t n = 3000;
  const auto parents = containers::global_array<std::uint32_t>::create(n);
  const auto wrong = containers::symmetric<std::size_t>::create(0);
  loops::forall(parents, [](std::size_t i, std::uint32_t& parent) { parent = parent_of(i); });
  loops::forall({0, n}, [=](std::size_t i) {
    const std::uint32_t root = chase(parents[i], [=](std::uint32_t& parent) { return parents[parent]; });
    if (root != root_of(i)) ++wrong.here();
  });
  EXPECT_EQ(sum_of_all([=] { return wrong.here(); }), 0u);
  wrong.destroy();
  parents.destroy();
}

TEST(chase, finds_roots_without_a_task_for_each) {
  constexpr std::size_t n = 30'000;
  const auto parents =
      containers::global_array<std::uint32_t>::create_by(n, [](std::size_t i) { return parent_of(i); });
  const auto roots = containers::global_array<std::uint32_t>::create(n);
  const auto wrong = loops::combined_on_all_cores([=] {
    completion_event found;
    const std::span<std::uint32_t> mine = roots.local();
    const std::size_t first = roots.range_here().first;
    for (std::size_t k = 0; k < mine.size(); ++k)
      async_chase(
          found, parents[first + k], [=](std::uint32_t& p) { return parents[p]; }, &mine[k]);
    found.wait();
    std::size_t bad = 0;
    for (std::size_t k = 0; k < mine.size(); ++k) bad += mine[k] != root_of(first + k);
    return bad;
  });
  EXPECT_EQ(wrong, 0u);
  roots.destroy();
  parents.destroy();
}

struct hop {
  std::string name;
  memory::global_address<hop> next;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, next);
  }
};

TEST(chase, ends_at_a_null_address_and_may_change_what_it_passes) {
  const auto nodes = containers::symmetric<hop>::create();
  by_core<memory::global_address<hop>> all(cores());
  call_on_all([=] { return memory::global_address<hop>(my_core(), &nodes.here()); },
              [&](core_id c, memory::global_address<hop> at) { all[c] = at; });
  for (core_id c = 0; c + 1 < cores(); ++c) call(c, [nodes, next = all[c + 1]] { nodes.here().next = next; });
  const hop last = chase(all[0], [](hop& n) {
    n.name += "passed";
    return n.next;
  });
  EXPECT_EQ(last.name, "passed");
  EXPECT_FALSE(last.next);
  EXPECT_EQ(sum_of_all([=] { return nodes.here().name.size(); }), 6u * static_cast<std::size_t>(cores()));
  nodes.destroy();
}

TEST(chase, of_one_object_reads_it) {
  std::uint64_t mine = 7;
  using address = memory::global_address<const std::uint64_t>;
  EXPECT_EQ(chase(address(my_core(), &mine), [](const std::uint64_t&) { return address(); }), 7u);
}

}  // namespace
}  // namespace orujo::internal::delegates
