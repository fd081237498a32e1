#include "framework/graph/graph_facts.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "framework/formats/edge_hash.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/base/random.hpp"
#include "system/checkpoint/run_checkpoints.hpp"
#include "system/collectives/collectives.hpp"
#include "system/files/checksum.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

using formats::hash_of_edge;

// Sums hashes of the edges of the calling core's vertices.
std::uint64_t sum_of_rows(const graph::locale_graph& g, const graph::adjacency& rows, bool in) {
  const graph::edge_reader edges = rows.any_form();
  std::uint64_t sum = 0;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    const std::uint64_t here = g.number_of(v);
    for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      const auto [neighbour, weight] = edges[k];
      const std::uint64_t there = g.number_of(neighbour);
      sum += in ? hash_of_edge(there, here, weight) : hash_of_edge(here, there, weight);
    }
  }
  return sum;
}

// Sums hashes of the edges in the calling core's share of the locale's slices.
std::uint64_t sum_of_vectors(const graph::locale_graph& g) {
  std::vector<graph::edge_slice> mine;
  for (std::size_t k = static_cast<std::size_t>(my_core_of_locale()); k < g.slices.size();
       k += static_cast<std::size_t>(my_locales_cores()))
    mine.push_back(g.slices[k]);
  graph::vector_sparse_view edges = g.in_edges();
  edges.slices = mine;
  std::uint64_t sum = 0;
  for_each_edge(edges, [&](std::uint32_t target, std::uint32_t source, float weight) {
    sum += hash_of_edge(g.number_of(source), g.number_of_target(target), weight);
  });
  return sum;
}

std::uint64_t sum_of_edges(const graph::locale_graph& g) {
  if (!g.segments.empty()) return sum_of_vectors(g);
  if (g.in_rows) return sum_of_rows(g, *g.in_rows, true);
  return g.out_rows ? sum_of_rows(g, *g.out_rows, false) : 0;
}

// Sums hashes of the ids and names of vertices.
std::uint64_t sum_of_labels(const graph::locale_graph& g) {
  std::uint64_t sum = 0;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
    sum += mix64(mix64(g.number_of(v)) + g.external_id(v));
  if (!g.names) return sum;
  const formats::name_table& names = g.names->here();
  const std::uint64_t first = g.names->range_here().first;
  for (std::size_t k = 0; k < names.size(); ++k)
    sum += mix64((first + k) ^ files::checksum(std::as_bytes(std::span(names[k]))));
  return sum;
}

std::string order_of(const graph::numbering& numbers) {
  if (numbers.is_identity()) return "by id";
  if (!numbers.table()) return fmt::format("scattered by {}", numbers.seed());
  const auto& positions = numbers.table()->positions;
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < positions.size(); ++k) sum += mix64(mix64(k) + positions[k]);
  return fmt::format("{:016x}", sum);
}

}  // namespace

std::vector<checkpoint::fact> graph_facts(const graph::locale_graph& g) {
  const auto sums = collectives::all_reduce(std::array{sum_of_edges(g), sum_of_labels(g)});
  if (my_core() != 0) return {};
  return {{"the number of vertices", std::to_string(g.vertices)},
          {"the number of edges", std::to_string(g.edges)},
          {"the order of the vertices", order_of(g.numbers)},  // before the sums, which depend on it
          {"the sum of the edges", fmt::format("{:016x}", sums[0])},
          {"the sum of the vertices' ids", fmt::format("{:016x}", sums[1])}};
}

std::vector<checkpoint::fact> graph_facts(graph::distributed_graph graph) {
  if (!checkpoint::wanted()) return {};
  return loops::on_all_cores([graph] { return graph_facts(graph.here()); });
}

}  // namespace orujo::internal::graph
