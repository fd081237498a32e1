// Random walks along the edges of a graph.
#include "framework/algorithms/random_walks.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/results/read_values.hpp"
#include "framework/results/vertex_matrix.hpp"
#include "framework/verify/random_walks_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(walks, 0,
              "total number of walks, from sampled vertices; 0: --walks_per_vertex from every vertex");
DEFINE_uint64(walks_per_vertex, 1, "number of walks from every vertex; no effect with --walks");
DEFINE_uint32(length, 80, "steps per walk; fewer if it reaches a vertex without out-edges");
DEFINE_double(
    p, 1, "return parameter of node2vec: the weight of an edge back to the vertex before is divided by it");
DEFINE_double(
    q, 1,
    "in-out parameter of node2vec: the weight of an edge to a vertex without an edge to the vertex before "
    "is divided by it");
DEFINE_bool(weighted, false,
            "choose edges with a probability in proportion to their weights, instead of all alike");
DEFINE_string(types, "", "file of the vertices' types, a line 'VERTEX TYPE' each; for --metapath");
DEFINE_string(
    metapath, "",
    "types of the vertices of a walk in their order, separated by commas, such as author,paper,author: the "
    "first is that of its first vertex, and also the last, from which the walk goes on as from the first");
DEFINE_bool(
    keep_walks, false,
    "keep the vertices of every walk, and write them to --output instead of visits: a line per walk, or "
    "for FILE.npy a matrix with -1 after the end of a walk");
DEFINE_uint64(seed, 1, "seed of all random choices");

DECLARE_string(output);
DECLARE_string(graph);
DECLARE_string(time_column);
DECLARE_string(weight_column);

namespace orujo::internal {
namespace {

const flag_rule per_vertex_rule(
    "walks_per_vertex", [] { return FLAGS_walks_per_vertex >= 1; }, "at least 1");
const base::flag_need per_vertex_need(
    {"walks_per_vertex"}, [] { return FLAGS_walks == 0; }, "without --walks");
const base::flag_need keep_need(
    {"keep_walks"}, [] { return !FLAGS_output.empty() || harness::verify(); }, "with --output or --verify");
bool is_bias(double bias) { return bias >= 1e-6 && bias <= 1e6; }
const flag_rule p_rule(
    "p", [] { return is_bias(FLAGS_p); }, "from 1e-6 to 1e6");
const flag_rule q_rule(
    "q", [] { return is_bias(FLAGS_q); }, "from 1e-6 to 1e6");

const files::file_flag read_types("types", files::file_flag::read);

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}
bool is_metapath(const std::string& list) {
  const std::vector<std::string> words = words_of(list);
  return list.empty() ||
         (words.size() >= 2 && words.front() == words.back() && std::ranges::count(words, "") == 0);
}
const flag_rule metapath_rule(
    "metapath", [] { return is_metapath(FLAGS_metapath); },
    "two types or more, separated by commas, the last one the first, such as author,paper,author");
const base::flag_need types_need(
    {"types"}, [] { return !FLAGS_metapath.empty(); }, "with --metapath");
const base::flag_need metapath_need(
    {"metapath"}, [] { return !FLAGS_types.empty(); }, "with --types");
const base::flag_need bias_need(
    {"p", "q"}, [] { return FLAGS_metapath.empty() && FLAGS_time_column.empty(); },
    "without --metapath and --time_column");
const base::flag_need times_need(
    {"weighted", "weight_column", "ignore_weights"}, [] { return FLAGS_time_column.empty(); },
    "without --time_column");

using algorithms::walks_report;

bool is_timed() { return !FLAGS_time_column.empty(); }

// The edges that walks take, and the plan of the oracle.
struct chosen_edges {
  algorithms::walk_edges edges;
  verify::walk_plan plan;
};

// [task; suspends]
result<chosen_edges> choose_edges(graph::distributed_graph graph) {
  chosen_edges made{
      {.weighted = FLAGS_weighted, .timed = is_timed()},
      {FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed, FLAGS_p, FLAGS_q, FLAGS_weighted}};
  made.plan.timed = is_timed();
  if (FLAGS_metapath.empty()) return made;
  const auto types = graph::property<std::uint32_t>::create(graph);
  made.edges.types = types;
  const std::vector<std::string> words = words_of(FLAGS_metapath);
  // The place of a type is that of its first word, from 1 on.
  for (const std::string& word : words)
    made.edges.metapath.push_back(static_cast<std::uint32_t>(std::ranges::find(words, word) - words.begin()) +
                                  1);
  if (status read = results::read_words(graph, types, FLAGS_types, words); !read.ok()) return read;
  if (!harness::verify()) return made;
  made.plan.metapath = made.edges.metapath;
  const auto all = results::by_position<std::uint32_t>(
      graph, [types](const graph::locale_graph&, std::uint32_t v) { return types.here()[v]; });
  made.plan.types.resize(all.size());
  all.get(0, std::span(made.plan.types));
  all.destroy();
  return made;
}

// Destroys the walks.
status report_walks(graph::distributed_graph graph, const verify::walk_plan& plan,
                    containers::global_array<std::int64_t> walks, files::output_file& output,
                    harness::report& report) {
  const std::size_t width = std::size_t{FLAGS_length} + 1;
  if (output.wanted()) {
    harness::begin_step(harness::step::writing);
    results::write_vertex_matrix(graph, walks, width, output, harness::output_row_format());
  }
  status done = output.finish();
  if (done.ok() && harness::verify()) {
    const auto simple = harness::serial_graph(FLAGS_weighted || is_timed());
    if (!simple.ok()) return simple.status();
    verify::walk_comparison check(simple.value(), plan);
    std::vector<std::int64_t> walk(width);
    for (std::size_t first = 0; first < walks.size(); first += width) {
      walks.get(first, std::span(walk));
      check.add(walk);
    }
    harness::tell_verdict(check, report);
  }
  walks.destroy();
  return done;
}

status walk(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  if (FLAGS_weighted) {
    if (status s = harness::require_weights(loaded); !s.ok()) return s;
  }
  report.columns = {"visits"};
  const auto chosen = choose_edges(loaded.graph);
  if (!chosen.ok()) return chosen.status();
  const auto& [edges, plan] = chosen.value();
  const auto visits = graph::property<std::uint64_t>::create(loaded.graph);
  algorithms::random_walks walks(loaded.graph, visits, edges);
  status done;
  for (int trial = 1; trial <= harness::trials(); ++trial) {
    const walks_report found = walks.run(
        {FLAGS_walks, FLAGS_walks_per_vertex, FLAGS_length, FLAGS_seed, FLAGS_p, FLAGS_q, FLAGS_keep_walks});
    report.trials.push_back(
        {found.seconds, 1, found.steps, {{"walks", found.walks}, {"steps", found.steps}}});
    harness::print("random_walks: {}, {}, {:.4f} s, {} steps/s\n", harness::counted(found.walks, "walk"),
                   harness::counted(found.steps, "step"), found.seconds,
                   harness::engineering(static_cast<double>(found.steps) / found.seconds));
    if (trial == harness::trials() && found.vertices) {
      done = report_walks(loaded.graph, plan, *found.vertices, output, report);
    } else if (found.vertices) {
      found.vertices->destroy();
    }
  }
  if (!FLAGS_keep_walks)
    done = harness::report_values(
        loaded.graph, visits, "visits",
        [&plan = plan](const verify::simple_graph& simple) { return verify::count_visits(simple, plan); },
        output, report);
  visits.destroy();
  if (edges.types) edges.types->destroy();
  return done;
}

status main_task() {
  // Times are read as weights. The loader refuses the column of a generated graph.
  if (is_timed() && !FLAGS_graph.empty()) FLAGS_weight_column = FLAGS_time_column;
  return harness::run_on_graph("random_walks",
                               {.in_vectors = false,
                                .out_rows = true,
                                .weights = FLAGS_weighted || is_timed(),
                                .non_negative_weights = FLAGS_weighted,
                                .order = graph::requested_order::of_ids},  // else rows are sorted anew
                               walk);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "random_walks: random walks along the edges of a graph, also those of node2vec and metapath2vec, or\n"
      "along edges in the order of their times.\n\n"
      "  bin/orujo run random_walks --generate=kronecker:18 --symmetrize --length=10 --verify\n"
      "  bin/orujo run -n 2 random_walks --graph=web.txt.gz --walks=1000000 --output=visits.txt\n"
      "  bin/orujo run random_walks --graph=web.txt.gz --symmetrize --p=0.5 --q=2 --keep_walks "
      "--output=walks.npy\n"
      "  bin/orujo run random_walks --graph=papers.txt --symmetrize --types=types.txt "
      "--metapath=author,paper,author --keep_walks --output=walks.txt",
      &orujo::internal::main_task);
}
