// The algorithms as the interpreter calls them, from any of its threads, without its lock. They are
// collective over the processes. All throw job_error. Values are in ascending order of the vertices' ids or
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph.hpp"
#include "values.hpp"

namespace orujo::internal::python {

// The outcome of algorithms that stop when changes are small.
struct convergence {
  int iterations = 0;
  double change = 0;      // in the last one
  bool converged = true;  // false: the maximum number of iterations did not suffice
};

// Several values per vertex, and further results.
template <class A, class B, class About>
struct two_columns {
  values<A> first;
  values<B> second;
  About about{};
  void fetch() { first.fetch(), second.fetch(); }
  void release() { first.release(), second.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, second, about);
  }
};
template <class A, class About>
struct one_column {
  values<A> first;
  About about{};
  void fetch() { first.fetch(); }
  void release() { first.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, about);
  }
};

template <class A, class About>
struct many_columns {
  std::vector<values<A>> columns;
  About about{};
  void fetch() {
    for (values<A>& each : columns) each.fetch();
  }
  void release() {
    for (values<A>& each : columns) each.release();
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(columns, about);
  }
};

// Throws job_error unless the graph has weights, none of them negative, for the argument weighted=True.
void require_weights(const graph_handle& g, const std::string& algorithm);

struct pagerank_request {
  double damping = 0.85, tolerance = 1e-6;
  int iterations = 0, max_iterations = 1000;
  bool redistribute = true;
  bool weighted = false;
};
template <class Real>  // float or double
one_column<Real, convergence> pagerank(const graph_handle& g, const pagerank_request& request);

struct personalized_request {
  double damping = 0.85, tolerance = 1e-6;
  int max_iterations = 1000;
  bool weighted = false;
};
// The shares are parallel to the sources, and sum to 1.
one_column<double, convergence> personalized_pagerank(const graph_handle& g,
                                                      const std::vector<vertex_key>& sources,
                                                      const std::vector<double>& shares,
                                                      const personalized_request& request);
// A column for each of up to 8 sources.
many_columns<double, convergence> personalized_pageranks(const graph_handle& g,
                                                         const std::vector<vertex_key>& sources,
                                                         const personalized_request& request);
// Hubs and authorities.
two_columns<double, double, convergence> hits(const graph_handle& g, double tolerance, int max_iterations);

one_column<double, convergence> katz_centrality(const graph_handle& g, double alpha, double beta,
                                                bool normalized, double tolerance, int max_iterations);
one_column<double, convergence> eigenvector_centrality(const graph_handle& g, double tolerance,
                                                       int max_iterations);

// Levels and parents, as positions; -1 of vertices that are not reached.
two_columns<std::int32_t, std::int64_t, int> bfs(const graph_handle& g, const vertex_key& source);
values<double> sssp(const graph_handle& g, const vertex_key& source, double delta);
values<double> betweenness_centrality(const graph_handle& g, const std::vector<vertex_key>& sources,
                                      bool weighted);
struct closeness_request {
  bool harmonic = false, wf_improved = true;
  std::uint64_t samples = 0, seed = 1;  // 0 samples: from all vertices
};
values<double> closeness(const graph_handle& g, const closeness_request& request);
// The greatest distance from one of up to 64 sources, or -1. `about` has the eccentricity of each source.
one_column<std::int32_t, std::vector<std::int32_t>> eccentricity(const graph_handle& g,
                                                                 const std::vector<vertex_key>& sources);

// Labels are the smallest position of the component.
values<std::int64_t> connected_components(const graph_handle& g);
values<std::int64_t> strongly_connected_components(const graph_handle& g);
one_column<std::int64_t, convergence> label_propagation(const graph_handle& g, int iterations, bool weighted);
struct community_request {
  bool louvain = false, potts = false;
  double resolution = 1;
  std::uint64_t seed = 1;
  int iterations = 2, levels = 0;  // 0: all
};
// Labels are the smallest position of the community.
one_column<std::int64_t, double> leiden(const graph_handle& g, const community_request& request);
values<std::uint32_t> k_core(const graph_handle& g);
values<double> weighted_k_core(const graph_handle& g);
// 1 for vertices inside, 0 for others.
values<std::uint8_t> maximal_independent_set(const graph_handle& g, std::uint64_t seed);
one_column<std::int32_t, std::int32_t> coloring(const graph_handle& g);  // about: how many colours
// `about` is the number in the whole graph. Without counts there are no values.
one_column<std::uint64_t, std::uint64_t> triangles(const graph_handle& g, bool with_counts);
// Cliques of `size` vertices, likewise.
one_column<std::uint64_t, std::uint64_t> cliques(const graph_handle& g, int size, bool with_counts);
// The share of the pairs of neighbours that have an edge, or the mean over pairs of the intensity of the
// triangle.
values<double> clustering(const graph_handle& g, bool weighted);

// Edges by the positions of their ends, in ascending order, and a value of each.
template <class T>
struct found_edges {
  values<std::int64_t> sources, targets;
  values<T> its_values;
  void fetch() { sources.fetch(), targets.fetch(), its_values.fetch(); }
  void release() { sources.release(), targets.release(), its_values.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(sources, targets, its_values);
  }
};
// Each edge leads to the larger position. Values are weights, 1 without.
found_edges<float> minimum_spanning_forest(const graph_handle& g);
// Values are numbers of triangles, or truss numbers.
found_edges<std::uint32_t> edge_support(const graph_handle& g);
found_edges<std::uint32_t> truss_numbers(const graph_handle& g);
// Values are centralities. Edges of a symmetric graph lead to the larger position.
found_edges<double> edge_betweenness_centrality(const graph_handle& g, const std::vector<vertex_key>& sources,
                                                bool weighted);
// Values by the measure of this name. Pairs are given by positions, and their values are in the same order.
found_edges<double> similarity(const graph_handle& g, const std::string& measure);
values<double> pair_similarity(const graph_handle& g, std::span<const std::int64_t> sources,
                               std::span<const std::int64_t> targets, const std::string& measure);
// The labels of strong components, and the edges between these, with the number of edges that each stands
// for.
struct found_condensation {
  values<std::int64_t> labels;
  found_edges<std::uint64_t> edges;
  void fetch() { labels.fetch(), edges.fetch(); }
  void release() { labels.release(), edges.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(labels, edges);
  }
};
found_condensation condensation(const graph_handle& g);

struct walk_request {
  std::uint64_t num_walks = 10;  // from every vertex
  std::uint32_t walk_length = 80;
  double p = 1, q = 1;
  bool weighted = false;
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> types, metapath;  // types: by position
  bool timed = false;
};
// A row of walk_length + 1 positions for each walk, in the order of their starts; -1 after the last one.
values<std::int64_t> random_walks(const graph_handle& g, const walk_request& request);

struct sample_request {
  std::vector<vertex_key> seeds;
  std::vector<std::int64_t> fanouts;
  bool replace = false, in_edges = true;
  std::uint64_t seed = 1;
  std::optional<double> until;  // with it or `latest`, weights are times
  bool latest = false;
};
// Positions of vertices, the ends of edges as indices into these, and the numbers of the edges.
struct found_sample {
  values<std::int64_t> node, row, col, edge;
  std::vector<std::uint64_t> nodes_of_layer, edges_of_layer;
  void fetch() { node.fetch(), row.fetch(), col.fetch(), edge.fetch(); }
  void release() { node.release(), row.release(), col.release(), edge.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(node, row, col, edge, nodes_of_layer, edges_of_layer);
  }
};
found_sample neighbor_sample(const graph_handle& g, const sample_request& request);

// Levels of an acyclic graph. `about` has a cycle, as positions, if there is one.
one_column<std::int32_t, std::vector<std::int64_t>> dag_levels(const graph_handle& g);

}  // namespace orujo::internal::python
