// How similar the ends of edges are, or given pairs of vertices, by their common neighbours.
#include "framework/algorithms/similarity.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/edges.hpp"
#include "applications/harness/top_edges.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/results/read_pairs.hpp"
#include "framework/verify/similarity_oracle.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(measure, "jaccard",
              "similarity: common_neighbours, jaccard, cosine, overlap, adamic_adar, resource_allocation or "
              "preferential_attachment");
DEFINE_string(pairs, "",
              "file of pairs of vertices, in any format of graphs: the edges of that file; empty: the edges "
              "of the graph");

namespace orujo::internal {
namespace {

using algorithms::pair_similarities;
using given_pairs = containers::global_array<graph::vertex_pair>;

const flag_rule measure_rule(
    "measure", [] { return algorithms::measure_of(FLAGS_measure).has_value(); },
    "common_neighbours, jaccard, cosine, overlap, adamic_adar, resource_allocation or "
    "preferential_attachment");

// The given pairs as the oracle takes them. Ids are read again, by one reader; names are not, as the oracle's
// graph has none.
std::vector<std::pair<std::size_t, std::size_t>> plain_pairs(const verify::simple_graph& simple,
                                                             const given_pairs& pairs, bool named) {
  std::vector<std::pair<std::size_t, std::size_t>> plain;
  const auto input =
      graph::read_serially(graph::resolve({.graph = FLAGS_pairs, .ignore_weights = true}).value().source);
  if (named || !input.ok()) {
    for (const graph::vertex_pair& pair : pairs.values()) plain.emplace_back(pair.source, pair.target);
    return plain;
  }
  const auto position_of = [&](std::uint64_t end) {
    const auto at = std::ranges::lower_bound(simple.ids(), graph::external_id(input.value(), end));
    return static_cast<std::size_t>(at - simple.ids().begin());
  };
  for (const edge& e : input.value().mine.edges)
    plain.emplace_back(position_of(e.source), position_of(e.target));
  return plain;
}

status find_similarities(const graph::loaded_graph& loaded, files::output_file& output,
                         harness::report& report) {
  std::optional<given_pairs> pairs;
  if (!FLAGS_pairs.empty()) {
    auto read = results::read_pairs(loaded.graph, FLAGS_pairs);
    if (!read.ok()) return read.status();
    pairs = read.value();
  }
  const bool named = loaded.graph.here().names != nullptr;
  const auto ask_oracle = [&](const verify::simple_graph& simple) {
    if (!pairs) return verify::similarities(simple, FLAGS_measure);
    return verify::similarities(simple, FLAGS_measure, plain_pairs(simple, *pairs, named));
  };
  const algorithms::similarity_measure measure = *algorithms::measure_of(FLAGS_measure);
  status done;
  for (int trial = 1; trial <= harness::trials(); ++trial) {
    const pair_similarities found = pairs ? algorithms::similarities_of_pairs(loaded.graph, *pairs, measure)
                                          : algorithms::similarities_of_edges(loaded.graph, measure);
    report.trials.push_back({found.seconds, 1, loaded.edges, {{"pairs", found.pairs.size()}}});
    harness::print("similarity: {} of {}, {:.4f} s\n", FLAGS_measure,
                   harness::counted(found.pairs.size(), "pair"), found.seconds);
    if (trial == harness::trials()) {
      harness::print_top_edges(loaded.graph, found.pairs, FLAGS_measure);
      done = harness::report_edges(loaded.graph, found.pairs, {"similarities", FLAGS_measure}, ask_oracle,
                                   verify::similarity_tolerance, output, report);
    }
    found.pairs.destroy();
  }
  if (pairs) pairs->destroy();
  return done;
}

status main_task() {
  if (status s = harness::require_symmetrize(); !s.ok()) return s;
  return harness::run_on_graph("similarity", algorithms::similarity_forms, find_similarities);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "similarity: similarity of the ends of every edge, or of given pairs of vertices, by their common "
      "neighbours.\n\n"
      "  bin/orujo run similarity --generate=kronecker:14 --symmetrize --verify\n"
      "  bin/orujo run -n 2 similarity --graph=web.txt.gz --symmetrize --measure=adamic_adar "
      "--pairs=pairs.txt --output=scores.txt",
      &orujo::internal::main_task);
}
