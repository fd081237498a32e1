// Jobs of two locales that count the messages of an algorithm's steps, on the loopback transport.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "system/runtime/runtime.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

inline constexpr std::uint64_t vertices_back_and_forth = 400;

//   0 -- 200 -- 1 -- 201 -- 2 -- ...      of two locales, the one owns 0 to 199: every edge leads to the
//   other
inline test_graph back_and_forth() {
  constexpr std::uint64_t vertices = vertices_back_and_forth;
  test_graph path{"back and forth", {}, vertices};
  for (std::uint64_t k = 0; k + 1 < vertices; ++k) {
    const auto at = [](std::uint64_t place) { return place / 2 + place % 2 * (vertices / 2); };
    path.list.edges.push_back({at(k), at(k + 1)});
    path.list.weights.push_back(100);  // far apart, so that a step is one edge
  }
  return path;
}

// [task] Number of messages from this core to other locales so far.
inline std::uint64_t messages_so_far() {
  std::uint64_t sum = 0;
  for (const messages::block_traffic& to : messages::messenger::here().traffic()) sum += to.messages_sent;
  return sum;
}

struct steps_taken {
  std::uint64_t steps = 0, messages = 0;  // messages: by the busiest core
};

// Runs f(distributed_graph) as the main task of a job of two locales of a core each.
template <class F>
void on_two_locales(const graph::edge_forms& forms, const test_graph& searched, const F& f,
                    graph::edge_placement placement = graph::edge_placement::automatic) {
  runtime::job_options options;
  options.cores = 1;
  options.steal = false;  // no core requests work meanwhile
  const exit_status ended = runtime::run_loopback(2, options, [&] {
    graph::build_options symmetrized;
    symmetrized.symmetrize = true;
    symmetrized.keep = forms;
    symmetrized.partition.placement = placement;
    const graph::distributed_graph graph = build(searched, symmetrized);
    f(graph);
    graph.destroy();
    return status();
  });
  EXPECT_EQ(ended, exit_status::ok);
}

// Runs search(locale_graph) on every core, and returns the number of its steps.
template <class Search>
steps_taken steps_of(const graph::edge_forms& forms, const Search& search,
                     const test_graph& searched = back_and_forth(),
                     graph::edge_placement placement = graph::edge_placement::automatic) {
  steps_taken taken;
  const auto count = [&](graph::distributed_graph graph) {
    loops::on_all_cores([graph, &search, to = at_home(taken)] {
      const steps_taken mine = search(graph.here());
      const auto most = collectives::all_reduce(
          mine.messages, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
      if (my_core() == 0) *to = {mine.steps, most};
    });
  };
  on_two_locales(forms, searched, count, placement);
  return taken;
}

}  // namespace orujo::internal::test_graphs
