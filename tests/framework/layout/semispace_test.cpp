// Nodes that move at flips, against a plain record of their pointers.
#include "framework/layout/semispace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <new>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::layout {
namespace {

// With `degree` pointers after it.
struct linked_node {
  std::uint64_t name, degree;
  linked_node* forward;
  linked_node** to() { return reinterpret_cast<linked_node**>(this + 1); }
};

struct linked_node_links {
  using node = linked_node;
  std::size_t bytes(const node& n) const { return sizeof(node) + 8 * n.degree; }
  std::size_t successors(const node& n) const { return n.degree; }
  node*& successor(node& n, std::size_t k) const { return n.to()[k]; }
  node*& forward(node& n) const { return n.forward; }
};

using space = semispace<linked_node_links>;

linked_node* make(space& in, std::uint64_t name, std::uint64_t degree) {
  void* const memory = in.allocate(sizeof(linked_node) + 8 * degree);
  if (memory == nullptr) return nullptr;
  auto* const made = new (memory) linked_node{name, degree, nullptr};
  for (std::uint64_t k = 0; k < degree; ++k) made->to()[k] = nullptr;
  return made;
}

//      0                  and 7, to which nothing leads
//    1   2    blocks of three nodes of 40 bytes
//   3 4 5 6
TEST(semispace, flips_into_blocks_and_drops_what_is_not_reached) {
  space nodes(400, {}, machine::pages::small);
  space::root top(nodes);
  std::vector<linked_node*> all;
  for (std::uint64_t v = 0; v < 8; ++v) all.push_back(make(nodes, v, 2));
  for (std::size_t v = 0; v < 3; ++v) all[v]->to()[0] = all[2 * v + 1], all[v]->to()[1] = all[2 * v + 2];
  top = all[0];
  EXPECT_EQ(nodes.used(), 8 * 40u);
  const auto order = [&] {
    std::vector<std::uint64_t> found;
    const auto* const first = reinterpret_cast<const std::byte*>(top.get());
    for (std::size_t at = 0; at < nodes.used(); at += 40)
      found.push_back(reinterpret_cast<const linked_node*>(first + at)->name);
    return found;
  };
  const std::size_t blocks[] = {120};
  nodes.flip(blocks);
  EXPECT_EQ(order(), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  top.get()->to()[1] = nullptr;  // 2 and those below it go
  nodes.flip({});
  EXPECT_EQ(order(), (std::vector<std::uint64_t>{0, 1, 3, 4}));
  EXPECT_EQ(nodes.used(), 160u);
  top = nullptr;
  nodes.flip(blocks);
  EXPECT_EQ(nodes.used(), 0u);
  for (int v = 0; v < 10; ++v) EXPECT_NE(make(nodes, 9, 2), nullptr);
  EXPECT_EQ(make(nodes, 9, 0), nullptr) << "the space is full";
}

// Random changes between flips, with several roots that share nodes, rings and self-loops.
TEST(semispace, keeps_what_roots_lead_to_over_many_flips) {
  constexpr std::uint64_t seed = 7;
  random_stream random(seed);
  space nodes(1 << 20, {}, machine::pages::small);
  std::vector<std::unique_ptr<space::root>> roots;
  for (int r = 0; r < 4; ++r) roots.push_back(std::make_unique<space::root>(nodes));
  std::map<std::uint64_t, std::vector<std::uint64_t>> expected;  // by name, ~0 for null
  std::vector<std::uint64_t> root_names(4, ~std::uint64_t{0});
  constexpr std::uint64_t none = ~std::uint64_t{0};

  // Follows the nodes and the record together; all that is reached, by name.
  const auto walk = [&] {
    std::map<std::uint64_t, linked_node*> reached;
    std::vector<linked_node*> open;
    const auto meet = [&](linked_node* n, std::uint64_t name) {
      ASSERT_EQ(n == nullptr, name == none);
      if (n == nullptr) return;
      ASSERT_EQ(n->name, name);
      const auto [at, is_new] = reached.try_emplace(name, n);
      ASSERT_EQ(at->second, n) << "there are two copies of node " << name;
      if (is_new) open.push_back(n);
    };
    for (std::size_t r = 0; r < roots.size(); ++r) meet(roots[r]->get(), root_names[r]);
    while (!open.empty() && !::testing::Test::HasFatalFailure()) {
      linked_node* const n = open.back();
      open.pop_back();
      EXPECT_EQ(n->degree, expected[n->name].size());
      for (std::size_t k = 0; k < n->degree; ++k) meet(n->to()[k], expected[n->name][k]);
    }
    return reached;
  };
  std::uint64_t made = 0, dropped = 0;
  for (int round = 0; round < 60; ++round) {
    auto reached = walk();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", round " << round;
    std::vector<linked_node*> here;
    for (const auto& [name, n] : reached) here.push_back(n);
    for (int k = 0; k < 20; ++k) {
      here.push_back(make(nodes, made, random.below(4)));
      ASSERT_NE(here.back(), nullptr);
      expected[made++].assign(here.back()->degree, none);
    }
    for (int k = 0; k < 60; ++k) {
      linked_node* const from = here[random.below(here.size())];
      linked_node* const to = random.below(5) == 0 ? nullptr : here[random.below(here.size())];
      if (from->degree == 0) continue;
      const std::size_t at = random.below(from->degree);
      from->to()[at] = to;
      expected[from->name][at] = to == nullptr ? none : to->name;
    }
    const std::size_t r = random.below(roots.size());
    linked_node* const top = here[random.below(here.size())];
    *roots[r] = top;
    root_names[r] = top->name;
    reached = walk();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", round " << round;
    std::size_t bytes = 0;
    for (const auto& [name, n] : reached) bytes += linked_node_links().bytes(*n);
    const std::size_t before = nodes.used();
    const std::vector<std::size_t> levels = round % 3 == 0   ? std::vector<std::size_t>()
                                            : round % 3 == 1 ? std::vector<std::size_t>{64}
                                                             : std::vector<std::size_t>{64, 512, 4096};
    nodes.flip(levels);
    EXPECT_EQ(nodes.used(), bytes);
    dropped += before - nodes.used();
  }
  EXPECT_GT(dropped, 0u);
  walk();
}

}  // namespace
}  // namespace orujo::internal::layout
