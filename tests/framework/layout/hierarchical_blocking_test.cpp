#include "framework/layout/hierarchical_blocking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include "framework/layout/orders.hpp"
#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout {
namespace {

vertex_sequence order_of(const undirected_graph& g, const block_levels& levels, std::size_t bytes = 1) {
  return hierarchical_order(g, levels, bytes);
}

TEST(hierarchical_blocking, lays_a_complete_tree_as_drawn) {
  //                   0
  //            1             2
  //         3     4       5     6
  //        7 8   9 10   11 12 13 14
  const undirected_graph g = testing::complete_tree(15);
  EXPECT_EQ(order_of(g, {3}), (vertex_sequence{0, 1, 2, 3, 7, 8, 4, 9, 10, 5, 11, 12, 6, 13, 14}));
  // The same in vertices of 4 bytes, of which 12 hold 3.
  EXPECT_EQ(order_of(g, {12}, 4), order_of(g, {3}));
  // Blocks of 7 are subtrees of three levels; the next begins at the first leaf, as what is left is leaves.
  EXPECT_EQ(order_of(g, {7}), (vertex_sequence{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(order_of(g, {}), breadth_first_order(g));
}

TEST(hierarchical_blocking, fills_a_block_of_the_second_level_with_those_of_the_first) {
  // 63 vertices, six levels. A block of 9 is three of 3: the root's, and those of the first two vertices
  // below it. The first block of 9 that begins at vertex 5 goes on within 5's subtree, not at 6.
  const vertex_sequence order = order_of(testing::complete_tree(63), {3, 9});
  EXPECT_EQ(vertex_sequence(order.begin(), order.begin() + 18),
            (vertex_sequence{0, 1, 2, 3, 7, 8, 4, 9, 10, 5, 11, 12, 23, 47, 48, 24, 49, 50}));
}

// The algorithm's definition, computed slowly with queues. The next vertex is the first neighbour that is not
// placed of the present block of the innermost level that has room, or else of the next level's block.
vertex_sequence by_definition(const undirected_graph& g, const block_levels& levels, std::size_t bytes) {
  vertex_sequence order;
  std::vector<bool> placed(g.vertices());
  const auto first_beside = [&](std::size_t first) -> std::int64_t {
    for (std::size_t k = first; k < order.size(); ++k) {
      for (const std::uint32_t w : g.of(order[k])) {
        if (!placed[w]) return w;
      }
    }
    return -1;
  };
  while (order.size() < g.vertices()) {
    const std::size_t offset = order.size() * bytes;
    std::int64_t next = -1;
    for (const std::size_t size : levels) {
      const std::size_t block = offset / size;
      std::size_t first = order.size();  // of this block
      while (first > 0 && (first - 1) * bytes / size == block) --first;
      if (next < 0) next = first_beside(first);
    }
    if (next < 0) next = first_beside(0);
    if (next < 0) next = std::find(placed.begin(), placed.end(), false) - placed.begin();
    placed[static_cast<std::size_t>(next)] = true;
    order.push_back(static_cast<std::uint32_t>(next));
  }
  return order;
}

TEST(hierarchical_blocking, of_any_graph_is_what_its_definition_says) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    random_stream random(seed);
    const auto vertices = static_cast<std::uint32_t>(1 + random.below(150));
    const undirected_graph g = testing::random_graph(vertices, random.below(400), seed);
    for (const auto& [levels, bytes] : std::vector<std::pair<block_levels, std::size_t>>{
             {{}, 1}, {{4}, 1}, {{4, 16}, 1}, {{4, 16, 64}, 1}, {{10, 30}, 4}, {{64, 256}, 24}}) {
      const vertex_sequence order = order_of(g, levels, bytes);
      EXPECT_EQ(order, by_definition(g, levels, bytes)) << "seed " << seed << ", levels " << to_text(levels);
      vertex_sequence sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_EQ(sorted[v], v);
    }
  }
}

// Every vertex of a block but its first has a neighbour before it in the block, unless the search had to
// restart or to fall back on a larger block.
TEST(hierarchical_blocking, leaves_blocks_of_a_mesh_connected) {
  constexpr std::uint32_t width = 40;
  std::vector<edge> edges;
  for (std::uint32_t v = 0; v < width * width; ++v) {
    if (v % width + 1 < width) edges.push_back({v, v + 1});
    if (v + width < width * width) edges.push_back({v, v + width});
  }
  const undirected_graph g = make_undirected(width * width, edges);
  for (const std::size_t block : {16, 64, 256}) {
    const vertex_sequence order = order_of(g, {block});
    std::size_t apart = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k % block == 0) continue;
      const auto first = order.begin() + static_cast<std::ptrdiff_t>(k / block * block);
      const auto here = order.begin() + static_cast<std::ptrdiff_t>(k);
      const auto in_block = [&](std::uint32_t w) { return std::find(first, here, w) != here; };
      apart += std::none_of(g.of(order[k]).begin(), g.of(order[k]).end(), in_block) ? 1 : 0;
    }
    EXPECT_LT(apart, order.size() / 10) << "blocks of " << block;
  }
}

// Nodes of different sizes, with any number of links, some of them null.
struct knot {
  knot* copy_or_first = nullptr;  // a link, too
  std::uint32_t name = 0, more = 0;

  knot*& link(std::size_t k) { return k == 0 ? copy_or_first : reinterpret_cast<knot**>(this + 1)[k - 1]; }
};
struct knot_links {
  using node = knot;
  std::size_t bytes(const knot& n) const { return sizeof(knot) + n.more * sizeof(knot*); }
  std::size_t successors(const knot& n) const { return 1 + n.more; }
  knot*& successor(knot& n, std::size_t k) const { return n.link(k); }
  knot*& forward(knot& n) const { return n.copy_or_first; }
};

struct tangle {
  explicit tangle(std::uint64_t seed) {
    random_stream random(seed);
    const std::size_t count = 1 + random.below(120);
    for (std::uint32_t name = 0; name < count; ++name) {
      const auto more = static_cast<std::uint32_t>(random.below(5));
      memory.push_back(std::make_unique<std::uint64_t[]>((sizeof(knot) + more * sizeof(knot*)) / 8));
      knots.push_back(new (memory.back().get()) knot{nullptr, name, more});
      bytes += sizeof(knot) + more * sizeof(knot*);
    }
    for (knot* n : knots) {
      links.emplace_back();
      for (std::size_t k = 0; k <= n->more; ++k) {
        const bool none = random.below(4) == 0;
        const auto to = random.below(count);
        n->link(k) = none ? nullptr : knots[to];
        links.back().push_back(none ? -1 : static_cast<std::int64_t>(to));
      }
    }
  }
  std::vector<std::unique_ptr<std::uint64_t[]>> memory;
  std::vector<knot*> knots;
  std::vector<std::vector<std::int64_t>> links;  // by name, before they are copied
  std::size_t bytes = 0;
};

TEST(hierarchical_blocking, copies_linked_nodes_with_all_their_links) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tangle old(seed);
    std::vector<std::uint64_t> arena(old.bytes / 8);
    linked_target target(std::as_writable_bytes(std::span(arena)), knot_links{});
    const std::size_t levels[] = {64, 256};
    hierarchical_blocking blocking(target, levels);
    for (knot* n : old.knots) {
      if (!target.is_copied(*n)) blocking.add(n);
    }
    EXPECT_EQ(target.offset(target.end()), old.bytes) << "seed " << seed;
    std::set<std::uint32_t> names;
    for (std::byte* at = reinterpret_cast<std::byte*>(arena.data()); at != target.end();
         at = target.next(at)) {
      knot& copy = *reinterpret_cast<knot*>(at);
      EXPECT_TRUE(names.insert(copy.name).second) << "twice";
      EXPECT_EQ(target.copy_of(*old.knots[copy.name]), &copy);
      for (std::size_t k = 0; k <= copy.more; ++k) {
        const std::int64_t to = old.links[copy.name][k];
        EXPECT_EQ(copy.link(k), to < 0 ? nullptr : target.copy_of(*old.knots[static_cast<std::size_t>(to)]))
            << "seed " << seed << ", link " << k << " of " << copy.name;
      }
    }
    EXPECT_EQ(names.size(), old.knots.size());
  }
}

TEST(hierarchical_blocking, copies_linked_nodes_in_the_order_of_the_graph) {
  struct pair_node {
    pair_node* child[2];
    std::uint64_t name;
  };
  struct pair_links {
    using node = pair_node;
    std::size_t bytes(const pair_node&) const { return sizeof(pair_node); }
    std::size_t successors(const pair_node&) const { return 2; }
    pair_node*& successor(pair_node& n, std::size_t k) const { return n.child[k]; }
    pair_node*& forward(pair_node& n) const { return n.child[0]; }
  };
  constexpr std::size_t count = 1000;
  std::vector<pair_node> nodes(count);
  for (std::size_t v = 0; v < count; ++v) {
    nodes[v].name = v;
    for (std::size_t k = 0; k < 2; ++k)
      nodes[v].child[k] = 2 * v + 1 + k < count ? &nodes[2 * v + 1 + k] : nullptr;
  }
  const block_levels levels = {72, 216, 4320};
  const vertex_sequence expected = order_of(testing::complete_tree(count), levels, sizeof(pair_node));
  std::vector<pair_node> arena(count);
  linked_target target(std::as_writable_bytes(std::span(arena)), pair_links{});
  hierarchical_blocking(target, levels).add(&nodes[0]);
  for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(arena[k].name, expected[k]) << "place " << k;
}

}  // namespace
}  // namespace orujo::internal::layout
