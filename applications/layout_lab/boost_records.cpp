#include "applications/layout_lab/boost_records.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <limits>
#include <vector>

#include "applications/layout_lab/cpu_seconds.hpp"
#include "framework/layout/boost_graph.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::layout_lab {
namespace {

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

struct boost_records::graph {
  struct noted {
    std::uint32_t distance = unreached;
    std::uint32_t name = 0;
    boost::default_color_type color = boost::white_color;
  };
  struct length {
    std::uint32_t weight = 1;
  };
  using list = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, noted, length>;

  layout::laid_out_graph<list> laid;  // created in place, because the library copies where others move
  std::uint32_t root = 0;             // the place of vertex 0
};

boost_records::boost_records(const layout::undirected_graph& g, const layout::vertex_sequence& order, bool,
                             machine::pages)
    : graph_(new graph{{graph::list(order.size()), {}, {}}}) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    graph_->laid.graph[k].name = order[k];
    for (const std::uint32_t to : g.of(order[k]))
      add_edge(k, place[to], graph::length{linked_graph::weight_of(order[k], to)}, graph_->laid.graph);
  }
  if (!place.empty()) graph_->root = place[0];
}

boost_records::~boost_records() = default;

double boost_records::copy(std::span<const std::size_t> block_bytes, machine::pages) {
  const double begin = cpu_seconds();
  graph_.reset(new graph{layout::lay_out(graph_->laid.graph, {block_bytes.begin(), block_bytes.end()},
                                         sizeof(graph::list::stored_vertex)),
                         graph_->root});
  if (!graph_->laid.place.empty()) graph_->root = graph_->laid.place[graph_->root];
  return cpu_seconds() - begin;
}

linked_graph::outcome boost_records::told(double seconds) const {
  linked_graph::outcome found{0, 0, seconds};
  for (std::size_t k = 0; k < num_vertices(graph_->laid.graph); ++k) {
    const graph::noted& v = graph_->laid.graph[k];
    if (v.distance == unreached) continue;
    ++found.reached;
    found.checksum += mix64(std::uint64_t{v.name} << 32 | v.distance);
  }
  return found;
}

linked_graph::outcome boost_records::breadth_first() {
  graph::list& all = graph_->laid.graph;
  for (std::size_t k = 0; k < num_vertices(all); ++k) all[k].distance = unreached;
  if (num_vertices(all) == 0) return {};
  all[graph_->root].distance = 0;
  const auto notes = boost::make_bfs_visitor(
      boost::record_distances(boost::get(&graph::noted::distance, all), boost::on_tree_edge()));
  const double begin = cpu_seconds();
  boost::breadth_first_search(all, boost::vertex(graph_->root, all),
                              boost::visitor(notes).color_map(boost::get(&graph::noted::color, all)));
  return told(cpu_seconds() - begin);
}

linked_graph::outcome boost_records::shortest_paths() {
  graph::list& all = graph_->laid.graph;
  if (num_vertices(all) == 0) return {};
  const double begin = cpu_seconds();
  boost::dijkstra_shortest_paths(all, boost::vertex(graph_->root, all),
                                 boost::weight_map(boost::get(&graph::length::weight, all))
                                     .distance_map(boost::get(&graph::noted::distance, all))
                                     .color_map(boost::get(&graph::noted::color, all)));
  return told(cpu_seconds() - begin);
}

}  // namespace orujo::internal::layout_lab
