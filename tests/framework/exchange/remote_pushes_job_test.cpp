#include "framework/exchange/remote_pushes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>

#include "tests/framework/job_graph.hpp"

namespace orujo::exchange {
namespace {

// Source and target as vertex numbers.
struct push {
  std::uint32_t phase;
  std::uint64_t source, target;
  auto operator<=>(const push&) const = default;
};

struct collector {
  const graph::locale_graph& g;
  std::vector<push> received;

  void receive(std::uint32_t phase, std::uint64_t first_vertex, std::span<const pushed_edge> edges) {
    for (const pushed_edge& e : edges) {
      EXPECT_TRUE(e.target >= g.my_part().first && e.target < g.my_part().last) << "at a core not its owner";
      received.push_back({phase, first_vertex + e.source, g.first_vertex + e.target});
    }
  }
};

// In two phases, the edges of this core's vertices that lead to mirrors; returns what core 0 gathers of all.
std::pair<std::vector<push>, std::vector<push>> push_all(const graph::locale_graph& g,
                                                         const codec_options& options) {
  collector sink{g, {}};
  std::vector<push> expected;
  remote_pushes<collector> pushes(g, sink, options);
  for (std::uint32_t phase = 0; phase < 2; ++phase) {
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (const std::uint32_t target : g.out_rows->of(v)) {
        if (target < g.own) continue;
        pushes.push(phase, v, target);
        expected.push_back({phase, g.first_vertex + v, g.mirrored[target - g.own]});
      }
    }
    pushes.flush(phase);
    while (loops::all_reduce(pushes.sent()) != loops::all_reduce(pushes.received())) tasks::yield();
  }
  std::pair<std::vector<push>, std::vector<push>> all;
  for (const auto& part : loops::gather(expected, 0))
    all.first.insert(all.first.end(), part.begin(), part.end());
  for (const auto& part : loops::gather(sink.received, 0))
    all.second.insert(all.second.end(), part.begin(), part.end());
  return all;
}

TEST(remote_pushes, arrive_once_at_their_targets_owners) {
  for (std::size_t index = 0; index < test_graphs::all().size(); ++index) {
    const codec_options options{index % 2 == 0 ? place_of(find_codec("bp128")) : -1, 0};
    graph::build_options build;
    build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(index, build);
    std::pair<std::vector<push>, std::vector<push>> all;
    loops::on_all_cores([graph, options, to = &all] {
      auto mine = push_all(graph.here(), options);
      if (my_core() == 0) *to = std::move(mine);
    });
    auto& [expected, received] = all;
    std::sort(expected.begin(), expected.end());
    std::sort(received.begin(), received.end());
    EXPECT_EQ(received, expected) << test_graphs::all()[index].name;
    if (locales() > 1 && test_graphs::all()[index].name == "random_larger") {
      EXPECT_GT(received.size(), 1000u);
    }
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::exchange
