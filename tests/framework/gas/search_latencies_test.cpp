// A program of sources sends no more between locales than the library's search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/report/merged_metrics.hpp"
#include "tests/framework/counted_steps.hpp"
#include "tests/framework/test_graphs.hpp"

namespace orujo::internal::gas {
namespace {

using steps::direction, test_graphs::messages_so_far;

struct finding_parents {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.number() == 0; }
  bool apply(const vertex& v, const source& from, aggregate&) {
    parents[v] = from.number();
    return true;
  }
  property<std::uint64_t> parents;
};

struct sent {
  std::uint64_t messages = 0;               // by the busiest core
  std::uint64_t bit_bytes = 0, values = 0;  // by all cores, in bytes
};

std::uint64_t count_of(const char* metric) { return report::merged_metrics().count_of(metric); }

// Every core calls search(locale_graph), which returns its messages.
template <class Search>
sent sent_by(graph::distributed_graph graph, const Search& search) {
  const std::uint64_t bits = count_of("exchange.bit_bytes"), values = count_of("exchange.value_bytes");
  sent all;
  loops::on_all_cores([graph, search, to = at_home(all)] {
    const std::uint64_t messages = search(graph.here());
    const auto most =
        collectives::all_reduce(messages, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
    if (my_core() == 0) to->messages = most;
  });
  all.bit_bytes = count_of("exchange.bit_bytes") - bits;
  all.values = count_of("exchange.value_bytes") - values;
  return all;
}

// A search that is not the first on its graph: what cores keep of the graph is there.
sent sent_by_program(graph::distributed_graph graph, direction way) {
  const auto parents = property<std::uint64_t>::create(graph);
  const auto search = [=](graph::locale_graph& g) {
    finding_parents program{parents};
    const std::uint64_t before = messages_so_far();
    run(program, g, {.direction = {way}});
    return messages_so_far() - before;
  };
  sent_by(graph, search);
  const sent all = sent_by(graph, search);
  parents.destroy();
  return all;
}

sent sent_by_library(graph::distributed_graph graph, direction way) {
  return sent_by(graph, [way](graph::locale_graph& g) {
    algorithms::breadth_first_search searches(g, {way}, {.begins = algorithms::going_ahead::when::never});
    const std::uint64_t before = messages_so_far();
    searches.run(0);
    return messages_so_far() - before;
  });
}

void expect_no_more_is_sent(const test_graphs::test_graph& searched) {
  for (const auto way : {direction::push, direction::pull, direction::automatic}) {
    SCOPED_TRACE(searched.name + " " + std::to_string(static_cast<int>(way)));
    sent program, library;
    test_graphs::on_two_locales(forms_for<finding_parents>(), searched, [&](graph::distributed_graph graph) {
      program = sent_by_program(graph, way);
      library = sent_by_library(graph, way);
    });
    EXPECT_GT(library.bit_bytes, 0u);
    EXPECT_EQ(program.bit_bytes, library.bit_bytes);
    EXPECT_EQ(program.values, 0u);
    EXPECT_LE(program.messages, library.messages + 1);  // a barrier ends the run
  }
}

TEST(search_latencies, of_a_program_of_sources_are_those_of_the_librarys_search) {
  expect_no_more_is_sent(test_graphs::back_and_forth());
}
TEST(search_latencies, of_a_program_of_sources_are_those_of_the_librarys_search_with_many_at_a_time) {
  expect_no_more_is_sent(test_graphs::all()[11]);  // random
}

}  // namespace
}  // namespace orujo::internal::gas
