#include "framework/exchange/mirror_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <string_view>

#include "system/base/random.hpp"
#include "system/report/merged_metrics.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::exchange {
namespace {

// Round in which the bit of a vertex is set: some bits in the first, hardly any in the second, none in the
// third, then many.
int round_of(std::uint64_t vertex) {
  random_stream random(vertex);
  const std::uint64_t drawn = random.below(1000);
  return drawn < 20 ? 0 : drawn < 22 ? 1 : drawn < 600 ? 3 : 4;
}
constexpr int rounds = 5;
bool bit_of(std::uint64_t vertex, int round) { return round_of(vertex) <= round; }

struct masks {
  std::vector<std::uint64_t> words[2];
  std::vector<std::uint64_t> told;  // mirrors whose bits a core has received
};

// Number of vertices and mirrors of this locale whose bit is wrong.
int wrong_bits(const graph::locale_graph& g, const std::vector<std::uint64_t>& mask, int round) {
  int wrong = 0;
  for (std::uint32_t i = 0; i < g.own + g.mirrors; ++i) {
    const std::uint64_t vertex = i < g.own ? g.first_vertex + i : g.mirrored[i - g.own];
    const bool bit = (mask[i / 64] >> i % 64 & 1) != 0;
    if (bit != bit_of(vertex, round)) ++wrong;
  }
  return wrong;
}

// Number of mirrors that have a bit which no core has received, or the other way round.
int untold(const graph::locale_graph& g, const std::vector<std::uint64_t>& mask,
           const std::vector<std::uint64_t>& told) {
  int wrong = 0;
  for (std::uint32_t i = g.own; i < g.own + g.mirrors; ++i)
    wrong += ((mask[i / 64] ^ told[i / 64]) >> i % 64 & 1) != 0 ? 1 : 0;
  return wrong;
}

// Number of mirrors whose bit has arrived early.
int early_bits(const graph::locale_graph& g, const std::vector<std::uint64_t>& mask, int round) {
  int early = 0;
  for (std::uint32_t i = g.own; i < g.own + g.mirrors; ++i) {
    const bool bit = (mask[i / 64] >> i % 64 & 1) != 0;
    early += bit != (round > 0 && bit_of(g.mirrored[i - g.own], round - 1));
  }
  return early;
}

// Own vertices whose bit is set in the round, in no order.
std::vector<std::uint32_t> fresh_in(const graph::locale_graph& g, int round) {
  std::vector<std::uint32_t> fresh;
  for (std::uint32_t v = 0; v < g.own; ++v) {
    if (round_of(g.first_vertex + v) == round) fresh.push_back(v);
  }
  std::rotate(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(fresh.size() / 3), fresh.end());
  return fresh;
}

// Number of bits that this core has received and that another core of the locale or an earlier round had.
std::uint64_t told_again(const std::vector<std::uint32_t>& news, std::vector<std::uint64_t>& told) {
  std::uint64_t again = 0;
  for (const std::uint32_t i : news) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    again += (std::atomic_ref(told[i / 64]).fetch_or(bit) & bit) != 0 ? 1 : 0;
  }
  return again;
}

// Ways in which the test sends: by masks, by masks with all bits under way before any is taken, or by lists
// of new vertices.
enum class sending { masks, all_before_any, fresh };

// One core's part: several rounds, in two masks in turn, each of which begins with the bits of the other. All
// rounds run twice, as for two searches.
int exchange_bits(const graph::locale_graph& g, const codec_options& options, sending how) {
  const std::size_t words = (std::size_t{g.own} + g.mirrors + 63) / 64;
  const auto shared = collectives::share_on_locale<masks>([] { return std::make_shared<masks>(); });
  if (leads_locale()) {
    for (auto& mask : shared->words) mask.resize(words);
  }
  collectives::barrier(collectives::group::locale);
  mirror_values<> bits(g, told_sets::growing, options);
  int wrong = 0;
  std::vector<std::uint32_t> news;
  for (int round = 0; round < 2 * rounds; ++round) {
    const int r = round % rounds;
    std::vector<std::uint64_t>& mask = shared->words[round % 2];
    if (leads_locale()) {
      std::copy_n(shared->words[1 - round % 2].begin(), words, mask.begin());
      if (r == 0) {
        std::fill(mask.begin(), mask.end(), 0);
        shared->told.assign(words, 0);
      }
      for (std::uint32_t v = 0; v < g.own; ++v) {
        if (bit_of(g.first_vertex + v, r)) mask[v / 64] |= std::uint64_t{1} << v % 64;
      }
    }
    if (r == 0) bits.forget();
    collectives::barrier();
    how == sending::fresh ? bits.send_fresh(mask, fresh_in(g, r)) : bits.send(mask);
    if (bits.meet(std::int64_t{1}, std::plus<>()) != cores()) ++wrong;
    if (how == sending::all_before_any) {
      collectives::barrier();
      wrong += early_bits(g, mask, r);
      collectives::barrier(collectives::group::locale);
    }
    news.clear();
    bits.await({.members = mask, .news = &news});
    wrong += static_cast<int>(told_again(news, shared->told));
    collectives::barrier(collectives::group::locale);
    wrong += wrong_bits(g, mask, r) + untold(g, mask, shared->told);
    collectives::barrier();
  }
  return collectives::all_reduce(wrong);
}

int wrong_on(const graph::distributed_graph& graph, const codec_options& options,
             sending how = sending::masks) {
  int wrong = -1;
  loops::on_all_cores([graph, options, how, to = at_home(wrong)] {
    const int mine = exchange_bits(graph.here(), options, how);
    if (my_core() == 0) *to = mine;
  });
  return wrong;
}

graph::distributed_graph build_with_rows(std::size_t index) {
  graph::build_options options;
  options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  return test_graphs::build(index, options);
}

TEST(mirror_values, brings_every_mirror_its_vertexs_bit) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const graph::distributed_graph graph = build_with_rows(index);
    EXPECT_EQ(wrong_on(graph, {-1, 0}), 0) << test_graphs::all()[index].name;
    graph.destroy();
  }
}

TEST(mirror_values, sets_none_before_they_are_awaited) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const graph::distributed_graph graph = build_with_rows(index);
    EXPECT_EQ(wrong_on(graph, {-1, 0}, sending::all_before_any), 0) << test_graphs::all()[index].name;
    graph.destroy();
  }
}

TEST(mirror_values, are_the_same_where_it_is_told_which_are_new) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const graph::distributed_graph graph = build_with_rows(index);
    EXPECT_EQ(wrong_on(graph, {-1, 0}, sending::fresh), 0) << test_graphs::all()[index].name;
    graph.destroy();
  }
}

TEST(mirror_values, brings_them_in_every_codec) {
  const graph::distributed_graph graph = build_with_rows(test_graphs::all().size() - 1);
  for (const codec* c : codecs()) {
    for (const sending how : {sending::masks, sending::fresh})
      EXPECT_EQ(wrong_on(graph, {place_of(c), 0}, how), 0) << c->name;
  }
  graph.destroy();
}

TEST(mirror_values, does_not_send_what_counts_as_sent) {
  const graph::distributed_graph graph = build_with_rows(test_graphs::all().size() - 1);
  const auto [told, told_else, mirrors] = loops::on_all_cores([graph] {
    const graph::locale_graph& g = graph.here();
    const auto shared = collectives::share_on_locale<masks>([] { return std::make_shared<masks>(); });
    if (leads_locale()) {
      for (auto& mask : shared->words) mask.assign((std::size_t{g.own} + g.mirrors + 63) / 64, 0);
      for (std::uint32_t v = 0; v < g.own; ++v) shared->words[0][v / 64] |= std::uint64_t{1} << v % 64;
    }
    collectives::barrier(collectives::group::locale);
    mirror_values<> bits(g, told_sets::growing);
    std::array<std::uint64_t, 3> counts{0, 0, leads_locale() ? g.mirrors : 0};
    for (const bool counted : {true, false}) {
      bits.forget();
      if (counted) bits.count_as_sent(shared->words[0]);
      collectives::barrier();
      bits.send(shared->words[0]);
      bits.meet();
      std::vector<std::uint32_t> news;
      bits.await({.members = shared->words[0], .news = &news});
      counts[counted ? 0 : 1] = news.size();
      collectives::barrier();
    }
    collectives::all_reduce(counts);
    return counts;
  });
  EXPECT_EQ(told, 0u);
  EXPECT_EQ(told_else, mirrors);
  graph.destroy();
}

TEST(mirror_values, sends_each_bit_once_and_shorter_than_plain) {
  const graph::distributed_graph graph = build_with_rows(test_graphs::all().size() - 1);
  std::uint64_t mirrors = 0;
  for (locale_id l = 0; l < locales(); ++l) {
    mirrors += delegates::call(shape().first_core_of(l), [graph] {
      const std::vector<std::uint64_t>& all = graph.here().mirrored;
      return static_cast<std::uint64_t>(
          std::count_if(all.begin(), all.end(), [](std::uint64_t v) { return bit_of(v, rounds - 1); }));
    });
  }
  for (const char* name : {"none", "bp128"}) {
    const observe::metric_values before = report::merged_metrics();
    EXPECT_EQ(wrong_on(graph, {place_of(find_codec(name)), 0}), 0);
    const observe::metric_values after = report::merged_metrics();
    const auto grown = [&](const char* metric) { return after.count_of(metric) - before.count_of(metric); };
    EXPECT_EQ(grown("exchange.bit_bytes_raw"), 2 * 8 * mirrors);
    if (mirrors == 0) continue;
    if (std::string_view(name) == "none") {
      EXPECT_GE(grown("exchange.bit_bytes"), grown("exchange.bit_bytes_raw") / 2);
    } else {
      EXPECT_LT(grown("exchange.bit_bytes"), grown("exchange.bit_bytes_raw") / 10);
    }
  }
  EXPECT_EQ(mirrors > 0, locales() > 1);
  graph.destroy();
}

// The value that a vertex shows in a round. In the third round all vertices show the same.
template <class T>
T shown_by(std::uint64_t vertex, int round) {
  T shown{};
  const std::uint64_t number = round == 2 ? 7 : mix64(vertex + static_cast<std::uint64_t>(round));
  std::memset(static_cast<void*>(&shown), static_cast<int>(number >> 56), sizeof(T));
  std::memcpy(static_cast<void*>(&shown), &number, std::min(sizeof(T), sizeof number));
  return shown;
}
// Unrelated sets, from hardly any to all vertices.
bool is_member(std::uint64_t vertex, int round) {
  constexpr std::uint64_t per_mille[] = {3, 1000, 400, 0, 60};
  return mix64(vertex * 8 + static_cast<std::uint64_t>(round)) % 1000 < per_mille[round];
}

template <class T>
struct shown_state {
  std::vector<std::uint64_t> mask;
  std::vector<T> shown;
  std::vector<std::uint64_t> told;
};

// One core's part. Counts mirrors that show another value than their vertices, mirrors that were not
// received, and mirrors that are no members.
template <class T>
int wrong_values(const graph::locale_graph& g, const codec_options& options, bool listed) {
  const std::size_t indices = std::size_t{g.own} + g.mirrors;
  const auto shared =
      collectives::share_on_locale<shown_state<T>>([] { return std::make_shared<shown_state<T>>(); });
  mirror_values<T> values(g, told_sets::unrelated, options);
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    if (leads_locale()) {
      shared->mask.assign((indices + 63) / 64, 0);
      shared->told.assign((indices + 63) / 64, 0);
      shared->shown.assign(indices, T{});
      for (std::uint32_t v = 0; v < g.own; ++v) {
        if (is_member(g.first_vertex + v, round)) shared->mask[v / 64] |= std::uint64_t{1} << v % 64;
      }
    }
    collectives::barrier();
    const auto show = [&](std::uint32_t v) { return shown_by<T>(g.first_vertex + v, round); };
    std::vector<std::uint32_t> news;
    if (listed) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t v = g.own; v-- > 0;) {
        if (is_member(g.first_vertex + v, round)) members.push_back(v);
      }
      const auto all = std::span<const std::uint32_t>(members);
      values.send_listed(std::array{all.first(all.size() / 3), all.subspan(all.size() / 3)}, show);
    } else {
      values.send(shared->mask, show);
    }
    values.meet();
    values.await({.members = shared->mask, .shown = shared->shown.data(), .news = &news});
    wrong += static_cast<int>(told_again(news, shared->told));
    collectives::barrier(collectives::group::locale);
    wrong += untold(g, shared->mask, shared->told);
    for (std::uint32_t i = g.own; i < indices; ++i) {
      const bool member = (shared->mask[i / 64] >> i % 64 & 1) != 0;
      const T right = member ? shown_by<T>(g.mirrored[i - g.own], round) : T{};
      wrong += member != is_member(g.mirrored[i - g.own], round) ? 1 : 0;
      wrong += std::memcmp(&shared->shown[i], &right, sizeof(T)) != 0 ? 1 : 0;
    }
    collectives::barrier();
  }
  return collectives::all_reduce(wrong);
}

template <class T>
void expect_values(const graph::distributed_graph& graph, const codec_options& options) {
  for (const bool listed : {false, true}) {
    int wrong = -1;
    loops::on_all_cores([graph, options, listed, to = at_home(wrong)] {
      const int mine = wrong_values<T>(graph.here(), options, listed);
      if (my_core() == 0) *to = mine;
    });
    EXPECT_EQ(wrong, 0) << sizeof(T) << " bytes" << (listed ? ", listed" : "");
  }
}

template <std::size_t Bytes>
struct wide {
  std::byte bytes[Bytes];
};

TEST(mirror_values, bring_mirrors_what_members_of_unrelated_sets_show) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const graph::distributed_graph graph = build_with_rows(index);
    SCOPED_TRACE(test_graphs::all()[index].name);
    expect_values<std::uint8_t>(graph, {-1, 0});
    expect_values<std::uint64_t>(graph, {-1, 0});
    expect_values<wide<20>>(graph, {-1, 0});
    expect_values<wide<100>>(graph, {-1, 0});   // a message does not hold all members of a full word
    expect_values<wide<3000>>(graph, {-1, 0});  // a message holds one
    graph.destroy();
  }
}

TEST(mirror_values, bring_them_in_every_codec) {
  const graph::distributed_graph graph = build_with_rows(test_graphs::all().size() - 1);
  for (const codec* c : codecs()) {
    SCOPED_TRACE(c->name);
    expect_values<std::uint32_t>(graph, {place_of(c), 0});
    expect_values<wide<100>>(graph, {place_of(c), 0});
  }
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::exchange
