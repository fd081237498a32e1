// The Graph500 benchmark: generates a graph, searches it from random roots, validates every tree.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <chrono>
#include <optional>
#include <utility>

#include "applications/graph500/kernels.hpp"
#include "applications/graph500/report.hpp"
#include "applications/graph500/tuples.hpp"
#include "applications/harness/harness.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/layout/flags.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint32(scale, 16, "base-2 logarithm of the number of vertices");
DEFINE_uint64(edgefactor, 16, "generated edges per vertex");
DEFINE_string(kernel, "bfs",
              "kernel to time: bfs, sssp, or both (bfs on one graph, then sssp on another with weights)");
DEFINE_string(partition, "1d",
              "partition of the graph for bfs: 1d (every locale has the edges to its vertices) or 2d (the "
              "locales form a grid and exchange with their row and their column only)");
DEFINE_uint32(roots, 64, "number of searches, each from another random vertex");
DEFINE_bool(skip_validation, false, "skip the validation of trees; no TEPS are reported");
DEFINE_uint64(seed, 1, "seed of the graph and of the roots");

namespace orujo::internal {
namespace {

using graph500::kernel_record;
using verify::tree_place;
using verify::tree_places;
using clock = std::chrono::steady_clock;

const flag_rule scale_rule(
    "scale", [] { return FLAGS_scale >= 1 && FLAGS_scale <= 40; }, "from 1 to 40");
const flag_rule edgefactor_rule(
    "edgefactor", [] { return FLAGS_edgefactor >= 1 && FLAGS_edgefactor <= 1u << 20; }, "from 1 to 1048576");
const flag_rule kernel_rule(
    "kernel", [] { return FLAGS_kernel == "bfs" || FLAGS_kernel == "sssp" || FLAGS_kernel == "both"; },
    "bfs, sssp or both");
const flag_rule partition_rule(
    "partition", [] { return FLAGS_partition == "1d" || (FLAGS_partition == "2d" && FLAGS_kernel == "bfs"); },
    "1d, or 2d with --kernel=bfs");
const base::flag_need device_need(
    {"device"}, [] { return FLAGS_partition == "2d"; }, "with --partition=2d");
const base::flag_need checkpoint_need(
    {"checkpoint_dir", "checkpoint_every", "checkpoint_mtbf_hours", "resume"},
    [] { return FLAGS_kernel != "bfs"; }, "with --kernel=sssp or both");
const flag_rule roots_rule(
    "roots", [] { return FLAGS_roots >= 1; }, "at least 1");

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

// Kernel 1. The tuples are generated first, in the cores' memory. The graph is built from them, each locale's
// part by `build`.
template <class Graph, class Part, class Build>
result<Graph> construct(const generators::generator_spec& spec, const graph::edge_forms& forms, Build build,
                        kernel_record& record) {
  const auto tuples = containers::symmetric<graph::input_edges>::reserve();
  auto begin = clock::now();
  loops::on_all_cores([=] { tuples.emplace_here(graph500::make_my_tuples(spec)); });
  record.generation_seconds = seconds_since(begin);
  const auto parts = containers::symmetric<std::shared_ptr<Part>>::reserve();
  begin = clock::now();
  const status outcome = loops::on_all_cores([=] {
    graph::build_options options;
    options.remove_self_loops = options.symmetrize = true;
    options.keep = layout::in_order_of_flags(forms);
    options.order = layout::orderer_from_flags();
    auto built = build(std::exchange(tuples.here(), {}), options);
    tuples.erase_here();
    if (built.ok()) parts.emplace_here(built.value());
    return built.status();
  });
  record.construction_seconds = seconds_since(begin);
  if (!outcome.ok()) return outcome;
  return Graph(parts);
}

// Number of tuples within the tree's component.
std::uint64_t count_tuples(tree_places tree, graph500::tuple_ends ends) {
  return delegates::sum_of_all([=] {
           std::uint64_t sum = 0;
           for (std::size_t v = 0; v < tree.local().size(); ++v)
             sum += tree.local()[v].parent >= 0 ? ends.local()[v] : 0;
           return sum;
         }) /
         2;
}

verify::tree_verdict validate(tree_places tree, std::uint64_t root, const generators::generator_spec& spec) {
  return loops::on_all_cores([=] {
    return verify::check_tree(
        tree, root, [&](const verify::edge_visitor& visit) { graph500::visit_my_tuples(spec, visit); });
  });
}

// For --verify: distances computed on one core.
class serial_check {
 public:
  explicit serial_check(const generators::generator_spec& spec) : weighted_(spec.weighted) {
    formats::edge_list all = graph500::make_tuples(spec, 0, spec.edge_count());
    graph_.emplace(std::move(all.edges),
                   verify::simple_graph_options{.vertex_count = spec.vertex_count(), .symmetrize = true},
                   std::move(all.weights));
  }
  // [task; suspends] Number of vertices whose distances differ.
  std::uint64_t count_wrong(tree_places tree, std::uint64_t root) const {
    std::vector<float> expected;
    if (weighted_) {
      expected = verify::shortest_paths<float>(*graph_, root);
    } else {
      for (const std::int64_t level : verify::search_levels(*graph_, root))
        expected.push_back(level < 0 ? tree_place{}.distance : static_cast<float>(level));
    }
    std::vector<tree_place> part;
    std::uint64_t wrong = 0;
    for (std::size_t first = 0; first < tree.size(); first += tree.block_size()) {
      part.resize(std::min(tree.block_size(), tree.size() - first));
      const memory::global_address<tree_place> from = tree[first];
      delegates::get(memory::global_address<const tree_place>(from.core(), from.local()), std::span(part));
      for (std::size_t k = 0; k < part.size(); ++k) wrong += part[k].distance != expected[first + k];
    }
    return wrong;
  }

 private:
  const bool weighted_;
  std::optional<verify::simple_graph> graph_;
};

// Runs one search, and returns whether its tree is right.
bool search(graph500::kernel& kernel, tree_places tree, graph500::tuple_ends ends,
            const generators::generator_spec& spec, std::uint64_t root, const serial_check* check,
            kernel_record& record) {
  graph500::search_record s{root, kernel.run(root)};
  loops::on_all_cores([=] { std::ranges::fill(tree.local(), tree_place{}); });
  kernel.write(tree);
  s.edges = count_tuples(tree, ends);
  bool right = true;
  if (record.validated) {
    const auto begin = clock::now();
    const verify::tree_verdict verdict = validate(tree, root, spec);
    s.validate_seconds = seconds_since(begin);
    right = verdict.faults == 0;
    if (!right) harness::print("NOT VALID: {} from root {}: {}\n", record.name, root, verdict.describe());
  }
  if (const std::uint64_t wrong = check ? check->count_wrong(tree, root) : 0; wrong > 0) {
    right = false;
    harness::print("NOT VERIFIED: {} from root {}: {} other than the serial ones\n", record.name, root,
                   harness::counted(wrong, "distance"));
  }
  record.searches.push_back(std::move(s));
  return right;
}

// By trial, the records of each kernel.
using trial_records = std::vector<std::vector<kernel_record>>;

// Searches from all roots, --trials times. Returns whether all trees are right.
bool search_all(graph500::kernel& kernel, const generators::generator_spec& spec, kernel_record record,
                trial_records& done) {
  const tree_places tree = tree_places::create(spec.vertex_count());
  const graph500::tuple_ends ends = graph500::count_tuple_ends(spec);
  std::optional<serial_check> check;
  if (harness::verify()) check.emplace(spec);
  bool right = true;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    record.searches.clear();
    record.right = true;
    for (const std::uint64_t root : kernel.roots(FLAGS_roots, FLAGS_seed))
      record.right =
          search(kernel, tree, ends, spec, root, check ? &*check : nullptr, record) && record.right;
    right = right && record.right;
    if (record.searches.empty()) break;
    done.resize(std::max(done.size(), static_cast<std::size_t>(trial) + 1));
    done[static_cast<std::size_t>(trial)].push_back(record);
  }
  ends.destroy();
  tree.destroy();
  return right;
}

// Searches the graph, if it has been built.
template <class Graph, class MakeKernel>
status search_graph(const result<Graph>& built, MakeKernel make_kernel,
                    const generators::generator_spec& spec, const kernel_record& record,
                    harness::stats& stats, trial_records& done) {
  if (!built.ok()) return built.status();
  bool right = true;
  {
    const auto kernel = make_kernel(built.value());
    right = search_all(*kernel, spec, record, done);
  }
  built.value().destroy();
  if (record.validated || harness::verify()) stats.verified = right && stats.verified.value_or(true);
  return {};
}

status run_kernel(const std::string& name, harness::stats& stats, trial_records& done) {
  kernel_record record{name, FLAGS_scale, FLAGS_edgefactor};
  record.validated = !FLAGS_skip_validation;
  const bool weighted = name == "sssp";
  const auto spec = graph500::describe_tuples(FLAGS_scale, FLAGS_edgefactor, FLAGS_seed, weighted);
  if (FLAGS_partition == "2d") {
    const auto build = [](graph::input_edges input, const graph::build_options& options) {
      return graph::build_grid(std::move(input), options);
    };
    const auto built = construct<graph::grid_graph, graph::locale_grid>(spec, {}, build, record);
    return search_graph(built, graph500::make_grid_bfs, spec, record, stats, done);
  }
  const auto build = [](graph::input_edges input, const graph::build_options& options) {
    return graph::build(std::move(input), options);
  };
  const auto forms = weighted ? graph500::sssp_forms() : graph500::bfs_forms();
  const auto built = construct<graph::distributed_graph, graph::locale_graph>(spec, forms, build, record);
  return search_graph(built, weighted ? graph500::make_sssp : graph500::make_bfs, spec, record, stats, done);
}

status main_task() {
  if (FLAGS_partition == "2d" && layout::requests_order()) {
    return {exit_status::usage,
            "--partition=2d takes the vertices in the order of their ids, so that --layout has no effect: "
            "remove one of the two"};
  }
  if (status deaf = layout::check_order_flags(); !deaf.ok()) return deaf;
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const auto spec = graph500::describe_tuples(FLAGS_scale, FLAGS_edgefactor, FLAGS_seed, false);
  harness::stats stats{"graph500",
                       "graph",
                       {{"vertices", spec.vertex_count()},
                        {"edges", spec.edge_count()},
                        {"source", fmt::format("kronecker:{}", FLAGS_scale)}}};
  trial_records records;
  for (const char* name : {"bfs", "sssp"}) {
    if (FLAGS_kernel != name && FLAGS_kernel != "both") continue;
    if (status done = run_kernel(name, stats, records); !done.ok()) return done;
  }
  for (const std::vector<kernel_record>& of_trial : records) {
    graph500::print_block(of_trial);
    for (const kernel_record& of : of_trial) graph500::append_trials(of, stats.trials);
  }
  if (stats.trials.empty()) harness::print("no vertex has an edge to another: nothing to search\n");
  if (stats.verified == true) harness::print("valid: {}\n", harness::counted(stats.trials.size(), "tree"));
  if (status written = harness::write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false) return {exit_status::failed, "a tree is not valid"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "graph500: Graph500 benchmark, breadth-first search and shortest paths.\n\n"
                    "  bin/orujo run graph500 --scale=20\n"
                    "  bin/orujo run -n 2 graph500 --scale=18 --kernel=both --roots=8",
                    &orujo::internal::main_task);
}
