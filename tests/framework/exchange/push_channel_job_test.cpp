#include "framework/exchange/push_channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <compare>
#include <functional>

#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::exchange {
namespace {

// Source and target as vertex numbers.
struct push {
  std::uint32_t phase;
  std::uint64_t source, target;
  auto operator<=>(const push&) const = default;
};

// A mirror's vertex where it lives.
struct home {
  core_id owner;
  std::uint32_t local;
};
home home_of(const graph::locale_graph& g, std::uint32_t mirror) {
  const core_id owner = g.owners.owner(g.mirrored[mirror]);
  const core_id leader = shape().first_core_of(shape().locale_of(owner));
  return {owner, static_cast<std::uint32_t>(g.mirrored[mirror] - g.owners.first_of(leader))};
}

// Ends a round in which what comes is handed over at once.
template <class Channel>
void end_round(Channel& pushes) {
  pushes.finish(0, std::plus<>());
  pushes.open();
  loops::barrier();
}

struct collector {
  const graph::locale_graph& g;
  std::vector<push> received;

  struct origin {
    std::uint64_t first_vertex;
    std::uint32_t phase;
  };
  void receive(const origin& from, std::span<const pushed<std::uint32_t>> pushes) {
    for (const auto& [target, source] : pushes) {
      EXPECT_TRUE(target >= g.my_part().first && target < g.my_part().last) << "at a core not its owner";
      received.push_back({from.phase, from.first_vertex + source, g.first_vertex + target});
    }
  }
};

// In two phases, the edges of this core's vertices that lead to mirrors; returns what core 0 gathers of all.
std::pair<std::vector<push>, std::vector<push>> push_all(const graph::locale_graph& g,
                                                         const codec_options& options) {
  collector sink{g, {}};
  std::vector<push> expected;
  push_channel<collector, std::uint32_t, collector::origin> pushes(sink, options);
  for (std::uint32_t phase = 0; phase < 2; ++phase) {
    pushes.set_note({g.first_vertex, phase});
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (const std::uint32_t target : g.out_rows->of(v)) {
        if (target < g.own) continue;
        const home to = home_of(g, target - g.own);
        pushes.push(to.owner, {to.local, v});
        expected.push_back({phase, g.first_vertex + v, g.mirrored[target - g.own]});
      }
    }
    end_round(pushes);
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
    loops::on_all_cores([graph, options, to = at_home(all)] {
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
          const home to = home_of(g, static_cast<std::uint32_t>(m));
          numbers.push(to.owner, {to.local, static_cast<double>(m)});
          nothing.push(to.owner, {to.local, {}});
          expected += m * (to.local + std::uint64_t{1});
          ++told;
        }
        end_round(numbers);
        end_round(nothing);
      }
      EXPECT_EQ(loops::all_reduce(sink.sum), loops::all_reduce(expected));
      EXPECT_EQ(loops::all_reduce(sink.told), loops::all_reduce(told));
    });
    graph.destroy();
  }
}

// Takes what is of its round, and counts what is not.
struct of_rounds {
  struct note {
    std::uint32_t round;
  };
  std::uint32_t round = 0;
  std::uint64_t sum = 0, pushes = 0, early = 0;
  void receive(const note& from, std::span<const pushed<std::uint32_t>> all) {
    early += from.round == round ? 0 : all.size();
    pushes += all.size();
    for (const auto& [target, value] : all) sum += value * (target + std::uint64_t{1});
  }
};

// The bytes that are combined beside the pushes: few, or so many bytes that pushes are counted separately.
template <std::size_t Words>
struct combined {
  std::array<std::uint64_t, Words> words{};
};

struct totals {
  std::uint64_t sum = 0, pushes = 0, early = 0, wrong = 0;
};

// Several rounds after one another, in which cores push much, little or nothing and open at their leisure.
template <std::size_t Words>
void push_in_rounds(const graph::locale_graph& g) {
  of_rounds sink;
  push_channel<of_rounds, std::uint32_t, of_rounds::note> pushes(sink);
  totals told, wrong;
  random_stream random(static_cast<std::uint64_t>(my_core()) + 1);
  constexpr std::uint32_t rounds = 24;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (round > 0) {
      sink.round = round;
      for (std::uint64_t k = random.below(20); k > 0; --k) tasks::yield();
      pushes.open();
    }
    pushes.set_note({round});
    const std::uint64_t one_in = 1 + random.below(4) * random.below(200);
    const std::uint64_t before = told.pushes;
    for (std::uint32_t m = 0; m < g.mirrors; ++m) {
      if (random.below(one_in) != 0) continue;
      const home to = home_of(g, m);
      pushes.push(to.owner, {to.local, round + m});
      told.sum += (round + m) * (to.local + std::uint64_t{1});
      ++told.pushes;
    }
    combined<Words> mine;
    mine.words.front() = told.pushes - before;
    mine.words.back() += std::uint64_t{1} << 32;
    const combined<Words> all = pushes.finish(mine, [](combined<Words> a, const combined<Words>& b) {
      for (std::size_t k = 0; k < Words; ++k) a.words[k] += b.words[k];
      return a;
    });
    wrong.wrong += all.words.back() >> 32 != static_cast<std::uint64_t>(cores());
    wrong.pushes += all.words.front() & 0xffffffff;
  }
  const auto sum = [](totals a, const totals& b) {
    return totals{a.sum + b.sum, a.pushes + b.pushes, a.early + b.early, a.wrong + b.wrong};
  };
  const totals all_told = loops::all_reduce(told, sum);
  const totals heard = loops::all_reduce(totals{sink.sum, sink.pushes, sink.early, wrong.wrong}, sum);
  EXPECT_EQ(heard.sum, all_told.sum);
  EXPECT_EQ(heard.pushes, all_told.pushes);
  EXPECT_EQ(heard.early, 0u) << "pushes of a round that is not open";
  EXPECT_EQ(heard.wrong, 0u);
  EXPECT_EQ(wrong.pushes, all_told.pushes);
  EXPECT_EQ(pushes.sent(), told.pushes);
}

TEST(push_channel, keeps_rounds_of_one_reduction_apart) {
  graph::build_options build;
  build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  const graph::distributed_graph graph = test_graphs::build(test_graphs::all().size() - 1, build);
  loops::on_all_cores([graph] {
    push_in_rounds<1>(graph.here());
    push_in_rounds<255>(graph.here());
  });
  graph.destroy();
}

}  // namespace
}  // namespace orujo::exchange
