// Vertex programs on GPUs.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "framework/gas/device_runner.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/device_kinds.hpp"
#include "tests/framework/fixed_point.hpp"
#include "tests/framework/gas/device_programs.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {

template struct runs_on<test_programs::least_label, device::serial>;
template struct runs_on<test_programs::greatest_raised, device::serial>;
template struct runs_on<test_programs::lengths_from_several, device::serial>;
template struct runs_on<test_programs::weighted_sums, device::serial>;
template struct runs_on<test_programs::walks_that_end, device::serial>;

namespace {

using test_graphs::expected_graph;
using test_graphs::test_graph;

// Beside the graphs of all tests: rows that GPUs cut into pieces, in and out, and some of every length
// before.
std::vector<test_graph> graphs_for_gpus() {
  std::vector<test_graph> graphs = test_graphs::all();
  test_graph hubs{"hubs for GPUs", {}, {}};
  random_stream random(5);
  for (const std::uint64_t degree :
       {5000u, 2048u, 2047u, 513u, 512u, 511u, 65u, 64u, 33u, 32u, 31u, 9u, 5u, 4u, 3u}) {
    for (std::uint64_t k = 0; k < degree; ++k) {
      hubs.list.edges.push_back({degree, random.below(6000)});
      hubs.list.edges.push_back({random.below(6000), degree});
    }
  }
  for (std::size_t k = 0; k < hubs.list.edges.size(); ++k)
    hubs.list.weights.push_back(static_cast<float>(1 + k % 9));
  graphs.push_back(std::move(hubs));
  return graphs;
}

graph::build_options options_for(bool symmetrize) {
  graph::build_options options{.symmetrize = symmetrize};
  options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  return options;
}

// Calls expect(graph, handle, device) for all graphs, directed and symmetrized, on all GPUs.
void on_all_gpus(const std::function<void(const expected_graph&, graph::distributed_graph,
                                          const device::selection&)>& expect) {
  for (const test_graph& whole : graphs_for_gpus()) {
    for (const bool symmetrize : {false, true}) {
      const graph::build_options options = options_for(symmetrize);
      const expected_graph right(whole, options);
      const graph::distributed_graph graph = test_graphs::build(whole, options);
      for (const device::selection& device : test_graphs::devices()) {
        SCOPED_TRACE(testing::Message() << whole.name << (symmetrize ? ", symmetrized" : "") << ", device "
                                        << static_cast<int>(device.wanted));
        expect(right, graph, device);
      }
      graph.destroy();
    }
  }
}

template <class Program, class Start, class Along, class Better>
void expect_fixed_point(Start start, Along along, Better better) {
  using value = typename Program::value;
  using steps::direction;
  on_all_gpus([&](const expected_graph& whole, graph::distributed_graph graph,
                  const device::selection& device) {
    const std::vector<value> right = test_graphs::fixed_point<value>(whole, start, along, better);
    const auto shown = property<value>::create(graph);
    for (const direction way : {direction::automatic, direction::pull, direction::push}) {
      Program program;
      const run_report report = run(program, graph, shown, {.direction = {.wanted = way}, .device = device});
      EXPECT_TRUE(report.ended && report.on_gpu);
      const bool pushes = way == direction::push && locales() == 1;
      EXPECT_TRUE(!pushes || report.pushed == report.supersteps);
      EXPECT_TRUE(way != direction::pull || report.pushed == 0);
      EXPECT_EQ(test_graphs::by_vertex_number(shown), right) << "direction " << static_cast<int>(way);
    }
    shown.destroy();
  });
}

TEST(program_on_a_gpu, finds_the_least_labels) {
  expect_fixed_point<test_programs::least_label>([](std::size_t v) { return static_cast<std::uint32_t>(v); },
                                                 [](std::uint32_t shown, float) { return shown; },
                                                 std::less<>());
}

TEST(program_on_a_gpu, compares_values_of_8_bytes) {
  constexpr std::uint64_t base = std::uint64_t{1} << 40;
  expect_fixed_point<test_programs::greatest_raised>(
      [](std::size_t v) { return base + v % 50; },
      [](std::uint64_t shown, float) { return std::min(shown + 1, base + 70); }, std::greater<>());
}

TEST(program_on_a_gpu, goes_along_weights_and_settles) {
  expect_fixed_point<test_programs::lengths_from_several>(
      [](std::size_t v) {
        return test_programs::lengths_from_several::is_source(v) ? 0 : std::numeric_limits<float>::infinity();
      },
      [](float length, float weight) { return length + weight; }, std::less<>());
}

TEST(program_on_a_gpu, keeps_state_in_a_property_and_sums_up) {
  on_all_gpus(
      [](const expected_graph& whole, graph::distributed_graph graph, const device::selection& device) {
        std::vector<double> shown(whole.ids.size()), kept(whole.ids.size());
        for (std::size_t v = 0; v < shown.size(); ++v) shown[v] = static_cast<double>(v % 5);
        double all = 0;
        std::uint64_t degrees = whole.edges.size();
        for (int superstep = 0; superstep < 3; ++superstep) {
          std::vector<double> next(shown.size());
          for (const auto& e : whole.edges) next[e.target] += shown[e.source] * e.weight;
          for (std::size_t v = 0; v < shown.size(); ++v) {
            kept[v] += next[v] + superstep;
            all += next[v];
          }
          shown = next;
        }
        test_programs::weighted_sums program{.kept = property<double>::create(graph)};
        const auto found = property<double>::create(graph);
        const run_report report = run(program, graph, found, {.device = device});
        EXPECT_EQ(report.supersteps, whole.ids.empty() ? 0 : 3);
        EXPECT_EQ(test_graphs::by_vertex_number(found), shown);
        EXPECT_EQ(test_graphs::by_vertex_number(program.kept), kept);
        EXPECT_EQ(program.all, all);
        EXPECT_EQ(program.degrees, whole.ids.empty() ? 0 : degrees);
        found.destroy();
        program.kept.destroy();
      });
}

TEST(program_on_a_gpu, tells_deltas_once) {
  on_all_gpus(
      [](const expected_graph& whole, graph::distributed_graph graph, const device::selection& device) {
        std::vector<std::uint64_t> told(whole.ids.size()), right(whole.ids.size());
        for (std::size_t v = 0; v < told.size(); ++v) right[v] = told[v] = v < 7 ? 1 : 0;
        for (int superstep = 0; superstep < 5; ++superstep) {
          std::vector<std::uint64_t> next(told.size());
          for (const auto& e : whole.edges) next[e.target] += told[e.source];
          for (std::size_t v = 0; v < told.size(); ++v) right[v] += next[v];
          told = next;
        }
        const auto counts = property<std::uint64_t>::create(graph);
        for (const steps::direction way : {steps::direction::automatic, steps::direction::pull}) {
          loops::on_all_cores([=] {
            test_programs::walks_that_end program{.counts = counts.here().data()};
            run(program, graph.here(), {.direction = {.wanted = way}, .device = device});
          });
          EXPECT_EQ(test_graphs::by_vertex_number(counts), right);
        }
        counts.destroy();
      });
}

TEST(program_on_a_gpu, stops_after_as_many_supersteps_as_it_may) {
  const graph::distributed_graph graph = test_graphs::build(graphs_for_gpus().back(), options_for(true));
  for (const device::selection& device : test_graphs::devices()) {
    test_programs::least_label program;
    const run_report report = run(program, graph, {.most_supersteps = 1, .device = device});
    EXPECT_EQ(report.supersteps, 1);
    EXPECT_FALSE(report.ended);
  }
  graph.destroy();
}

TEST(program_on_a_gpu, is_left_to_the_cpu_where_memory_is_too_small) {
  graph::build_options options = options_for(true);
  options.keep.in_vectors = true;
  const graph::distributed_graph graph = test_graphs::build(graphs_for_gpus().back(), options);
  const auto shown = property<std::uint32_t>::create(graph), right = property<std::uint32_t>::create(graph);
  test_programs::least_label program;
  EXPECT_FALSE(run(program, graph, right).on_gpu);
  // The emulated GPU stands for CUDA's. Each allocation fails, or each but the small ones.
  using code = device_code<test_programs::least_label>;
  const auto of_cuda = code::cuda;
  const auto set = [](auto to) { std::atomic_ref(code::cuda).store(to); };  // locales of one process share it
  loops::on_all_cores([set] {
    if (leads_locale()) set(code::emulated);
  });
  for (const std::size_t memory : {std::size_t{0}, std::size_t{5000}}) {
    device::serial::memory = memory;
    EXPECT_FALSE(run(program, graph, shown, {.device = {device::kind::automatic, {}}}).on_gpu);
    EXPECT_EQ(test_graphs::by_vertex_number(shown), test_graphs::by_vertex_number(right));
  }
  device::serial::memory = SIZE_MAX;
  loops::on_all_cores([set, of_cuda] {
    if (leads_locale()) set(of_cuda);
  });
  shown.destroy();
  right.destroy();
  graph.destroy();
}

TEST(program_on_a_gpu, wants_rows_and_code) {
  using test_graphs::is_refused, test_graphs::refusal_of;
  const test_graph& whole = test_graphs::all().back();
  const graph::distributed_graph graph = test_graphs::build(whole, {});
  const device::selection emulated{device::kind::emulated, {}};
  loops::on_all_cores([=] {
    test_programs::least_label program;
    EXPECT_TRUE(is_refused("gas::run on a GPU", [&] { run(program, graph.here(), {.device = emulated}); }));
    EXPECT_NE(refusal_of([] { detail::refuse_device(device::kind::cuda); }).find("has no code for GPUs"),
              std::string::npos);
  });
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
