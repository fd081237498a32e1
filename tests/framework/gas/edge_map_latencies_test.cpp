// What a step of an edge map takes between locales: messages of a core, and who is told of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/property.hpp"
#include "system/loops/merged_metrics.hpp"
#include "tests/framework/counted_steps.hpp"

namespace orujo::gas {
namespace {

struct first_heard {
  using value = source;
  static constexpr auto combine = any{};
  bool visit(const vertex& v, const source& from) const {
    parent[v] = from.number();
    return true;
  }
  property<std::uint64_t> parent;
};

// From vertex 0.
struct search_taken {
  std::uint64_t steps = 0, messages = 0;  // messages: by the busiest core
  std::uint64_t told = 0;                 // members, by all cores
};
search_taken search_by_edge_maps(engine::direction way) {
  search_taken taken;
  test_graphs::on_two_locales(
      forms_for_maps, test_graphs::back_and_forth(), [&](graph::distributed_graph graph) {
        const auto parent = property<std::uint64_t>::create(graph);
        vertex_set frontier = vertex_set::of(graph, {0});
        vertex_set unseen = subtract(vertex_set::all(graph), frontier);
        const auto told_so_far = [] { return loops::merged_metrics().count_of("exchange.bit_bytes_raw"); };
        const std::uint64_t told_before = told_so_far();
        std::array<std::uint64_t, 2> before, after;
        for (core_id c = 0; c < 2; ++c)
          before[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
        for (; !frontier.empty(); ++taken.steps)
          frontier = edge_map(frontier, first_heard{parent}, {.direction = {way}, .out_of = &unseen});
        for (core_id c = 0; c < 2; ++c)
          after[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
        taken.messages = std::max(after[0] - before[0], after[1] - before[1]);
        taken.told = (told_so_far() - told_before) / sizeof(std::uint64_t);
        parent.destroy();
      });
  return taken;
}

TEST(edge_map_latencies, of_a_step_are_two_reductions_and_a_call) {
  for (const auto way : {engine::direction::push, engine::direction::pull}) {
    const search_taken search = search_by_edge_maps(way);
    EXPECT_EQ(search.steps, test_graphs::vertices_back_and_forth);
    // Two reductions, the call or its answer, and of every other step a member.
    EXPECT_LE(search.messages, 3 * search.steps + search.steps / 2 + 10);
  }
}

TEST(edge_map_latencies, bring_each_member_to_a_locale_once) {
  for (const auto way : {engine::direction::push, engine::direction::pull, engine::direction::automatic})
    EXPECT_EQ(search_by_edge_maps(way).told, test_graphs::vertices_back_and_forth);  // each has a mirror
}

}  // namespace
}  // namespace orujo::gas
