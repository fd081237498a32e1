// Runs that follow each other on one graph, or take place within each other.
#include "framework/graph/kept_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/serial_levels.hpp"

namespace orujo::internal::graph {
namespace {

using gas::any, gas::forms_for, gas::minimum, gas::nothing, gas::run, gas::run_report;
constexpr std::uint32_t far_away = 1'000'000'000;

// Levels from a vertex, of vertices that are done once they are reached. Before the second superstep it may
// run another of its kind.
struct levels_from {
  static constexpr bool incremental = true, settles = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V level, V) const {
    using vectors::min;
    return min(level, V(far_away)) + V(1);
  }
  bool starts(const vertex& v) const { return v.number() == source; }
  value start(const vertex& v, aggregate&) { return levels.here()[v.local] = starts(v) ? 0 : far_away; }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    levels.here()[v.local] = shown = total;
    return true;
  }
  bool settled(const vertex& v) const { return levels.here()[v.local] != far_away; }
  bool next(int superstep, const aggregate&) {
    if (superstep == 1 && within != nullptr) {
      levels_from inner{*within, source / 2};
      run(inner, graph->here());
    }
    return true;
  }
  property<std::uint32_t> levels;
  std::uint64_t source;
  const property<std::uint32_t>* within = nullptr;
  const graph::distributed_graph* graph = nullptr;
};

// The same as a search.
struct levels_by_search {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V level, V) const {
    return level + V(1);
  }
  bool starts(const vertex& v) const { return v.number() == source; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex&, value level, value& shown, aggregate&) {
    shown = level;
    return true;
  }
  std::uint64_t source;
};

// The same search by sources. Vertices of level `silent_from` and beyond contribute nothing.
struct levels_by_sources {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.number() == root; }
  void start(const vertex& v, aggregate&) { levels[v] = starts(v) ? 0 : far_away; }
  bool next(int superstep, const aggregate&) {
    level = static_cast<std::uint32_t>(superstep) + 1;
    return true;
  }
  bool apply(const vertex& v, const source&, aggregate&) {
    levels[v] = level;
    return level < silent_from;
  }
  property<std::uint32_t> levels;
  std::uint64_t root;
  std::uint32_t silent_from;
  std::uint32_t level = 0;
};

class kept_memory : public testing::Test {
 protected:
  static constexpr std::size_t random = 11, source = 17;
  static graph::build_options options() {
    graph::build_options made{.symmetrize = true};
    made.keep = forms_for<levels_from, levels_by_search, levels_by_sources>();
    return made;
  }
  const test_graphs::test_graph& whole_ = test_graphs::all()[random];
  const graph::distributed_graph graph_ = test_graphs::build(random, options());
  const property<std::uint32_t> found_ = property<std::uint32_t>::create(graph_);
  const test_graphs::expected_graph expected_{whole_, options()};
  ~kept_memory() override {
    found_.destroy();
    graph_.destroy();
  }
};

TEST_F(kept_memory, is_as_new_for_every_run) {
  using steps::direction;
  using vectors::edge_schedule;
  for (const std::uint64_t from : {0, 40, 3, 200}) {
    const auto right = test_graphs::serial_levels(expected_, from, far_away);
    for (const direction way : {direction::pull, direction::automatic, direction::push}) {
      for (const int most : {1, 2, 1000}) {
        for (const std::size_t chunk : {0, 3}) {
          levels_from program{found_, from};
          const run_report report =
              run(program, graph_,
                  {.most_supersteps = most, .edges = {edge_schedule::dynamic, chunk}, .direction = {way}});
          if (report.ended) {
            EXPECT_EQ(test_graphs::by_vertex_number(found_), right) << "from " << from;
          }
        }
        levels_by_search search{from};
        if (run(search, graph_, found_, {.most_supersteps = most, .direction = {way}}).ended) {
          auto levels = test_graphs::by_vertex_number(found_);
          std::ranges::replace(levels, any::identity<std::uint32_t>(), far_away);
          EXPECT_EQ(levels, right) << "from " << from;
        }
        for (const std::uint32_t silent_from : {1u, far_away}) {
          levels_by_sources by_sources{found_, from, silent_from};
          if (!run(by_sources, graph_, {.most_supersteps = most, .direction = {way}}).ended) continue;
          auto expected = right;
          for (std::uint32_t& level : expected) {
            if (level > silent_from) level = far_away;
          }
          EXPECT_EQ(test_graphs::by_vertex_number(found_), expected) << "from " << from;
        }
      }
    }
  }
}

TEST_F(kept_memory, is_of_one_run_at_a_time) {
  const auto within = property<std::uint32_t>::create(graph_);
  for (int round = 0; round < 3; ++round) {
    loops::on_all_cores([graph = graph_, found = found_, within] {
      levels_from program{found, source, &within, &graph};
      run(program, graph.here());
    });
    EXPECT_EQ(test_graphs::by_vertex_number(found_), test_graphs::serial_levels(expected_, source, far_away));
    EXPECT_EQ(test_graphs::by_vertex_number(within),
              test_graphs::serial_levels(expected_, source / 2, far_away));
  }
  within.destroy();
}

}  // namespace
}  // namespace orujo::internal::graph
