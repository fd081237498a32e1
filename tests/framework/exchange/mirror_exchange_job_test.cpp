#include "framework/exchange/mirror_exchange.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "system/report/merged_metrics.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::exchange {
namespace {

// In round r a vertex takes a new value with a probability of 1 / one_in[r], or never for 0. In every other
// round most of the new values are alike, if they are integers.
constexpr std::array<std::uint64_t, 9> one_in = {1, 1, 10, 0, 2, 300, 1, 50, 3};

template <class T>
T value_of(std::uint64_t vertex, std::size_t round) {
  for (std::size_t r = round; r > 0; --r) {
    if (one_in[r] == 0 || mix64(vertex * 64 + r) % one_in[r] != 0) continue;
    const std::uint64_t any = mix64(vertex + r * 0x9e3779b97f4a7c15u);
    return static_cast<T>(std::is_integral_v<T> && r % 2 == 0 && any % 16 != 0 ? r : any >> 41);
  }
  return static_cast<T>(vertex % 1000);
}

template <class T>
int wrong_mirrors(const graph::locale_graph& g, const std::vector<T>& values, std::size_t round) {
  int wrong = 0;
  for (std::uint32_t m = 0; m < g.mirrors; ++m)
    wrong += values[g.own + m] == value_of<T>(g.mirrored[m], round) ? 0 : 1;
  return wrong;
}

// One core's part of all rounds. Peers may be a round ahead; mirrors must not show values of that round.
template <class T>
int exchange_values(const graph::locale_graph& g, const codec_options& options) {
  const auto values = collectives::share_on_locale<std::vector<T>>(
      [&] { return std::make_shared<std::vector<T>>(std::size_t{g.own} + g.mirrors); });
  mirror_exchange<T> mirrors(g, *values, options);
  int wrong = 0;
  for (std::size_t round = 0; round < one_in.size(); ++round) {
    // Every third exchange has a collective before it and none within, as before a superstep that pulls after
    // pushes.
    const bool after_push = round % 3 == 1;
    if (after_push) collectives::barrier();
    const graph::core_part& part = g.my_part();
    std::vector<std::uint32_t> may_have_changed;
    for (std::uint32_t v = part.first; v < part.last; ++v) {
      const T now = value_of<T>(g.first_vertex + v, round);
      if (std::exchange((*values)[v], now) != now || v % 7 == 0) may_have_changed.push_back(v);
    }
    // Every other exchange, beginning with the first, gets a list of vertices that may have changed.
    round % 2 == 0 ? mirrors.start(may_have_changed) : mirrors.start();
    if (!after_push) collectives::barrier();
    mirrors.finish();
    collectives::barrier(collectives::group::locale);
    wrong += wrong_mirrors(g, *values, round);
    for (std::uint64_t k = mix64(round * 64 + static_cast<std::uint64_t>(my_core())) % 40; k > 0; --k)
      tasks::yield();
    wrong += wrong_mirrors(g, *values, round);
    collectives::barrier(collectives::group::locale);
  }
  return collectives::all_reduce(wrong);
}

template <class T>
int wrong_on(const graph::distributed_graph& graph, const codec_options& options) {
  int wrong = -1;
  loops::on_all_cores([graph, options, to = at_home(wrong)] {
    const int mine = exchange_values<T>(graph.here(), options);
    if (my_core() == 0) *to = mine;
  });
  return wrong;
}

TEST(mirror_exchange, brings_every_mirror_its_vertexs_value) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const graph::distributed_graph graph = test_graphs::build(index, {});
    EXPECT_EQ(wrong_on<float>(graph, {-1, 0}), 0) << test_graphs::all()[index].name;
    EXPECT_EQ(wrong_on<std::uint64_t>(graph, {place_of(find_codec("bp128")), 0}), 0)
        << test_graphs::all()[index].name;
    graph.destroy();
  }
}

TEST(mirror_exchange, brings_them_in_every_codec) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  for (const codec* c : codecs()) EXPECT_EQ(wrong_on<float>(graph, {place_of(c), 0}), 0) << c->name;
  graph.destroy();
}

// Values double in the first rounds. The first exchange is exact, and so is one of values that are listed.
TEST(mirror_exchange, rounds_changes_and_makes_up_for_it) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  constexpr std::size_t rounds = 7, last_doubled = 3, listed = 2;
  std::array<double, rounds> errors{};  // the largest relative ones
  loops::on_all_cores([graph, to = at_home(errors)] {
    const graph::locale_graph& g = graph.here();
    const auto values = collectives::share_on_locale<std::vector<float>>(
        [&] { return std::make_shared<std::vector<float>>(std::size_t{g.own} + g.mirrors); });
    mirror_exchange<float> mirrors(g, *values, {}, true);
    std::vector<std::uint32_t> mine(g.my_part().last - g.my_part().first);
    std::iota(mine.begin(), mine.end(), g.my_part().first);
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto right = [&](std::uint64_t vertex) {
        const auto first = std::sqrt(static_cast<float>(vertex + 1));
        return std::ldexp(first, static_cast<int>(round < last_doubled ? round : last_doubled));
      };
      for (const std::uint32_t v : mine) (*values)[v] = right(g.first_vertex + v);
      round == listed ? mirrors.start(mine) : mirrors.start();
      mirrors.finish();
      collectives::barrier();
      double worst = 0;
      for (std::uint32_t m = 0; m < g.mirrors; ++m)
        worst = std::max<double>(worst, std::abs((*values)[g.own + m] / right(g.mirrored[m]) - 1));
      worst = collectives::all_reduce(worst, [](double x, double y) { return std::max(x, y); });
      if (my_core() == 0) (*to)[round] = worst;
      collectives::barrier();
    }
  });
  graph.destroy();
  const double once = locales() > 1 ? 0x1p-9 : 0;  // half of the value is new
  const std::array<double, rounds> most = {0, once, 0, once, once / 256, 0, 0};
  for (std::size_t k = 0; k < rounds; ++k) EXPECT_LE(errors[k], most[k]) << "round " << k;
  if (locales() > 1) {
    EXPECT_GT(errors[1], 0x1p-12) << "nothing was rounded";
  }
}

// The last locale sends nothing before the others have the values of all others.
TEST(mirror_exchange, shows_some_mirrors_while_others_are_on_their_way) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  int wrong = -1;
  loops::on_all_cores([graph, to = at_home(wrong)] {
    const graph::locale_graph& g = graph.here();
    const auto values = collectives::share_on_locale<std::vector<float>>(
        [&] { return std::make_shared<std::vector<float>>(std::size_t{g.own} + g.mirrors, -1.0f); });
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      (*values)[v] = static_cast<float>(g.first_vertex + v);
    mirror_exchange<float> mirrors(g, *values);
    const bool late = my_locale() == locales() - 1;
    const std::uint64_t first_of_late = g.owners.first_of(shape().first_core_of(locales() - 1));
    const auto before = static_cast<std::uint32_t>(
        std::lower_bound(g.mirrored.begin(), g.mirrored.end(), first_of_late) - g.mirrored.begin());
    int mine = 0;
    const auto check = [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t m = first; m < last; ++m)
        mine += (*values)[g.own + m] == static_cast<float>(g.mirrored[m]) ? 0 : 1;
    };
    if (!late) {
      mirrors.start();
      mirrors.await(0, before);
      collectives::barrier(collectives::group::locale);
      check(0, before);
      for (std::uint32_t m = before; m < g.mirrors; ++m) mine += (*values)[g.own + m] == -1.0f ? 0 : 1;
    }
    collectives::barrier();
    if (late) mirrors.start();
    mirrors.finish();
    collectives::barrier(collectives::group::locale);
    check(0, g.mirrors);
    mine = collectives::all_reduce(mine);
    if (my_core() == 0) *to = mine;
  });
  EXPECT_EQ(wrong, 0);
  graph.destroy();
}

// Values whose bytes differ are sent although they compare equal, as 0 and -0 do. A NaN, which equals no
// value, is sent, too.
TEST(mirror_exchange, compares_bytes) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  int wrong = -1;
  loops::on_all_cores([graph, to = at_home(wrong)] {
    const graph::locale_graph& g = graph.here();
    const auto values = collectives::share_on_locale<std::vector<float>>(
        [&] { return std::make_shared<std::vector<float>>(std::size_t{g.own} + g.mirrors); });
    mirror_exchange<float> mirrors(g, *values);
    int mine = 0;
    for (const float all : {0.0f, -0.0f, std::nanf("")}) {
      const graph::core_part& part = g.my_part();
      for (std::uint32_t v = part.first; v < part.last; ++v) (*values)[v] = all;
      mirrors.start();
      mirrors.finish();
      collectives::barrier();
      for (std::uint32_t m = g.own; m < values->size(); ++m)
        mine += std::memcmp(&(*values)[m], &all, sizeof all) == 0 ? 0 : 1;
      collectives::barrier();
    }
    mine = collectives::all_reduce(mine);
    if (my_core() == 0) *to = mine;
  });
  EXPECT_EQ(wrong, 0);
  graph.destroy();
}

// A value that all mirrors are assumed to have is not sent. Other values are sent, of few vertices or of all.
TEST(mirror_exchange, sends_what_differs_from_an_assumed_value) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  int wrong = -1;
  loops::on_all_cores([graph, to = at_home(wrong)] {
    const graph::locale_graph& g = graph.here();
    const graph::core_part& part = g.my_part();
    const auto values = collectives::share_on_locale<std::vector<std::uint32_t>>(
        [&] { return std::make_shared<std::vector<std::uint32_t>>(std::size_t{g.own} + g.mirrors); });
    mirror_exchange<std::uint32_t> mirrors(g, *values);
    int mine = 0;
    for (std::uint32_t round = 0; round < 6; ++round) {
      const auto listed = [&](std::uint64_t vertex) { return vertex % (3 * round + 1) == round; };
      const std::uint32_t assumed = 100 + round, other = 7 + round / 2;
      std::vector<std::uint32_t> news;
      for (std::uint32_t v = part.first; v < part.last; ++v) {
        (*values)[v] = 1;  // not sent unless it is listed
        if (!listed(g.first_vertex + v)) continue;
        (*values)[v] = other;
        news.push_back(v);
      }
      if (round % 2 == 1) {
        for (std::uint32_t v = part.first; v < part.last; ++v) {
          if (!listed(g.first_vertex + v)) (*values)[v] = assumed;
        }
      }
      mirrors.assume(assumed);
      collectives::barrier();
      round % 2 == 1 ? mirrors.start() : mirrors.start(news);
      mirrors.finish();
      collectives::barrier(collectives::group::locale);
      for (std::uint32_t m = 0; m < g.mirrors; ++m)
        mine += (*values)[g.own + m] == (listed(g.mirrored[m]) ? other : assumed) ? 0 : 1;
      collectives::barrier();
    }
    mine = collectives::all_reduce(mine);
    if (my_core() == 0) *to = mine;
  });
  EXPECT_EQ(wrong, 0);
  graph.destroy();
}

struct sent_bytes {
  std::uint64_t raw, sent, places_raw, places;
};
sent_bytes metrics_now() {
  const observe::metric_values all = report::merged_metrics();
  return {all.count_of("exchange.value_bytes_raw"), all.count_of("exchange.value_bytes"),
          all.count_of("exchange.place_bytes_raw"), all.count_of("exchange.place_bytes")};
}

TEST(mirror_exchange, sends_and_counts_only_what_is_shorter) {
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, {});
  std::uint64_t mirrors = 0;
  for (locale_id l = 0; l < locales(); ++l)
    mirrors +=
        delegates::call(shape().first_core_of(l), [graph] { return std::uint64_t{graph.here().mirrors}; });
  const auto run = [&](const codec* c) {
    const sent_bytes before = metrics_now();
    EXPECT_EQ(wrong_on<float>(graph, {place_of(c), 0}), 0);
    const sent_bytes after = metrics_now();
    return sent_bytes{after.raw - before.raw, after.sent - before.sent, after.places_raw - before.places_raw,
                      after.places - before.places};
  };
  const sent_bytes raw = run(find_codec("none")), packed = run(find_codec("bp128"));
  EXPECT_EQ(raw.raw, mirrors * 4 * one_in.size());
  EXPECT_EQ(packed.raw, raw.raw);
  EXPECT_EQ(mirrors > 0, locales() > 1);
  if (mirrors == 0) {
    EXPECT_EQ(packed.sent + packed.places + raw.sent + raw.places, 0u);
    graph.destroy();
    return;
  }
  // The nine rounds send all values in 3 rounds, and 1/2, 1/3, 1/10, 1/50, 1/300 and 0 of them in the others,
  // with their indices.
  EXPECT_GT(raw.sent, raw.raw / 9 * 4);
  EXPECT_LT(raw.sent, raw.raw / 9 * 6);
  EXPECT_LT(packed.sent, raw.sent);
  EXPECT_LT(packed.places * 2, packed.places_raw);
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::exchange
