// Scalar programs that process some vertices only.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/algorithms/label_propagation.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/verify/label_propagation_oracle.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using test_graphs::expected_graph;
using test_graphs::test_graph;

// The vertices that remain when vertices with fewer than `least` in-edges from remaining ones are removed.
// Values are sums, so no value may be sent twice.
struct survivors {
  static constexpr bool incremental = true;
  struct value {
    bool left;
  };
  using accumulator = std::uint32_t;
  static constexpr auto combine = sum{};
  struct aggregate {
    std::uint64_t applied = 0;
    void operator+=(const aggregate& other) { applied += other.applied; }
  };
  accumulator gather(const value& shown, float) const { return shown.left ? 1 : 0; }
  value start(const vertex& v, aggregate&) {
    left.here()[v.local] = 1;
    return {true};
  }
  bool apply(const vertex& v, accumulator total, value& shown, aggregate& sums) {
    ++sums.applied;
    if (!shown.left || total >= least) return false;
    shown.left = false;
    left.here()[v.local] = 0;
    return true;
  }
  bool next(int, const aggregate& last) {
    applied += last.applied;
    return true;
  }
  property<std::uint32_t> left;
  std::uint32_t least;
  std::uint64_t applied = 0;
};
static_assert(incremental_scalar_program<survivors> && !incremental_program<survivors>);
static_assert(forms_for<survivors>().out_rows && forms_for<survivors>().in_rows &&
              !forms_for<survivors>().in_vectors);

std::vector<std::uint32_t> serial_survivors(const expected_graph& graph, std::uint32_t least) {
  std::vector<std::uint32_t> left(graph.ids.size(), 1);
  for (bool changed = true; changed;) {
    std::vector<std::uint32_t> heard(left.size(), 0);
    for (const auto& e : graph.edges) heard[e.target] += left[e.source];
    changed = false;
    for (std::size_t v = 0; v < left.size(); ++v) {
      if (left[v] == 0 || heard[v] >= least) continue;
      left[v] = 0;
      changed = true;
    }
  }
  return left;
}

// Distances from vertex 0 whose value has two fields: the length, and the number of the vertex before, of
// several the least.
struct lengths {
  static constexpr bool incremental = true;
  struct value {
    float length;
    std::uint32_t number;
  };
  struct accumulator {
    float length;
    std::uint32_t before;
    friend auto operator<=>(const accumulator&, const accumulator&) = default;
  };
  struct lesser {
    accumulator operator()(const accumulator& a, const accumulator& b) const { return b < a ? b : a; }
    template <class T>
    static constexpr T identity() {
      return {std::numeric_limits<float>::infinity(), ~0u};
    }
  };
  static constexpr auto combine = lesser{};
  using aggregate = nothing;
  accumulator gather(const value& shown, float weight, const value&) const {
    return {shown.length + weight, shown.number};
  }
  bool starts(const vertex& v) const { return v.number() == 0; }
  value start(const vertex& v, aggregate&) {
    found.here()[v.local] = starts(v) ? 0 : std::numeric_limits<float>::infinity();
    return {found.here()[v.local], static_cast<std::uint32_t>(v.number())};
  }
  bool apply(const vertex& v, const accumulator& total, value& shown, aggregate&) {
    if (total.length >= shown.length) return false;
    found.here()[v.local] = shown.length = total.length;
    return true;
  }
  property<float> found;
};

constexpr steps::direction_options sparse_directions[] = {{steps::direction::pull, 20},
                                                          {steps::direction::push, 20},
                                                          {steps::direction::automatic, 20},
                                                          {steps::direction::automatic, 2}};

std::string described(const test_graph& whole, bool symmetrize, const steps::direction_options& way) {
  return whole.name + (symmetrize ? ", symmetrized" : "") + ", direction " +
         std::to_string(static_cast<int>(way.wanted)) + ", threshold " + std::to_string(way.push_divisor);
}

template <class Program>
graph::build_options forms_of(bool symmetrize) {
  graph::build_options options{.symmetrize = symmetrize};
  options.keep = forms_for<Program>();
  return options;
}

TEST(incremental_scalar_program, finds_survivors_like_the_serial_computation) {
  for (const bool symmetrize : {false, true}) {
    const graph::build_options options = forms_of<survivors>(symmetrize);
    for (const test_graph& whole : test_graphs::in_turn()) {
      const graph::distributed_graph graph = test_graphs::build(whole, options);
      const auto left = property<std::uint32_t>::create(graph);
      for (const std::uint32_t least : {1u, 3u}) {
        const auto right = serial_survivors(expected_graph(whole, options), least);
        for (const steps::direction_options& way : sparse_directions) {
          survivors program{left, least};
          run(program, graph, {.direction = way});
          EXPECT_EQ(test_graphs::by_vertex_number(left), right)
              << described(whole, symmetrize, way) << ", at least " << least;
        }
      }
      left.destroy();
      graph.destroy();
    }
  }
}

TEST(incremental_scalar_program, finds_shortest_paths_like_the_oracle) {
  const graph::build_options options = forms_of<lengths>(true);
  for (const test_graph& whole : test_graphs::in_turn()) {
    const verify::simple_graph simple(
        whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}, whole.list.weights);
    if (simple.vertex_count() == 0) continue;
    const graph::distributed_graph graph = test_graphs::build(whole, options);
    const auto found = property<float>::create(graph);
    for (const steps::direction_options& way : sparse_directions) {
      lengths program{found};
      run(program, graph, {.direction = way});
      EXPECT_EQ(test_graphs::by_vertex_number(found), verify::shortest_paths<float>(simple, 0))
          << described(whole, true, way);
    }
    found.destroy();
    graph.destroy();
  }
}

TEST(incremental_scalar_program, propagates_labels_like_the_oracle) {
  using labels_of = algorithms::label_propagation<std::uint32_t>;
  for (const bool symmetrize : {false, true}) {
    for (const test_graph& whole : test_graphs::in_turn()) {
      const verify::simple_graph simple(whole.list.edges,
                                        {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
      const std::vector<std::uint64_t> right = verify::label_propagation(simple, 12);
      const std::vector<std::uint64_t> ids = expected_graph(whole, {}).ids;
      const graph::distributed_graph graph = test_graphs::build(whole, forms_of<labels_of>(symmetrize));
      const auto labels = property<std::uint32_t>::create(graph);
      for (const steps::direction_options& way : sparse_directions) {
        loops::on_all_cores([=] {
          labels_of program(graph.here(), labels.here(), 12);
          run(program, graph.here(), {.direction = way});
        });
        std::vector<std::uint64_t> found;
        for (const auto label : test_graphs::by_position(graph, labels)) found.push_back(ids.at(label));
        EXPECT_EQ(found, right) << described(whole, symmetrize, way);
      }
      labels.destroy();
      graph.destroy();
    }
  }
}

//   0 -> 1 -> 2 -> ...: one after the other goes
TEST(incremental_scalar_program, looks_at_out_neighbours_of_active_vertices_only) {
  const std::size_t path = 8;
  ASSERT_EQ(test_graphs::all()[path].name, "path");
  const graph::distributed_graph graph = test_graphs::build(path, forms_of<survivors>(false));
  const auto left = property<std::uint32_t>::create(graph);
  survivors program{left, 1};
  const run_report report = run(program, graph);
  constexpr int edges = test_graphs::path_edges;
  EXPECT_EQ(report.supersteps, edges + 2);
  EXPECT_EQ(report.pushed, edges + 1);               // all vertices are active at first
  EXPECT_EQ(program.applied, (edges + 1u) + edges);  // those after the first receive it
  left.destroy();
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
