// Results of edges: written to --output, and compared with a serial oracle's.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/results/edges.hpp"
#include "framework/verify/edge_comparison.hpp"
#include "system/containers/sort.hpp"

namespace orujo::internal::harness {

// The name of edges, in the plural, that of their value as a column, and the format that they are written in.
struct edge_words {
  std::string edges, value;
  results::row_format format = output_row_format();
};

// [task; suspends] Sorts the edges, writes them, and with --verify compares them with those of
// `oracle(verify::simple_graph)`, of which values may differ by the tolerance.
template <class T, class Oracle>
status report_edges(graph::distributed_graph graph, graph::edge_array<T> edges, const edge_words& words,
                    Oracle oracle, double tolerance, files::output_file& output, report& to) {
  if (!output.wanted() && !verify()) return output.finish();
  containers::sort(edges);
  if (output.wanted()) {
    begin_step(step::writing);
    results::write_edges(graph, edges, output, words.format, words.value);
  }
  if (status written = output.finish(); !written.ok()) return written;
  if (!verify()) return {};
  const auto simple = serial_graph(graph.here().weighted);
  if (!simple.ok()) return simple.status();
  verify::edge_comparison<T> check(words.edges, simple.value().ids(), oracle(simple.value()), tolerance);
  std::vector<graph::valued_edge<T>> some;
  for (std::size_t first = 0; first < edges.size(); first += some.size()) {
    some.resize(std::min<std::size_t>(edges.size() - first, 1 << 16));
    edges.get(first, std::span(some));
    for (const graph::valued_edge<T>& e : some) check.add({e.source, e.target, e.value});
  }
  tell_verdict(check, to);
  return {};
}

}  // namespace orujo::internal::harness
