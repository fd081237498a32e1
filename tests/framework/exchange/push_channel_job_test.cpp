#include "framework/exchange/push_channel.hpp"

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

  struct origin {
    std::uint64_t first_vertex;
    std::uint32_t phase;
  };
  void receive(const origin& from, std::span<const pushed<source_index>> pushes) {
    for (const auto& [target, source] : pushes) {
      EXPECT_TRUE(target >= g.my_part().first && target < g.my_part().last) << "at a core not its owner";
      received.push_back({from.phase, from.first_vertex + source.local, g.first_vertex + target});
    }
  }
};

// In two phases, the edges of this core's vertices that lead to mirrors; returns what core 0 gathers of all.
std::pair<std::vector<push>, std::vector<push>> push_all(const graph::locale_graph& g,
                                                         const codec_options& options) {
  collector sink{g, {}};
  std::vector<push> expected;
  push_channel<collector, source_index, collector::origin> pushes(sink, options);
  for (std::uint32_t phase = 0; phase < 2; ++phase) {
    pushes.set_note({g.first_vertex, phase});
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (const std::uint32_t target : g.out_rows->of(v)) {
        if (target < g.own) continue;
        pushes.push(g.home_of(target - g.own), {v});
        expected.push_back({phase, g.first_vertex + v, g.mirrored[target - g.own]});
      }
    }
    pushes.finish();
  }
  std::pair<std::vector<push>, std::vector<push>> all;
  for (const auto& part : loops::gather(expected, 0))
    all.first.insert(all.first.end(), part.begin(), part.end());
  for (const auto& part : loops::gather(sink.received, 0))
    all.second.insert(all.second.end(), part.begin(), part.end());
  return all;
}

TEST(push_channel, brings_edges_once_to_their_targets_owners) {
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

// Every core tells mirrors, of which several may be one vertex's, numbers and nothing, in two rounds.
struct adder {
  std::uint64_t sum = 0, told = 0;
  void receive(std::span<const pushed<double>> numbers) {
    for (const auto& [target, value] : numbers) sum += static_cast<std::uint64_t>(value) * (target + 1);
  }
  void receive(std::span<const pushed<no_value>> all) { told += all.size(); }
};

TEST(push_channel, brings_values_and_none) {
  for (const codec_options options : {codec_options{-1, 0}, {place_of(find_codec("bp128")), 0}}) {
    graph::build_options build;
    build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(0, build);
    loops::on_all_cores([graph, options] {
      const graph::locale_graph& g = graph.here();
      adder sink;
      push_channel<adder, double> numbers(sink, options);
      push_channel<adder, no_value> nothing(sink, options);
      std::uint64_t expected = 0, told = 0;
      for (int round = 0; round < 2; ++round) {
        const loops::index_range mine = loops::my_part_of_locale({0, g.mirrors});
        for (std::size_t m = mine.first; m < mine.last; ++m) {
          const graph::owned_place home = g.home_of(static_cast<std::uint32_t>(m));
          numbers.push(home, static_cast<double>(m));
          nothing.push(home, {});
          expected += m * (home.local + std::uint64_t{1});
          ++told;
        }
        numbers.finish();
        nothing.finish();
      }
      EXPECT_EQ(loops::all_reduce(sink.sum), loops::all_reduce(expected));
      EXPECT_EQ(loops::all_reduce(sink.told), loops::all_reduce(told));
    });
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::exchange
