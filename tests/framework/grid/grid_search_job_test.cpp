#include "framework/grid/grid_search.hpp"

#include <gtest/gtest.h>

#include "framework/device/serial.hpp"
#include "framework/grid/grid_gpu.hpp"
#include "system/delegates/delegate.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_grid.hpp"
#include "tests/framework/search_tree.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::expect_right;
using test_graphs::place_in_tree;
using test_graphs::search_tree;

// The searches of one graph with the same options, seen from core 0.
class grid_searches {
 public:
  grid_searches(graph::grid_graph graph, const steps::direction_options& options,
                const exchange::codec_options& codecs, const device::selection& by = {})
      : graph_(graph),
        parts_(containers::symmetric<std::shared_ptr<grid_search>>::create_by([graph, options, codecs, by] {
          return std::make_shared<grid_search>(graph.here(), options, codecs, by);
        })) {}
  ~grid_searches() { parts_.destroy(); }

  // Every core must report the same, but for the times.
  grid_search_report run(std::uint64_t source) {
    grid_search_report report;
    int disagreeing = 0;
    loops::on_all_cores([parts = parts_, source, to = at_home(report), count = at_home(disagreeing)] {
      const grid_search_report mine = parts.here()->run(source);
      const grid_search_report of_core_0 = collectives::broadcast(mine, 0);
      const bool same = mine.levels == of_core_0.levels && mine.pulls == of_core_0.pulls &&
                        mine.vertices == of_core_0.vertices && mine.out_edges == of_core_0.out_edges &&
                        mine.row.sent == of_core_0.row.sent && mine.column.raw == of_core_0.column.raw;
      const int differ = collectives::all_reduce(same ? 0 : 1);
      if (my_core() != 0) return;
      *to = mine;
      *count = differ;
    });
    EXPECT_EQ(disagreeing, 0);
    return report;
  }

  search_tree tree() {
    struct place {
      std::uint64_t vertex;
      place_in_tree in_tree;
    };
    search_tree whole;
    whole.parents.assign(graph_.here().shape.vertices, verify::unreached);
    whole.levels = whole.parents;
    loops::on_all_cores([parts = parts_, graph = graph_, to = at_home(whole)] {
      std::vector<place> mine;
      parts.here()->for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
        mine.push_back({graph.here().first_vertex + v,
                        {static_cast<std::int64_t>(parent), static_cast<std::int64_t>(level)}});
      });
      for (const auto& part : collectives::gather(mine, 0)) {
        for (const place& p : part) {
          EXPECT_EQ(to->levels[p.vertex], verify::unreached) << "visited twice";
          to->parents[p.vertex] = p.in_tree.parent;
          to->levels[p.vertex] = p.in_tree.level;
        }
      }
    });
    return whole;
  }

 private:
  const graph::grid_graph graph_;
  containers::symmetric<std::shared_ptr<grid_search>> parts_;
};

// Several sources one after the other in the same memory.
void search_grid(std::size_t index, bool symmetrize, std::span<const steps::direction_options> ways,
                 const exchange::codec_options& codecs, bool nodes_in_turn = false,
                 const device::selection& by = {}) {
  const test_graphs::test_graph whole = test_graphs::all()[index];
  verify::simple_graph_options simple_options;
  simple_options.vertex_count = whole.vertex_count;
  simple_options.symmetrize = symmetrize;
  const verify::simple_graph simple(whole.list.edges, simple_options);
  if (simple.vertex_count() == 0) return;
  graph::build_options build;
  build.symmetrize = symmetrize;
  const graph::grid_graph graph = test_graphs::build_grid(index, build, nodes_in_turn);
  for (const steps::direction_options& options : ways) {
    grid_searches all(graph, options, codecs, by);
    random_stream random(index);
    const bool long_path = whole.name == "path";  // a superstep for each edge
    if (long_path && &options != &ways.back()) continue;
    const int trials = long_path || sanitized ? 1 : 2;
    for (int trial = 0; trial < trials; ++trial) {
      // Small numbers have most of the edges of the random graphs, and the path begins there.
      const std::uint64_t source = trial == 0 ? 0 : random.below(simple.vertex_count());
      SCOPED_TRACE(testing::Message() << whole.name << (symmetrize ? ", symmetrized" : "") << ", source "
                                      << source << ", way " << &options - ways.data());
      const grid_search_report report = all.run(source);
      expect_right(simple, source, report, all.tree());
      if (options.wanted == steps::direction::push) {
        EXPECT_EQ(report.pulls, 0);
      } else if (options.wanted == steps::direction::pull) {
        EXPECT_EQ(report.pulls, report.levels);
      }
    }
  }
  graph.destroy();
}

const device::selection emulated{device::kind::emulated, {}};
constexpr steps::direction_options often{.search_alpha = 1e9};

TEST(grid_search, finds_trees_like_the_serial_search_in_all_directions) {
  const steps::direction_options ways[] = {
      {steps::direction::push}, {steps::direction::pull}, {steps::direction::automatic}, often};
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      search_grid(g, symmetrize, ways, {-1, 0});
    }
  }
}

TEST(grid_search, finds_trees_like_the_serial_search_on_a_gpu) {
  const steps::direction_options ways[] = {
      {steps::direction::push}, {steps::direction::pull}, {steps::direction::automatic}, often};
  for (const std::size_t g : test_graphs::places_in_turn())
    search_grid(g, g % 2 == 0, ways, {-1, 0}, g % 4 == 2, emulated);
}

// Only parents may differ.
TEST(grid_search, tells_others_the_same_by_cores_and_by_a_gpu) {
  graph::build_options build;
  build.symmetrize = true;
  const graph::grid_graph graph = test_graphs::build_grid(test_graphs::all().size() - 1, build);
  const exchange::codec_options options{exchange::place_of(exchange::find_codec("bp128")), 0};
  const auto report_by = [&](const device::selection& by) {
    return grid_searches(graph, often, options, by).run(0);
  };
  const grid_search_report cores = report_by({}), gpu = report_by(emulated);
  EXPECT_EQ(cores.pulls, gpu.pulls);
  EXPECT_EQ(cores.levels, gpu.levels);
  EXPECT_EQ(cores.row.raw, gpu.row.raw);
  EXPECT_EQ(cores.row.sent, gpu.row.sent);
  EXPECT_EQ(cores.column.raw, gpu.column.raw);
  EXPECT_EQ(cores.column.sent, gpu.column.sent);
  EXPECT_EQ(cores.times.copies, 0);
  EXPECT_GT(gpu.times.copies, 0);
  graph.destroy();
}

// An emulated GPU stands for a CUDA GPU.
TEST(grid_search, leaves_to_the_cores_what_a_gpu_has_no_memory_for) {
  const graph::grid_graph graph = test_graphs::build_grid(test_graphs::all().size() - 1, {});
  for (const std::size_t memory : {std::size_t{1000}, SIZE_MAX}) {
    for (locale_id l = 0; l < locales(); ++l) {  // one after the other, as some are of one process
      delegates::call(shape().first_core_of(l), [memory] {
        device::serial::memory = memory;
        detail::make_cuda_grid_gpu = [](const graph::locale_grid& g, detail::grid_state& state, int number,
                                        const detail::found_packing& packing) {
          return std::unique_ptr<detail::grid_gpu>(
              std::make_unique<detail::grid_gpu_on<device::serial>>(g, state, number, packing));
        };
      });
    }
    const grid_search_report found =
        grid_searches(graph, often, {-1, 0}, {device::kind::automatic, 0}).run(0);
    EXPECT_EQ(found.times.copies > 0, memory == SIZE_MAX);
  }
  graph.destroy();
}

TEST(grid_search, finds_trees_in_every_codec) {
  const std::size_t random_with_isolated = test_graphs::all().size() - 3;
  for (const exchange::codec* c : exchange::codecs()) {
    SCOPED_TRACE(c->name);
    for (const device::selection& by : {device::selection{}, emulated})
      search_grid(random_with_isolated, true, std::span(&often, 1), {exchange::place_of(c), 0}, false, by);
  }
}

TEST(grid_search, finds_trees_where_neighbouring_locales_lie_on_different_nodes) {
  for (std::size_t g = 0; g < test_graphs::all().size(); g += 2)
    search_grid(g, true, std::span(&often, 1), {-1, 0}, true);
}

TEST(grid_search, counts_what_it_sends) {
  const std::size_t last = test_graphs::all().size() - 1;
  graph::build_options build;
  build.symmetrize = true;
  const graph::grid_graph graph = test_graphs::build_grid(last, build);
  const auto report_with = [&](const char* name) {
    grid_searches all(graph, {steps::direction::automatic},
                      {exchange::place_of(exchange::find_codec(name)), 0});
    return all.run(0);
  };
  const grid_search_report plain = report_with("none"), packed = report_with("bp128");
  const graph::grid_shape shape = graph.here().shape;
  // Each vertex is sent to the column once. Parents are fetched only if another column has them.
  EXPECT_EQ(plain.column.raw, 8 * plain.vertices * static_cast<std::uint64_t>(shape.rows - 1));
  EXPECT_EQ(plain.row.raw > 0, shape.columns > 1);
  EXPECT_LE(plain.parents.raw, 2 * 8 * plain.vertices);
  EXPECT_EQ(plain.parents.raw > 0, shape.columns > 1);
  if (shape.rows > 1) {
    EXPECT_GE(plain.column.sent, plain.column.raw / 2);
    EXPECT_LT(packed.column.sent, packed.column.raw / 4);
  }
  if (shape.columns > 1) {
    EXPECT_GE(plain.row.sent, plain.row.raw / 2);
    EXPECT_LT(packed.row.sent, packed.row.raw / 4);
    EXPECT_LT(packed.parents.sent, plain.parents.sent);
  }
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
