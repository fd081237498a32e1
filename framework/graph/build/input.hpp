// A graph's edges as they come in: every core reads or generates a part.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/text_file.hpp"
#include "framework/generators/generator.hpp"
#include "framework/graph/build/slice_encoder.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

// Where the edges come from: exactly one of the two.
struct input_source {
  std::string file;                                     // in any of formats::file_format, maybe compressed
  std::optional<generators::generator_spec> generator;  // the same graph for any number of cores
  std::string name;                                     // for people and reports
  std::optional<formats::file_format> format = {};      // of the file; recognised without it
  std::optional<unsigned> scale = {};                   // of a graph500 file (formats/packed_edges.hpp)
  bool named = false;                                   // vertices of an edge list have names, not ids
};

// In which forms a locale keeps its edges, and what it asks of them. An application asks for what it uses.
struct edge_forms {
  bool in_vectors = true;             // in-edges as Vector-Sparse, for the pull engine (vector_sparse.hpp)
  bool in_rows = false;               // in-edges vertex by vertex (adjacency.hpp),
  bool out_rows = false;              // and out-edges; the same memory where the graph is symmetrized
  bool arcs = false;                  // rows of weighted edges have neighbour and weight side by side
  bool non_negative_weights = false;  // refuse others as bad_data
  bool in_order_of_ids = false;       // not as a file has them that has an order of its own
  int cut_for_cores = 0;              // cut the vertices for another job, too (locale_graph::other_owners)
};

struct build_options;
struct input_edges;
class vertex_ids;
class vertex_names;

// What chose the order of the vertices in memory tells about it.
struct order_report {
  std::string name = "none";
  bool chosen = false;         // by the graph, and not by the user
  double seconds = 0;          // that finding it took
  double log2_gap = 0;         // mean over edges of log2 of the distance of their ends' numbers, by a sample,
  double log2_gap_before = 0;  // and of their positions
  std::vector<std::pair<std::string, double>> figures = {};  // for reports: what else is known
};
struct vertex_order {
  numbering numbers;
  order_report report;
};
// [task; suspends; collective over the job] Finds the order of the vertices of the cores' edges, which have
// their ids still. Every core gets the same, or fails with the same status.
using vertex_orderer = result<vertex_order> (*)(const input_edges& input, const vertex_ids& ids,
                                                const build_options& options);

// What becomes of the edges on the way to the graph.
struct build_options {
  // Applied in this order; symmetrize adds the reverse of every edge and implies remove_duplicates.
  bool remove_self_loops = false;
  bool symmetrize = false;
  bool remove_duplicates = false;
  kept_weight keep_weight = kept_weight::lightest;  // of duplicates; a reversed self-loop is one

  // Of the encoding (segments.hpp, slice_encoder.hpp).
  std::size_t segments = 0;  // 0: by the second-level cache, as long as that is within 6 bytes per edge
  std::uint32_t bundle_depth = default_bundle_depth;

  partition_options partition = {};
  edge_forms keep = {};
  // In what order vertices are numbered; null: that of the ids, or as `partition` has it. A pointer, and so
  // valid in this process only.
  vertex_orderer order = nullptr;
};

// Makes of some edges those that are to be visited instead, without weights; it appends them.
using edge_rewriter = std::function<void(std::span<const edge>, std::vector<edge>&)>;

// Edges of a generated graph, not made yet.
struct generated_edges {
  generators::generator_spec spec;
  std::uint64_t first = 0, last = 0;
  numbering numbers = {};   // vertices are visited by these
  bool transposed = false;  // edges are reversed
};

// One core's part of the edges, by external ids.
struct input_edges {
  edge_list mine;
  std::optional<generated_edges> generated;  // instead of `mine`: made anew whenever they are visited
  // Known for generated graphs and most formats: edges then have vertices 0..vertex_count-1, of which the ids
  // are larger by first_id.
  std::optional<std::uint64_t> vertex_count;
  std::uint64_t first_id = 0;
  // By position, ascending: the ids, where these are neither the edges' own nor larger by first_id.
  std::shared_ptr<const std::vector<std::uint64_t>> ids;
  // Where vertices have names ids are places among these. Null where one reader has read all.
  bool named = false;
  std::shared_ptr<const vertex_names> names;
  bool weighted = false;
  std::optional<formats::file_format> format;       // of a file, the same at every core,
  std::optional<formats::text_totals> file_totals;  // as these are of a file of lines
  std::uint64_t file_bytes = 0;                     // of a file, as it lies on the disk

  edge_rewriter rewrite;  // if any

  // Any thread. Calls visit(edges, weights) with some of this core's edges at a time until it has had all;
  // the weights are parallel, or empty.
  using visitor = std::function<void(std::span<const edge>, std::span<const float>)>;
  void visit_batches(const visitor& visit) const;
  // The same for the last time: `mine` gives its memory back behind the visit, and is empty afterwards.
  void consume_batches(const visitor& visit);
};

// [task; suspends; collective over the job] Plain files are cut into byte ranges, compressed ones are read by
// core 0 alone. Every core fails with the same status if any does.
result<input_edges> read_input(const input_source& source);

// Any thread. All edges, read by one reader from start to end: for the serial oracles.
result<input_edges> read_serially(const input_source& source);

}  // namespace orujo::graph
