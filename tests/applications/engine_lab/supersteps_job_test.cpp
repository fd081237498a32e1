// The laboratory's kernels on any number of cores of one locale: every interface, engine and encoding.
#include "applications/engine_lab/supersteps.hpp"

#include <gtest/gtest.h>

#include <string>

#include "applications/engine_lab/check.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::engine_lab {
namespace {

constexpr float damping = 0.85f;
constexpr int iterations = 7;

verify::simple_graph serial_graph(const test_graphs::test_graph& g) {
  return verify::simple_graph(g.list.edges, {.vertex_count = g.vertex_count, .symmetrize = true},
                              g.list.weights);
}

// Runs a program over both encodings, on all cores; calls check(state, encoding) on one.
template <class Program, class Check>
void run_on_both(const graph::distributed_graph& handle, const Program& program, const options& how,
                 Check check) {
  loops::on_locale([&] {
    const graph::locale_graph& g = handle.here();
    const graph::core_part& part = g.my_part();
    const auto in = graph::encode_wide(*g.in_rows, part.first, part.last, g.own);
    const auto run = [&](const auto& edges, const char* encoding) {
      runner lab(program, g, edges, in->view(), how);  // symmetric: the out-edges are the in-edges
      lab.run();
      if (leads_locale()) check(lab.state(), encoding);
      collectives::barrier(collectives::group::locale);
    };
    run(wide_edges{in->view()}, "wide");
    run(compact_edges{g.in_edges()}, "compact");
  });
}

void expect_right(const graph::distributed_graph& handle, const verify::simple_graph& serial, options how) {
  const auto expect = [&](const verdict& v, const char* program, const char* encoding) {
    EXPECT_TRUE(v.right) << program << ", " << encoding << ", interface " << static_cast<int>(how.interface)
                         << ", engine " << static_cast<int>(how.engine) << ": " << v.text;
  };
  run_on_both(handle, connected_components{}, how, [&](auto labels, const char* encoding) {
    expect(check_components(serial, labels), "components", encoding);
  });
  const auto root = static_cast<std::uint32_t>(serial.vertex_count() / 2);
  run_on_both(handle, bfs{root}, how, [&](auto parents, const char* encoding) {
    expect(check_bfs(serial, parents, root), "bfs", encoding);
  });
  how.most_iterations = iterations;
  run_on_both(handle, pagerank(handle.here(), damping), how, [&](auto ranks, const char* encoding) {
    expect(check_pagerank(serial, ranks, iterations, damping), "pagerank", encoding);
  });
}

// The path takes 700 iterations.
bool is_path(const std::string& graph) { return graph == "path"; }
bool is_short(const std::string& graph) { return !is_path(graph); }

// Calls with_graph(handle, serial graph) for each test graph that is wanted and has vertices, symmetrized.
template <class WithGraph>
void for_each_graph(const WithGraph& with_graph, bool (*wanted)(const std::string&) = is_short) {
  const auto graphs = test_graphs::all();
  for (std::size_t index = 0; index < graphs.size(); ++index) {
    const verify::simple_graph serial = serial_graph(graphs[index]);
    if (serial.vertex_count() == 0 || !wanted(graphs[index].name)) continue;
    SCOPED_TRACE(graphs[index].name);
    graph::build_options build;
    build.symmetrize = true;
    build.segments = 1 + index % 3;
    build.bundle_depth = index % 2 == 0 ? 0 : 4;
    build.keep = {.in_vectors = true, .in_rows = true, .out_rows = false};
    const graph::distributed_graph handle = test_graphs::build(index, build);
    with_graph(handle, serial);
    handle.destroy();
  }
}

// The laboratory is of one locale; CTest runs it on one core and on two.
class engine_lab : public testing::Test {
 protected:
  void SetUp() override {
    if (locales() > 1) GTEST_SKIP() << "for one locale";
  }
};

TEST_F(engine_lab, is_right_by_every_interface_engine_and_encoding) {
  for_each_graph([](const graph::distributed_graph& handle, const verify::simple_graph& serial) {
    for (const auto interface : {phase_interface::traditional, phase_interface::scheduler_aware}) {
      for (const auto engine : {direction::pull, direction::push, direction::hybrid}) {
        options how;
        how.interface = interface;
        how.engine = engine;
        how.edges.chunk_vectors = engine == direction::pull ? 3 : 0;
        how.write_intense = engine == direction::push;
        expect_right(handle, serial, how);
      }
    }
  });
}

TEST_F(engine_lab, is_right_without_atomics_on_one_core) {
  if (cores() > 1) GTEST_SKIP() << "for one core";
  for_each_graph([](const graph::distributed_graph& handle, const verify::simple_graph& serial) {
    for (const auto engine : {direction::pull, direction::push}) {
      options how;
      how.interface = phase_interface::traditional_nonatomic;
      how.engine = engine;
      expect_right(handle, serial, how);
    }
  });
}

// Lost values are unspecified, but nothing else breaks.
TEST_F(engine_lab, ends_without_atomics_on_any_cores) {
  for_each_graph([](const graph::distributed_graph& handle, const verify::simple_graph&) {
    options how;
    how.interface = phase_interface::traditional_nonatomic;
    run_on_both(handle, connected_components{}, how, [](auto labels, const char*) {
      for (std::size_t v = 0; v < labels.size(); ++v) EXPECT_LE(labels[v], v);
    });
  });
}

TEST_F(engine_lab, pushes_few_and_pulls_many) {
  const auto run = [](const graph::distributed_graph& handle, const verify::simple_graph& serial) {
    phase_times search, components;
    loops::on_locale([&] {
      const graph::locale_graph& g = handle.here();
      const graph::core_part& part = g.my_part();
      const auto in = graph::encode_wide(*g.in_rows, part.first, part.last, g.own);
      options how;
      how.engine = direction::hybrid;
      runner one(bfs{0}, g, wide_edges{in->view()}, in->view(), how);
      const phase_times few = one.run();
      runner all(connected_components{}, g, wide_edges{in->view()}, in->view(), how);
      const phase_times many = all.run();
      if (leads_locale()) {
        search = few, components = many;
        EXPECT_TRUE(check_bfs(serial, one.state(), 0).right);
        EXPECT_TRUE(check_components(serial, all.state()).right);
      }
    });
    EXPECT_EQ(search.pushes, test_graphs::path_edges + 1);
    EXPECT_EQ(search.pulls, 0);
    EXPECT_GE(components.pulls, 1);
  };
  for_each_graph(run, is_path);
}

// Counts the vectors of pulls over the compact encoding.
template <class Program>
phase_times count_active(const graph::distributed_graph& handle, const Program& program,
                         int most_iterations) {
  phase_times counted;
  loops::on_locale([&] {
    options how;
    how.count_active = true;
    how.most_iterations = most_iterations;
    runner lab(program, handle.here(), compact_edges{handle.here().in_edges()}, {}, how);
    const phase_times times = lab.run();
    if (leads_locale()) counted = times;
  });
  return counted;
}

TEST_F(engine_lab, counts_vectors_with_an_active_source) {
  const auto run = [](const graph::distributed_graph& handle, const verify::simple_graph&) {
    const phase_times first = count_active(handle, connected_components{}, 1);
    EXPECT_GT(first.vectors, 0);
    EXPECT_EQ(first.active_vectors, first.vectors);
    // One vertex of a path is active at a time, and is a source of its one or two neighbours.
    const phase_times search = count_active(handle, bfs{0}, 1 << 30);
    const auto pulls = static_cast<std::uint64_t>(search.pulls);
    EXPECT_EQ(search.vectors, pulls * first.vectors);
    EXPECT_GE(search.active_vectors, pulls);
    EXPECT_LE(search.active_vectors, 2 * pulls);
  };
  for_each_graph(run, is_path);
}

}  // namespace
}  // namespace orujo::internal::engine_lab
