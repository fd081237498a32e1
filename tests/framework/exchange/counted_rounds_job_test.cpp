#include "framework/exchange/counted_rounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "framework/exchange/mirror_values.hpp"
#include "system/base/random.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::exchange {
namespace {

constexpr int all_rounds = 6;

// Sets of different rounds are unrelated. A vertex is a member of about half of them.
bool is_in(std::uint64_t vertex, int round) {
  return (mix64(vertex + 1) >> static_cast<unsigned>(round) & 1) != 0;
}

std::vector<std::uint32_t> members_of(const graph::locale_graph& g, int round) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t v = 0; v < g.own; ++v) {
    if (is_in(g.first_vertex + v, round)) members.push_back(v);
  }
  return members;
}

// Values that mirrors show in each round, by local index. Each core of a locale writes its own mirrors only.
template <class T>
struct shown_of_rounds {
  explicit shown_of_rounds(std::size_t indices) {
    for (auto& one : of) one.assign(indices, T{});
  }
  std::array<std::vector<T>, all_rounds> of;
};

template <class T>
T shown_in(std::uint64_t vertex, int round) {
  return static_cast<T>(vertex * 7 + static_cast<std::uint64_t>(round) + 1);
}

// One core's part of an exchange, and the vertices that arrive in each round.
template <class T>
class reports {
 public:
  reports(const graph::locale_graph& g, std::shared_ptr<tasks::wait_queue> waiting)
      : graph_(g),
        shown_(collectives::share_on_locale<shown_of_rounds<T>>(
            [&] { return std::make_shared<shown_of_rounds<T>>(std::size_t{g.own} + g.mirrors); })),
        values_(g, told_sets::unrelated, codec_options_from_flags(), std::move(waiting)) {}

  mirror_values<T>& values() { return values_; }
  void open(int round) {
    values_.open({.shown = shown_->of[static_cast<std::size_t>(round)].data(),
                  .news = &news_[static_cast<std::size_t>(round)]});
  }
  void send(int round) {
    const std::vector<std::uint32_t> members = members_of(graph_, round);
    values_.send_listed(std::array{std::span<const std::uint32_t>(members)},
                        [&](std::uint32_t v) { return shown_in<T>(graph_.first_vertex + v, round); });
  }
  std::uint64_t received(int round) const { return news_[static_cast<std::size_t>(round)].size(); }
  void forget(int round) {
    news_[static_cast<std::size_t>(round)].clear();
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) std::ranges::fill(shown_->of[static_cast<std::size_t>(round)], T{});
    collectives::barrier();
  }
  // Number of mirrors that show a wrong value. All cores of the locale have reached the same point.
  int wrong(int round) const {
    int wrong = 0;
    for (std::uint32_t m = 0; leads_locale() && m < graph_.mirrors; ++m) {
      const std::uint64_t vertex = graph_.mirrored[m];
      const T right = is_in(vertex, round) ? shown_in<T>(vertex, round) : T{};
      wrong += shown_->of[static_cast<std::size_t>(round)][graph_.own + m] != right ? 1 : 0;
    }
    return wrong;
  }

 private:
  const graph::locale_graph& graph_;
  std::shared_ptr<shown_of_rounds<T>> shown_;
  std::array<std::vector<std::uint32_t>, all_rounds> news_;
  mirror_values<T> values_;
};

template <class Part>
int sum_on_every_graph(Part part) {
  int all = 0;
  for (const std::size_t index : test_graphs::places_in_turn()) {
    graph::build_options options;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(index, options);
    all += loops::on_all_cores([graph, part] { return collectives::all_reduce(part(graph.here())); });
    graph.destroy();
  }
  return all;
}

// Runs two exchanges, the second of which takes part in every other round only.
int wrong_of_two_together(const graph::locale_graph& g) {
  const auto waiting = std::make_shared<tasks::wait_queue>();
  reports<double> first(g, waiting);
  reports<std::int32_t> second(g, waiting);
  int wrong = 0;
  for (int round = 0; round < all_rounds; ++round) {
    std::vector<counted_rounds*> both{&first.values()};
    first.open(round);
    first.send(round);
    if (round % 2 == 1) {
      both.push_back(&second.values());
      second.open(round);
      second.send(round);
    }
    if (counted_rounds::complete(both, 1, std::plus<>()) != cores()) ++wrong;
    collectives::barrier(collectives::group::locale);
    wrong += first.wrong(round) + (round % 2 == 1 ? second.wrong(round) : 0);
  }
  collectives::barrier();
  return wrong;
}

TEST(counted_rounds, of_several_exchanges_are_completed_together) {
  EXPECT_EQ(sum_on_every_graph([](const graph::locale_graph& g) { return wrong_of_two_together(g); }), 0);
}

// Runs all rounds with reductions, from which each core gets the number of vertices that it receives. Then
// the same rounds run without reductions, so cores that receive nothing are several rounds ahead of others.
int wrong_without_meetings(const graph::locale_graph& g) {
  reports<double> all(g, std::make_shared<tasks::wait_queue>());
  std::array<std::uint64_t, all_rounds> expected{};
  int wrong = 0;
  for (int round = 0; round < all_rounds; ++round) {
    all.open(round);
    all.send(round);
    all.values().meet();
    all.values().await();
    expected[static_cast<std::size_t>(round)] = all.received(round);
    all.forget(round);
  }
  for (int round = 0; round < all_rounds; ++round) {
    all.send(round);
    all.values().end_sends();
    all.open(round);
    all.values().await_vertices(expected[static_cast<std::size_t>(round)]);
    wrong += all.received(round) != expected[static_cast<std::size_t>(round)] ? 1 : 0;
  }
  collectives::barrier();
  for (int round = 0; round < all_rounds; ++round) wrong += all.wrong(round);
  return wrong;
}

TEST(counted_rounds, end_without_a_reduction_where_it_is_known_how_much_arrives) {
  EXPECT_EQ(sum_on_every_graph([](const graph::locale_graph& g) { return wrong_without_meetings(g); }), 0);
}

}  // namespace
}  // namespace orujo::internal::exchange
